#!/usr/bin/env bats
# Checks in graphs: what chosen kernels in a graph read and write, while it is replayed at full speed.

load inspected

# A program that replays a graph of four layers. At replay 3 a deviation becomes 0. `HOW` chooses
# what happens to the graph. With `OVERLAP` its kernels are programmatic launches; the program then
# also says whether its graph still has the edges of those at the end.
write_replays() {
	write_network
	sed '/^forward()$/,$d' network.py >replays.py
	cat >>replays.py <<-'PY'
		how = os.environ.get("HOW", "")
		stream, graph, instance = (ctypes.c_void_p() for _ in range(3))
		multiply, squares = kernel("_ZN6layers8multiplyIfEEviNS_7tensorsIT_EE"), tensor()
		branch, fork, join = (ctypes.c_void_p() for _ in range(3))
		call("cuStreamCreate", ctypes.byref(stream), 1)
		call("cuStreamCreate", ctypes.byref(branch), 1)
		for event in fork, join:
		    call("cuEventCreate", ctypes.byref(event), 0)

		overlap = struct.pack("<IIi60x", 6, 0, 1) # programmatic stream serialization, allowed
		def launch(function, *arguments):
		    pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(a) for a in arguments])
		    if "OVERLAP" in os.environ:
		        attributes = ctypes.create_string_buffer(overlap)
		        shape = struct.pack("<7I4xQQI4x", N // 64, 1, 1, 64, 1, 1, 0, stream.value, ctypes.addressof(attributes), 1)
		        call("cuLaunchKernelEx", shape, function, pointers, None)
		    else:
		        call("cuLaunchKernel", function, N // 64, 1, 1, 64, 1, 1, 0, stream, pointers, None)

		def capture(graph):
		    global stream
		    call("cuStreamBeginCapture_v2", stream, 0)
		    if how == "branches":
		        call("cuEventRecord", fork, stream)
		        call("cuStreamWaitEvent", branch, fork, 0)
		        launch(divide, normal, hidden, deviation, n)
		        launch(scale, normal, images, ctypes.c_float(0), n)
		        stream, trunk = branch, stream
		        launch(scale, squares, images, ctypes.c_float(3), n)
		        call("cuEventRecord", join, branch)
		        call("cuStreamWaitEvent", trunk, join, 0)
		        stream = trunk
		    else:
		        forward()
		    call("cuStreamEndCapture", stream, ctypes.byref(graph))

		def fill(memory, values):
		    call("cuMemcpyHtoD_v2", memory, struct.pack(f"<{N}f", *values), 4 * N)

		def replay():
		    call("cuGraphLaunch", instance, stream)
		    call("cuStreamSynchronize", stream)

		# The older call does not list edges that carry data.
		def say_edges():
		    if "OVERLAP" in os.environ:
		        n_edges, ends = ctypes.c_size_t(32), (ctypes.c_void_p * 32 * 2)()
		        print(driver.cuGraphGetEdges(graph, ends[0], ends[1], ctypes.byref(n_edges)), file=sys.stderr)

		fill(deviation, [1] * N)
		fill(images, [0] * N)
		n.value = 0 if how == "free" else N
		capture(graph)
		if how == "child":
		    outer, node = ctypes.c_void_p(), ctypes.c_void_p()
		    call("cuGraphCreate", ctypes.byref(outer), 0)
		    call("cuGraphAddChildGraphNode", ctypes.byref(node), outer, None, 0, graph)
		    graph = outer
		call("cuGraphInstantiateWithFlags", ctypes.byref(instance), graph, ctypes.c_ulonglong(0))
		replay()
		if how == "update":
		    other, info, again = tensor([0] * N), ctypes.create_string_buffer(64), ctypes.c_void_p()
		    deviation = other
		    fill(other, [1] * N)
		    capture(again)
		    call("cuGraphExecUpdate_v2", instance, again, info)
		replay()
		if how == "free":
		    call("cuMemFree_v2", deviation)
		    replay()
		    sys.exit(print(1))
		if how == "refuse":
		    print(driver.cuGraphLaunch(instance, stream), file=sys.stderr)
		values = [1] * N
		values[17] = 0
		fill(deviation, values)
		if how == "late": # another kernel changes while the replay waits
		    gate, scores = tensor([0] * N), tensor([0] * N)
		    again, info = ctypes.c_void_p(), ctypes.create_string_buffer(64)
		    call("cuStreamWaitValue32_v2", stream, gate, 1, 0)
		    call("cuGraphLaunch", instance, stream)
		    capture(again)
		    call("cuGraphExecUpdate_v2", instance, again, info)
		    call("cuMemcpyHtoD_v2", gate, struct.pack("<I", 1), 4)
		    call("cuStreamSynchronize", stream)
		else:
		    replay()
		if how == "move":
		    again, info, normal = ctypes.c_void_p(), ctypes.create_string_buffer(64), tensor([0] * N)
		    fill(deviation, [1] * N)
		    capture(again)
		    call("cuGraphExecUpdate_v2", instance, again, info)
		    replay()
		    fill(deviation, values)
		if how == "abort":
		    launch(scale, ctypes.c_void_p(0x123456789000), images, ctypes.c_float(1), n)
		    driver.cuStreamSynchronize(stream)
		    os.abort()
		replay()
		if how == "fork": # the driver refuses everything in a child
		    child = os.fork()
		    if not child:
		        results = driver.cuGraphLaunch(instance, stream), driver.cuGraphExecDestroy(instance)
		        launch_again = driver.cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, stream, None, None)
		        os._exit(results != (3, 3) or launch_again != 3)
		    if os.waitpid(child, 0)[1]:
		        sys.exit("the child had another result than the driver's")
		say_edges()
		if how == "branches": # the NaN was overwritten at once
		    sys.exit(print(1))
		back = ctypes.create_string_buffer(4 * N)
		call("cuMemcpyDtoH_v2", back, scores, 4 * N)
		print(sum(value != value for value in struct.unpack(f"<{N}f", back.raw)))
	PY
}

unchecked_is_silent() {
	[[ $(grep -c 'not checked' told) -eq 0 ]]
}

# replays OPTION...: run it under `culprit run OPTION...`; the lines in `told`, without addresses.
replays() {
	replays_until 0 "$@"
	[[ $(<out) == 1 && $(<err) == "${OVERLAP:+402}" ]]
}

# replays_until STATUS OPTION...: the same, but it ends with that status.
replays_until() {
	write_replays
	print --print-to lines "${@:2}" -- python3 replays.py "$build/lib/simcuda-kernels/layers.so" >/dev/null
	[[ $ended -eq $1 ]]
	sed -E 's/^[0-9]+ /PID /; s/.py:[0-9]+ /.py:N /g; s/0x[0-9a-f]+/0xA/g' lines >told
}

@test "graph checks: name the node, the replay and the line that captured it" {
	replays --inspect='layers::'
	diff <(sed -n '/that appeared/,/=> passed/p' told | head -n 12) - <<-'END'
		PID  graph 0xA, instantiated at replays.py:N call: values that appeared in replay 3
		  node 1  layers::divide<float>  replays.py:N call
		    argument 0: 0xA=#4+0, 256 x f32
		      after   min 0, max 0, mean 0, 1 NaN, the first at [17]
		    => made here: none of the checked arguments had any before
		  node 2  layers::add<float>  replays.py:N call
		    argument 0: 0xA=#5+0, 256 x f32
		      after   min 1, max 1, mean 1, 1 NaN, the first at [17]
		    argument 1: 0xA=#4+0, 256 x f32
		      before  min 0, max 0, mean 0, 1 NaN, the first at [17]
		      after   min 0, max 0, mean 0, 1 NaN, the first at [17]
		    => passed on from argument 1
	END
	[[ $(grep -c 'made here' told) -eq 1 && $(grep -c 'that appeared in replay' told) -eq 1 ]]
	grep -q '4 checked kernels in replay 4, the last$' told
}

# A check has read before anything that waits for its kernel writes there, in whatever order nodes run.
@test "graph checks: read in time, also beside branches" {
	for seed in {1..24}; do
		SIMCUDA_SEED=$seed SIMCUDA_DELAY_US=200 HOW=branches replays --inspect='layers::'
		[[ $(grep -c 'that appeared in replay 3$' told) -eq 1 ]]
		grep -A4 'that appeared' told | grep -qE '^  node [0-9]+  layers::divide<float>  replays.py:N call$'
		grep -q '=> made here: .*, unless a node on another branch wrote there meanwhile$' told
		grep -q '3 checked kernels in replay 4, the last$' told
	done
}

@test "graph checks: --nan checks graphs, too, and says nothing of good replays" {
	replays --nan
	grep -A1 'that appeared in replay 3$' told | grep -q '^  node 1  layers::divide<float>  replays.py:N call$'
	[[ $(grep -c 'PID  graph ' told) -eq 1 ]]
}

# The graph has four kernels in a row, with arrays of 1 KiB. A check between two of them serves both: it reads
# once what both are given, and not again what the first one was given as const.
@test "graph checks: one check between two kernels reads nothing twice" {
	export SIMCUDA_CHECKS=$BATS_TEST_TMPDIR/checks
	replays --nan
	[[ $(grep -c '^culprit_scan' checks) -eq $((4 * 5)) ]]
	diff <(grep '^culprit_scan' checks | head -n 5) - <<-'END'
		culprit_scan 2 2048
		culprit_scan 3 3072
		culprit_scan 2 2048
		culprit_scan 2 2048
		culprit_scan 1 1024
	END
	# With all values, what is const is read after its kernel, too.
	rm checks
	replays --inspect='layers::'
	[[ $(grep -c '^culprit_check' checks) -eq $((4 * 5)) ]]
	[[ $(awk '{ bytes += $3 } END { print bytes }' checks) -eq $((4 * 15 * 1024)) ]]
}

# Each array has 256 KiB: 2 KiB are read, and 127 of the 2032 lines after that.
@test "graph checks: --nan-read bounds what is read, and what is not certain is not claimed" {
	export SIMCUDA_CHECKS=$BATS_TEST_TMPDIR/checks
	ARRAY=65536 replays --nan --nan-read=16
	[[ $(awk '{ n++; bytes += $3 } END { print n, bytes }' checks) == "$((4 * 5)) $((4 * 10 * (2048 + 127 * 128)))" ]]
	grep -A1 'that appeared in replay 3$' told | grep -q '^  node 1  layers::divide<float>  replays.py:N call$'
	grep -q '=> probably made here: none of the checked arguments had any before, but only 0.0518 of 0.75 MiB were read$' told
	grep -q '^PID  first NaN: probably made by node 1 layers::divide<float>' told
	grep -q '; none of the checked arguments had any before, but only 0.0518 of 0.75 MiB were read$' told
	rm checks
	ARRAY=65536 replays --nan --nan-read=0
	[[ $(awk '{ n++; bytes += $3 } END { print n, bytes }' checks) == "$((4 * 5)) $((4 * 10 * 256 * 1024))" ]]
	grep -q '=> made here: none of the checked arguments had any before$' told
}

# A launch that the driver refuses has a number, but is no replay.
@test "graph checks: the replay has the number of its launch, also after one that was refused" {
	replays --nan
	number=$(sed -nE 's/.*first NaN: made by .* in replay 3, #([0-9]+)$/\1/p' told)
	HOW=refuse SIMCUDA_INJECT=cuGraphLaunch:3:1 replays_until 0 --nan
	[[ $(<out) == 1 && $(<err) == 1 ]]
	grep -q "first NaN: made by .* in replay 3, #$((number + 1))$" told
}

# The thread that fails is killed by its own abort, so no exit handler runs.
@test "graph checks: a process that dies of the failure has said what was found" {
	HOW=abort replays_until 134 --nan
	grep -A1 'that appeared in replay 3$' told | grep -q '^  node 1  layers::divide<float>  replays.py:N call$'
}

@test "graph checks: follow child graphs and updates" {
	HOW=child replays --inspect='layers::'
	grep -A2 'that appeared in replay 3$' told | grep -q '^  node 2  layers::divide<float>  replays.py:N call$'
	HOW=update replays --inspect='layers::'
	grep -A2 'that appeared in replay 3$' told | grep -q '^  node 1  layers::divide<float>  replays.py:N call$'
	unchecked_is_silent
}

# Another array gets the NaN after the change. The one before it keeps its name.
@test "graph checks: results start anew if the arguments of a kernel change" {
	local made
	for kind in --nan --inspect='layers::'; do
		HOW=move replays "$kind"
		[[ $(grep -c 'that appeared in replay' told) -eq 2 ]]
		made=$(grep -B3 '=> made here: none' told | grep -o 'argument 0: 0xA=#[0-9]*')
		[[ $(sort -u <<<"$made" | wc -l) -eq 2 && $(wc -l <<<"$made") -eq 2 ]]
		grep -A4 'that appeared in replay 3$' told | grep -q '=#4+0'
		grep -A4 'that appeared in replay 5$' told | grep -q 'node 1  layers::divide<float>'
		unchecked_is_silent
	done
}

@test "graph checks: a NaN of a running replay is named if another kernel changes meanwhile" {
	for kind in --nan --inspect='layers::'; do
		HOW=late replays "$kind"
		grep -A4 'that appeared in replay 3$' told | grep -q 'node 1  layers::divide<float>'
		unchecked_is_silent
	done
}

@test "graph checks: a forked child gets the driver's own results" {
	HOW=fork replays --inspect='layers::'
	grep -q 'that appeared in replay 3$' told
}

# The kernel does not use the pointer, so the program is right.
@test "graph checks: do not read memory that was freed" {
	HOW=free replays --inspect='layers::'
	grep -q '4 checked kernels in replay 3, the last$' told
}

# A programmatic launch may start before the kernel that it follows has finished. With a seed, it even
# finishes first at times, but not in the checked copy.
@test "graph checks: check programmatic launches, and keep the program's edges" {
	export OVERLAP=1
	for seed in {0..7}; do
		export SIMCUDA_SEED=$seed
		replays --inspect='layers::'
		grep -A2 'that appeared in replay 3$' told | grep -q '^  node 1  layers::divide<float>  replays.py:N call$'
		grep -q '=> made here: none of the checked arguments had any before$' told
		grep -q '4 checked kernels in replay 4, the last$' told
		HOW=update replays --inspect='layers::'
		grep -A2 'that appeared in replay 3$' told | grep -q '^  node 1  layers::divide<float>  replays.py:N call$'
		HOW=branches replays --inspect='layers::'
		[[ $(grep -c 'that appeared in replay 3$' told) -eq 1 ]]
		grep -q '3 checked kernels in replay 4, the last$' told
		unchecked_is_silent
	done
}

@test "graph checks: programmatic launches beside a checked kernel stay as they are" {
	export OVERLAP=1
	replays --inspect='layers::divide'
	grep -A2 'that appeared in replay 3$' told | grep -q '^  node 1  layers::divide<float>  replays.py:N call$'
	# The two kernels after it may overlap.
	grep -q '=> made here: .*, unless a node on another branch wrote there meanwhile$' told
	replays --inspect='layers::(divide|scale)'
	grep -q '=> made here: none of the checked arguments had any before$' told
}

@test "graph checks: leave programmatic launches alone if the driver does not change their edges" {
	OVERLAP=1 SIMCUDA_INJECT=cuGraphRemoveDependencies_v2:2:1 replays --inspect='layers::'
	grep -q ', is not checked: the driver refused a check between its nodes$' told
}

# Each graph is launched, changed in random ways, and launched again. The program prints the result
# of each call, what the driver says about the program's graphs, and the values.
@test "graph checks: 300 random graphs end alike with and without checks" {
	local kernels=$build/lib/simcuda-kernels/layers.so n_checked=0
	for seed in 1 2 3; do
		export SIMCUDA_SEED=$seed # programmatic launches may overlap
		LD_LIBRARY_PATH=$build/lib/simcuda "$build/bin/tests/random_graphs" "$kernels" $seed 100 >plain
		print --print-to lines --inspect='layers::(divide|multiply)' -- "$build/bin/tests/random_graphs" "$kernels" $seed 100
		[[ $ended -eq 0 && ! -s err ]]
		cmp plain out
		n_checked=$((n_checked + $(grep -c 'checked kernels in replay' lines)))
		# The only reason to leave one of them alone is an update that the driver refused.
		[[ $(grep -c 'is not checked: ' lines) -eq $(grep -c 'not checked: an update of it failed' lines) ]]
	done
	[[ $n_checked -gt 200 ]]
	# The same with checks that only look for NaN.
	LD_LIBRARY_PATH=$build/lib/simcuda "$build/bin/tests/random_graphs" "$kernels" 4 60 >plain
	print --print-to lines --nan='layers::(divide|multiply)' -- "$build/bin/tests/random_graphs" "$kernels" 4 60
	[[ $ended -eq 0 && ! -s err ]]
	cmp plain out
}

@test "graph checks: leave graphs alone that they cannot copy, and say why" {
	print --inspect=. --print-to lines -- "$build/bin/corpus" --kernels "$build/lib/simcuda-kernels" graph_conditional
	grep -qE ', is not checked: it has conditional nodes, or nodes of an unknown kind$' lines
	print --inspect=. --print-to lines -- "$build/bin/corpus" --kernels "$build/lib/simcuda-kernels" graph_updatable
	grep -qE ', is not checked: kernels on the device may change a node$' lines
	# The third call is the first one of the checks.
	SIMCUDA_INJECT=cuGraphChildGraphNodeGetGraph:3:1 HOW=child replays --inspect='layers::'
	grep -q ', is not checked: it has no nodes, or the driver does not list them$' told
}

# verdict OPTION...: what is said about a failing graph of the corpus.
verdict() {
	print "$@" -- "$build/bin/corpus" --kernels "$build/lib/simcuda-kernels" "$scenario" >/dev/null
	[[ $ended -eq 1 ]]
	sed -nE 's/0x[0-9a-f]+/0xA/g; s/ \[pid [0-9]+\]//; /^culprit: /p; /^  (node|nodes|arguments) /,/^  seen by /p' err |
		grep -v 'seen by'
}

# A node keeps its number, its line and its suspects. culprit's own nodes are not among these.
@test "graph checks: a failing node is named as without them" {
	for scenario in graph_replay graph_child graph_update graph_params graph_disabled; do
		verdict -v >plain
		verdict -v --inspect=. --print-to lines >checked
		# A check of ours may have read what is not there, so that nothing is exact by elimination.
		grep -q '— likely: graph launch ' checked
		grep -q ", unless one of culprit's checks did" checked
		sed -i 's/— likely: graph/— exact: graph/; s/, likely node /, node /; s/, unless one of .* checks did\(; run without --inspect and --nan to be sure\)*$//' checked
		diff plain checked
		grep -q 'checked kernels in replay' lines
		grep -q '^  node' plain
	done
}
