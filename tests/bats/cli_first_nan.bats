#!/usr/bin/env bats
# A NaN becomes an index, and a later kernel fails: each view of the failure says where the NaN began.

load inspected

# The last kernel of the network picks values by its scores. With `REPLAYS` all of it is in a graph,
# and there is a NaN in that replay; otherwise there is one at once. With `AFTER` the last kernel is
# launched after the graph. With `WHOLE` it gets indexes that are made of the scores, and are not NaN.
write_picking() {
	write_network
	sed '/^images = /,$d' network.py >picking.py
	cat >>picking.py <<-'PY'
		pick, whole = kernel("_ZN6layers4pickIfEEvPT_PKS1_S4_i"), kernel("_ZN6layers5wholeIfEEvPT_PKS1_i")
		images, deviation, *others = (tensor() for _ in range(8))
		hidden, normal, biased, scores, picked, rounded = others
		replays, stream = int(os.environ.get("REPLAYS", 0)), ctypes.c_void_p()

		def launch(function, *arguments):
		    pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(a) for a in arguments])
		    call("cuLaunchKernel", function, N // 64, 1, 1, 64, 1, 1, 0, stream, pointers, None)

		def fill(memory, values):
		    call("cuMemcpyHtoD_v2", memory, struct.pack(f"<{N}f", *values), 4 * N)

		def step(is_whole):
		    forward()
		    if "WHOLE" in os.environ:
		        launch(whole, rounded, scores, n)
		        launch(pick, picked, images, rounded, n)
		    elif is_whole:
		        launch(pick, picked, images, scores, n)

		fill(images, [0] * N)
		if replays:
		    graph, instance = ctypes.c_void_p(), ctypes.c_void_p()
		    call("cuStreamCreate", ctypes.byref(stream), 1)
		    call("cuStreamBeginCapture_v2", stream, 0)
		    step("AFTER" not in os.environ)
		    call("cuStreamEndCapture", stream, ctypes.byref(graph))
		    call("cuGraphInstantiateWithFlags", ctypes.byref(instance), graph, ctypes.c_ulonglong(0))
		for replay in range(1, replays + 1):
		    fill(deviation, [1 if i != 17 or replay < replays else 0 for i in range(N)])
		    call("cuGraphLaunch", instance, stream)
		    result = driver.cuStreamSynchronize(stream)
		if not replays:
		    fill(deviation, [float(i != 17) for i in range(N)])
		    step(True)
		    result = driver.cuCtxSynchronize()
		elif "AFTER" in os.environ:
		    launch(pick, picked, images, scores, n)
		    result = driver.cuStreamSynchronize(stream)
		sys.exit(result != 700)
	PY
}

# The program fails under `culprit run`, and its bundle is in this folder.
picking() {
	write_picking
	print --nan --print-to lines -- python3 picking.py "$build/lib/simcuda-kernels/layers.so"
	[[ $ended -eq 0 ]]
}

# told FILE: the lines about the first NaN, without labels, line numbers, processes and addresses.
told() {
	awk '/^  first NaN / { is_in = 1; sub("first NaN", ""); print; next } !/^      / { is_in = 0 } is_in' "$1" |
		sed -E 's/^ +//; s/.py:[0-9]+ /.py:N /g'
}

eager() {
	cat <<-'END'
		made by #4 layers::divide<float> at picking.py:N call
		argument 0: 1 NaN among 256 f32, the first at [17]; none of the checked arguments had any before
		passed on by #5 layers::add<float> at picking.py:N call, #6 layers::scale<float> at picking.py:N call
		#7 layers::pick<float> at picking.py:N call, a suspect, was given 1 NaN among 256 f32, the first at [17], in argument 2; this may be why it failed, but the verdict does not rest on it
	END
}

replayed() {
	cat <<-'END'
		made by node 1 layers::divide<float> at picking.py:N call in replay 3, #7
		argument 0: 1 NaN among 256 f32, the first at [17]; none of the checked arguments had any before
		passed on by node 2 layers::add<float> at picking.py:N call, node 3 layers::scale<float> at picking.py:N call
		node 4 layers::pick<float> at picking.py:N call in replay 3, #7, a suspect, was given 1 NaN among 256 f32, the first at [17], in argument 2; this may be why it failed, but the verdict does not rest on it
	END
}

# Compare all views of the bundle with the lines of `eager` or `replayed`.
compare_views() {
	"$1" >expected
	diff expected <(told err)
	"$culprit" report -v culprit-* >full
	diff expected <(told full)
	CULPRIT_REPORT=short "$culprit" report culprit-* >short
	diff expected <(told short)
	"$culprit" report --format html --output report.html culprit-*
	"$culprit" report --format markdown culprit-* >report.md
	"$culprit" report --format junit culprit-* >report.xml
	"$culprit" report --format json culprit-* >report.json
	python3 "$BATS_TEST_DIRNAME/json_schema.py" "$root/docs/report.schema.json" report.json
	python3 - "$(head -n 1 expected)" <<-'PY'
		import html, json, re, sys, xml.etree.ElementTree
		wanted = re.escape(sys.argv[1]).replace(":N", r":\d+")
		message = xml.etree.ElementTree.parse("report.xml").find(".//failure").get("message")
		assert re.search("; first NaN: " + wanted + "$", message), message
		assert re.search("; first NaN: " + wanted, open("report.md").read())
		assert re.search(wanted, html.unescape(re.sub("<[^>]*>", "", open("report.html").read())))
		nan = json.load(open("report.json"))["first_nan"]
		picked, at = nan["reached"], nan["at"]
		assert nan["origin"] == "made" and nan["n_passed_on"] == len(nan["passed_on"]) == 2
		assert at["kernel"] == "layers::divide<float>" and at["first"] == 17 and at["nan"] == 1
		assert picked["kernel"] == "layers::pick<float>" and picked["argument"] == 2
		is_node = sys.argv[1].startswith("made by node")
		assert (at["node"], picked["node"], at["replay"]) == ((1, 4, 3) if is_node else (None, None, None))
		assert (at["submission"], picked["submission"]) == ((7, 7) if is_node else (4, 7))
	PY
}

@test "first NaN: the report of a failed launch says where its index came from" {
	picking
	compare_views eager
}

# leaves_values_out EXPECTED: without secrets, the lines are the same, and no value of memory is left.
leaves_values_out() {
	"$1" >expected
	"$culprit" report -v --redact culprit-* >redacted
	diff expected <(told redacted)
	"$culprit" pack --output packed.tar.gz culprit-*
	tar xzf packed.tar.gz
	[[ $(grep -c ' before=type:' records.txt) -ge 3 ]]
	grep -oE '(min|max|sum):[^, ]+|checksum:[0-9a-f]+' records.txt | sort -u >values
	diff values <(printf '%s\n' checksum:000000000000000{0,1} max:0 min:0 sum:0)
}

derived() {
	eager | head -n 3
	cat <<-'END'
		#8 layers::pick<float>, a suspect, was given memory that #7 layers::whole<float> at picking.py:N call wrote after it was given such values; this may be why it failed, but the verdict does not rest on it
	END
}

@test "first NaN: indexes that were made of a NaN are followed to the failed launch" {
	export WHOLE=1
	picking
	derived >expected
	diff expected <(told err)
	"$culprit" report --format json culprit-* >report.json
	python3 "$BATS_TEST_DIRNAME/json_schema.py" "$root/docs/report.schema.json" report.json
	python3 - <<-'PY'
		import json
		nan = json.load(open("report.json"))["first_nan"]
		through = nan["reached_through"]
		assert nan["reached"] is None and through["submission"] == 7 and through["argument"] == 0
		assert through["nan"] == 0 and through["first"] is None
	PY
}

@test "first NaN: redacted reports and packs have counts only" {
	picking
	leaves_values_out eager
	rm -r culprit-*
	export REPLAYS=3
	picking
	leaves_values_out replayed
}

@test "first NaN: the same in a graph, with the node and the replay" {
	export REPLAYS=3
	picking
	compare_views replayed
	# The lines of the run say the same, except for suspects, and list what the failed node was given.
	sed -nE '/^[0-9]+  first NaN: /,$ { s/^[0-9]+  first NaN: //; s/^ +//; s/.py:[0-9]+ /.py:N /g; p }' lines >said
	diff <(head -n 3 expected) said
	grep -A2 ': kernels that had not finished replay 3$' lines | grep -qE '^  node 4  layers::pick<float>  '
}

@test "first NaN: a launch fails of what a graph has made" {
	export REPLAYS=3 AFTER=1
	picking
	told err >said
	grep -qE '^made by node 1 layers::divide<float> at picking.py:N call in replay 3, #7$' said
	grep -qE '^#8 layers::pick<float> at picking.py:N call, a suspect, was given 1 NaN ' said
}
