#!/usr/bin/env bats
# Memory: what each allocation is, which call made it, and which call freed it.

load cli

memory() {
	LD_LIBRARY_PATH=$build/lib/simcuda culprit run --keep always --dir bundles -- \
		"$build/bin/tests/memory_host" "$@"
	bundle=$(echo bundles/culprit-*)
}

@test "every kind of memory is recorded with its size, flags, stack and the call that freed it" {
	mkdir bundles
	memory kinds
	((status == 0))
	"$culprit" dump -F ranges "$bundle" | sed -n "s/.* size=\([0-9]*\) .* state=\([a-z]*\) .* kind='\([a-z -]*\)' flags=\([0-9a-fx]*\).*/\1 \2 \3 \4/p" |
		tail -n +2 >kinds
	cat kinds
	diff - kinds <<-'END'
		4096 live device memory 0x0
		5120 live pitched device memory 0x0
		8192 live managed memory 0x0
		12288 freed device memory 0x0
		16384 live pinned host memory 0x5
		20480 live pinned host memory 0x0
		24576 live registered host memory 0x2
		28672 freed stream-ordered memory 0x0
		32768 live stream-ordered memory 0x80
		6291456 live reserved addresses 0x0
		2097152 freed physical memory 0x100
		2097152 freed mapped memory 0x30
		2097152 freed mapped memory 0x0
		4194304 live physical memory 0x140
		4194304 live mapped memory 0x30
		16384 live array 0x0
		1024 freed array 0x0
	END
	# Each has its time and thread; stream-ordered ones have their stream.
	run "$culprit" dump -F ranges "$bundle"
	[[ $output != *" stack=0 "* && $output != *" tid=0 "* && $output != *" made=-"* ]]
	(($(grep -c "kind='stream-ordered memory' flags=0x[0-9a-f]* stream=[1-9]" <<<"$output") == 2))
	(($(grep -c "kind='mapped memory' .* parent=[1-9]" <<<"$output") == 3))
}

@test "explains an address: inside memory, next to it, freed, not accessible, unmapped, unknown" {
	mkdir bundles
	memory address
	((status == 0))
	while read -r name address; do
		"$culprit" memory "$bundle" --at "$address" | sed "s/^0x[0-9a-f]*:/$name:/; s/ at 0x[0-9a-f]*//"
	done < <(echo "$output" && echo "nowhere 0x10") >told
	cat told
	grep -qx 'inside: 100 bytes into allocation #2 (device memory, 5.9 KiB, device 0)' told
	grep -qx 'after: not in any known memory; 1000 bytes after the end of allocation #2 (.*)' told
	grep -qx 'before: not in any known memory; 16 bytes before allocation #2 (.*)' told
	grep -qx 'freed: 512 bytes into memory that was freed and not reused: allocation #7 (.*)' told
	grep -q '^  freed by    cuMemFree_v2 from addresses.c:[0-9]* make_freed ' told
	grep -qx 'no_rights: 256 bytes into allocation #5 (mapped memory, 2.0 MiB, device 0)' told
	grep -qx '  access      no device may read or write it: .*' told
	grep -qx '  access      no device may write it: .*' told
	grep -qx '  reserved    but nothing is mapped there: allocation #3 (.*' told
	grep -qx 'nowhere: not in or near any known memory' told
	"$culprit" memory "$bundle" --at "${lines[0]#* }" -f json | python3 -S -c '
import json, sys
at = json.load(sys.stdin)
assert (at["relation"], at["distance"], at["allocation"]["size"]) == ("inside", 100, 6000), at
assert at["allocation"]["made"]["stack"] and not at["allocation"]["freed"]'
	culprit memory "$bundle" --at here
	complains 2 "culprit memory: --at 'here': invalid address; use a number such as 0x7f3a00001200, or fault"
}

@test "sums up memory by holder, compares two bundles, and reads a running process" {
	mkdir bundles other
	memory kinds
	first=$bundle
	run "$culprit" memory "$first"
	[[ ${lines[0]} == "on the GPU 4.1 MiB in 7; pinned on the host 60.0 KiB in 3" ]]
	[[ ${lines[1]} == "     4.0 MiB         1  kinds.c:"*" make_virtual_memory  <- "* ]]
	run "$culprit" memory "$first" --by kind --top 1
	[[ ${lines[1]} == "     4.0 MiB         1  mapped memory" && ${lines[2]} == "and 7 more" ]]
	run "$culprit" memory "$first" --by library
	[[ ${#lines[@]} -eq 2 && ${lines[1]} == "     4.1 MiB        10  "*/memory_host ]]
	"$culprit" memory "$first" --by thread -f json | python3 -S -c '
import json, sys
memory = json.load(sys.stdin)
assert memory["device"]["pieces"] == 7 and len(memory["groups"]) == 1, memory'
	LD_LIBRARY_PATH=$build/lib/simcuda "$culprit" run --keep always --dir other -- \
		"$build/bin/tests/memory_host" many +2
	run "$culprit" memory "$first" --by kind --diff other
	[[ ${output} == *"    +4.0 MiB        +1  mapped memory"* ]]
	[[ ${output} == *"    +3.5 KiB        -1  device memory"* ]]

	coproc host { LD_LIBRARY_PATH=$build/lib/simcuda exec "$culprit" run --dir live -- \
		"$build/bin/tests/memory_host" kinds wait; }
	# Bash unsets host_PID when the program exits, which may happen before the wait below.
	host_pid=$host_PID
	read -r -t 300 line <&"${host[0]}"
	# On a busy machine, the bundle is made later than the host prints.
	until [[ -s $(echo live/culprit-memory_host-*/meta.json) ]]; do kill -0 "$host_pid"; done
	pid=$(echo live/culprit-memory_host-*)
	run "$culprit" memory "${pid##*-}" --by kind
	echo >&"${host[1]}"
	wait "$host_pid"
	[[ $line == made && ${lines[0]} == "on the GPU 4.1 MiB in 7; "* ]]
}

@test "--since: the change is what was allocated since then, less what was freed" {
	mkdir bundles
	memory kinds
	"$culprit" dump -F ranges "$bundle" >ranges
	python3 -S - "$culprit" "$bundle" <<-'END'
		import collections, decimal, json, re, subprocess, sys
		culprit, bundle = sys.argv[1:]
		def ns(text):
		    return int(decimal.Decimal(text) * 10**9)
		rows = []
		for line in open("ranges"):
		    if line.startswith("#"):
		        continue
		    freed = re.search(r" freed=(\S+)", line)
		    rows.append((re.search(r"kind='([^']*)'", line)[1], int(re.search(r" size=(\d+)", line)[1]),
		                 ns(re.search(r" made=(\S+)", line)[1]), ns(freed[1]) if freed else None))
		newest = max(max(made, freed or 0) for _, _, made, freed in rows)
		no_room = ("reserved addresses", "physical memory")
		def held(at):
		    held = collections.Counter()
		    for kind, size, made, freed in rows:
		        if kind not in no_room and made <= at and (freed is None or freed > at):
		            held[kind] += size
		    return held
		for _, _, made, freed in rows:
		    for moment in made, freed:
		        if moment is None:
		            continue
		        seconds = decimal.Decimal(newest - moment) / 10**9
		        told = json.loads(subprocess.run([culprit, "memory", bundle, "--by", "kind", "-f", "json",
		            "--since", f"{seconds:.9f}"], check=True, capture_output=True).stdout)
		        now, then = held(newest), held(moment)
		        wanted = {kind: now[kind] - then[kind] for kind in now | then if now[kind] != then[kind]}
		        # Physical memory itself counts only while none of it is mapped.
		        got = {g["name"]: g["bytes"] for g in told["groups"]
		               if g["name"] not in no_room and g["bytes"]}
		        assert got == wanted, (moment, got, wanted)
		        assert told["since"].endswith("Z") and told["before"] is None
	END
	run "$culprit" memory "$bundle" --since 0 --by kind
	[[ ${lines[1]} == "change since 20"*"Z:" && ${#lines[@]} -eq 2 ]]
	# The same moment, given as a time.
	run "$culprit" memory "$bundle" --since "$(sed -n 's/^change since \(.*\):$/\1/p' <<<"$output")" --by kind
	[[ ${lines[1]} == "change since 20"* ]]
	culprit memory "$bundle" --since yesterday
	complains 2 "culprit memory: --since 'yesterday': invalid time; use seconds (30) or a UTC time (2026-11-22T15:09:36Z)"
	culprit memory "$bundle" --since 1 --diff other
	complains 2 "culprit memory: --since cannot be used with --at or --diff"
	culprit memory "$bundle" --leaks --diff other
	complains 2 "culprit memory: --leaks needs all memory of one bundle; it cannot be used with --at, --diff or --since"
	culprit memory "$bundle" --format torch --diff other
	complains 2 "culprit memory: --format torch shows all memory of one bundle; leave out --at, --diff and --since"
}

@test "--since: refuses a time before the oldest free on record" {
	mkdir bundles
	memory many -70000
	culprit memory "$bundle" --since 3600
	((status == 2))
	says "culprit memory: --since: $bundle: frees are on record only since 20*Z"
}

@test "a million live allocations need only their rows and an index; no other table grows" {
	local n plain
	for n in 1000 1000000; do
		rm -rf bundles
		mkdir bundles
		plain=$(LD_LIBRARY_PATH=$build/lib/simcuda "$build/bin/tests/memory_host" many "=$n")
		memory many "=$n"
		((status == 0))
		"$culprit" dump -F ranges "$bundle" | head -1 | grep "^# ranges: $((n + 1)) rows, 0 lost$"
		(cd "$bundle" && stat -c '%n %s' -- * | grep -Ev '^(ranges|meta.json|report|verdict|ring-)') >"tables.$n"
	done
	diff tables.1000 tables.1000000
	# A row has 96 bytes; resident memory is counted in pages.
	echo "$plain; $output"
	local own=${plain//[!0-9]/} all=${output//[!0-9]/}
	((all - own < 200 * 1024))
	run "$culprit" memory "$bundle" --by kind
	[[ ${lines[1]} == *" 1000000  registered host memory" ]]
}

@test "--format torch: every block is in a segment, and every free is completed" {
	mkdir bundles
	memory kinds
	"$culprit" memory "$bundle" -f torch -o snapshot.pickle
	python3 -S - <<-'END'
		import pickle, pickletools
		data = open("snapshot.pickle", "rb").read()
		# The page reads only these opcodes, and integers of up to eight bytes.
		for opcode, value, _ in pickletools.genops(data):
		    assert opcode.name in ("PROTO", "EMPTY_DICT", "EMPTY_LIST", "MARK", "SETITEMS", "APPENDS",
		        "BINUNICODE", "BINPUT", "BINGET", "BININT", "LONG1", "LONG_BINPUT", "LONG_BINGET", "STOP"), opcode.name
		    assert opcode.name != "LONG1" or value < 2**63
		snapshot = pickle.loads(data)
		assert len(snapshot["segments"]) == 6 and len(snapshot["device_traces"]) == 1
		for segment in snapshot["segments"]:
		    block, = segment["blocks"]
		    assert block["address"] == segment["address"] and block["size"] == segment["total_size"]
		    assert all(set(frame) == {"name", "filename", "line"} for frame in block["frames"])
		    assert block["frames"][-1]["name"] == "main", block
		live = {}
		for event in snapshot["device_traces"][0]:
		    key = event["action"].split("_")[0], event["addr"]
		    if event["action"].endswith("alloc"):
		        assert key not in live
		        live[key] = event["size"]
		    elif event["action"] == "segment_free":
		        assert live.pop(key) == event["size"]
		    elif event["action"] == "free_completed":
		        assert live.pop(("alloc", event["addr"])) == event["size"]
		assert {address for what, address in live} == {s["address"] for s in snapshot["segments"]}
	END
}

@test "--format torch: PyTorch's page draws each allocation and event, with the stacks of frees too" {
	draw=$root/tests/html/draw_snapshot
	run "$draw" --find
	((status == 0)) || skip "$output"
	mkdir bundles
	memory kinds
	"$culprit" memory "$bundle" -f torch -o snapshot.pickle
	python3 -S - <<-'END'
		import pickle
		snapshot = pickle.load(open("snapshot.pickle", "rb"))
		frees = [event for event in snapshot["device_traces"][0] if event["action"] == "segment_free"]
		makes = [event for event in snapshot["device_traces"][0] if event["action"] == "segment_alloc"]
		assert all(event["frames"][-1]["name"] == "main" for event in frees + makes)
		lines = [{event["frames"][0]["line"] for event in events} for events in (frees, makes)]
		assert frees and not lines[0] & lines[1], lines
		# The page cannot draw a block that is outside all segments at its time.
		snapshot["device_traces"][0].remove(frees[0])
		pickle.dump(snapshot, open("wrong.pickle", "wb"), protocol=2)
	END
	"$draw" snapshot.pickle
	run ! "$draw" --view "Allocator State History" wrong.pickle
	[[ $output == *"Cannot read properties"* ]]
}

@test "a refused launch is explained once, by the limit it exceeded, and the program continues" {
	export CULPRIT_VERBOSE=1
	local name rule
	while read -r name rule; do
		LD_LIBRARY_PATH=$build/lib/simcuda LD_PRELOAD=$build/lib/libculprit.so \
			"$build/bin/tests/memory_host" refusals "$name" 2>told
		cat told
		(($(wc -l <told) == 1))
		grep -q "^culprit: launch refused ([0-9]*): [a-z]* from memory_host.*: .* \[launch\.$rule\]\$" told
	done <<-'END'
		grid_zero grid_is_zero
		block_zero block_is_zero
		block_dim block_exceeds_device
		block_threads block_threads_exceed_device
		grid_dim grid_exceeds_device
		cluster_divides cluster_does_not_divide_grid
		cluster_size cluster_exceeds_maximum
		registers block_threads_exceed_function
		shared dynamic_shared_exceeds_function
		shared_device dynamic_shared_exceeds_function
		cooperative cooperative_grid_exceeds_device
	END
	# All in one process from one location print one line for each result; if disabled, no line.
	LD_LIBRARY_PATH=$build/lib/simcuda LD_PRELOAD=$build/lib/libculprit.so \
		"$build/bin/tests/memory_host" refusals 2>told
	(($(wc -l <told) == 4))
	LD_LIBRARY_PATH=$build/lib/simcuda LD_PRELOAD=$build/lib/libculprit.so CULPRIT_QUIET=1 \
		"$build/bin/tests/memory_host" refusals 2>told
	[[ ! -s told ]]
}

@test "the report lists refused calls: why, where and how often, as text, JSON and HTML" {
	mkdir bundles
	memory refusals
	((status == 0))
	run "$culprit" report bundles
	tee text <<<"$output"
	grep -Eqx "  refused         launch \(1\): fill from refusals.c:[0-9]+ launch: the grid's x is 0: it must be 1 at least \[launch.grid_is_zero\], the first of 21 there" text
	grep -Eq '^ {18}launch \(720\): fill from refusals.c:[0-9]+ launch: a cooperative grid of 4,225 .* \[launch.cooperative_grid_exceeds_device\], the first of 3 there$' text
	run "$culprit" report -f json bundles
	echo "$output" >report.json
	python3 "$BATS_TEST_DIRNAME/json_schema.py" "$root/docs/report.schema.json" report.json
	python3 -S - <<-'END'
		import json
		report = json.load(open("report.json"))
		assert [(row["what"], row["code"], row["count"]) for row in report["refusals"]] == [
		    ("launch", 1, 21), ("launch", 912, 6), ("launch", 701, 3), ("launch", 720, 3)], report["refusals"]
		crowded = report["refusals"][2]
		assert crowded["call"] == "cuLaunchKernelEx" and crowded["subject"] == "crowded", crowded
		assert crowded["rule"] == "launch.block_threads_exceed_function" and "= 1,024 threads > 640" in crowded["why"]
		assert crowded["stack"][0]["file"].endswith("refusals.c") and crowded["time"].startswith("20"), crowded
	END
	run "$culprit" report -f html bundles
	[[ $output == *'the first of 21 there'* ]]
	# A silent process still records; calls without an explanation are not listed.
	rm -r bundles
	CULPRIT_QUIET=1 memory images cubin
	run "$culprit" report bundles
	[[ $output == *"  refused         image (209): one made at run time, by cuModuleLoadData from images.c:"* ]]
	rm -r bundles
	SIMCUDA_INJECT=cuModuleLoadData:1:209 memory images good
	run "$culprit" report bundles
	[[ $output == *"no call seen by culprit reported a failure"* && $output != *"  refused "* ]]
}

@test "a refused call about host memory is explained by the memory that is or was there" {
	export CULPRIT_VERBOSE=1
	export LD_LIBRARY_PATH=$build/lib/simcuda
	local name rule unified
	while read -r name rule unified; do
		SIMCUDA_UNIFIED=${unified:-1} LD_PRELOAD=$build/lib/libculprit.so \
			"$build/bin/tests/memory_host" host_memory "$name" 2>told
		cat told
		(($(wc -l <told) == 1))
		grep -q "^culprit: host memory refused ([0-9]*): cuMem[a-zA-Z]*_\?v\?2\? of 0x[0-9a-f]* from memory_host.*: .* \[host\.$rule\]\$" told
	done <<-'END'
		flags flags_not_zero
		pageable not_registered
		behind not_registered
		freed freed
		unregistered freed
		device_memory is_device_memory
		again already_pinned
		twice freed
		inside not_its_start
		unregister_pinned is_of_other_kind
		unregister_pageable not_registered
		free_registered is_of_other_kind
		unmapped no_device_map 0
		unmapped_registered no_device_map 0
		context context_without_map 0
	END
	# The report names the memory, and the calls that allocated and freed it.
	LD_PRELOAD=$build/lib/libculprit.so "$build/bin/tests/memory_host" host_memory freed 2>told
	grep -q 'allocation #[0-9]* (pinned host memory, 8.0 KiB, from memory_host+.*) was there, until cuMemFreeHost from memory_host+' told
	LD_PRELOAD=$build/lib/libculprit.so "$build/bin/tests/memory_host" host_memory behind 2>told
	grep -q 'CUDA knows no memory there, 64 bytes after the end of allocation #[0-9]* (pinned host memory, ' told
	# If no reason is proven, none is given: here the memory is mapped and the error is
	# injected.
	SIMCUDA_INJECT=cuMemHostGetDevicePointer_v2:1:1 LD_PRELOAD=$build/lib/libculprit.so \
		"$build/bin/tests/memory_host" host_memory mapped 2>told
	cat told
	[[ ! -s told ]]
}

@test "an image that the driver refuses to load is explained by its contents and the device's needs" {
	export CULPRIT_VERBOSE=1
	export LD_LIBRARY_PATH=$build/lib/simcuda
	local name rule setting
	while read -r name rule setting; do
		env $setting LD_PRELOAD="$build/lib/libculprit.so" \
			"$build/bin/tests/memory_host" images "$name" 2>told
		cat told
		(($(wc -l <told) == 1))
		grep -q "^culprit: image refused ([0-9]*): .*, by cu[A-Za-z]* from memory_host.*: .* \[image\.$rule\]\$" told
		cat told >>all
	done <<-'END'
		older no_binary_for_gpu
		other no_binary_for_gpu
		cubin no_binary_for_gpu
		lazy_other no_binary_for_gpu SIMCUDA_LAZY=1
		lazy_older no_binary_for_gpu SIMCUDA_LAZY=1
		launched no_binary_for_gpu SIMCUDA_LAZY=2
		asked no_binary_for_gpu SIMCUDA_LAZY=2
		file no_binary_for_gpu
		later_ptx no_binary_for_gpu
		wrong_ptx invalid_ptx
		wrong_logged invalid_ptx
		nonsense is_none
		ptx_version ptx_too_new SIMCUDA_DRIVER=12.4
		newest_ptx ptx_too_new SIMCUDA_DRIVER=99.0
		no_compiler no_jit_compiler SIMCUDA_JIT=0
		disabled jit_disabled CUDA_DISABLE_PTX_JIT=1
	END
	grep -q ': that of memory_host, by .*: it holds code for sm_80 and sm_86; the device is sm_90: build it with -gencode arch=compute_90,code=sm_90 (the CUDA runtime may call it 98, invalid device function) \[' all
	grep -q ': that of memory_host, by cuLaunchKernel from .*: it holds code for sm_80 and sm_86; ' all
	grep -q ': it holds code for sm_100a, and PTX for compute_100a; the device is sm_90: ' all
	grep -q ': one made at run time, by .*: it holds code for sm_80; ' all
	grep -q ': one made at run time, by cuLibraryGetKernel from .*: it holds code for sm_100a, ' all
	grep -q ': that of memory_host, by cuLibraryGetKernel from .*: it holds code for sm_80 and sm_86; ' all
	grep -q ': that of older.fatbin, by cuModuleLoad from ' all
	grep -q ': one made at run time, by .*: it holds PTX for compute_100; ' all
	grep -q ': its PTX, of version 8.0, does not assemble; CU_JIT_ERROR_LOG_BUFFER, or ptxas -arch=sm_90, tells where \[' all
	grep -q ': its PTX, of version 8.0, does not assemble: ptxas application ptx input, line 3; fatal   : Parsing error \[' all
	grep -q ': its PTX is of version 9.0, and the driver, of CUDA 12.4, reads up to 8.4: update the driver, ' all
	grep -q ': its PTX is of version 99.0, and the driver, of CUDA 99.0, reads older ones: update the driver, ' all
	grep -q ', and compiling PTX is switched off (CUDA_DISABLE_PTX_JIT=1): ' all
	# An image that should have loaded gets no reason.
	SIMCUDA_INJECT=cuModuleLoadData:1:209 LD_PRELOAD=$build/lib/libculprit.so \
		"$build/bin/tests/memory_host" images good 2>told
	cat told
	[[ ! -s told ]]
}

@test "images made by nvcc are read correctly" {
	export CULPRIT_VERBOSE=1
	nvcc=$(sed -n 's/^CULPRIT_NVCC:.*=//p; s/^NVCC:.*=//p' "$build/CMakeCache.txt" | head -1)
	[[ -x $nvcc ]] || skip "no nvcc in this build"
	echo 'extern "C" __global__ void fill(int *data) { *data = 1; }' >fill.cu
	"$nvcc" -fatbin -gencode arch=compute_80,code=sm_80 -gencode arch=compute_100a,code=sm_100a \
		-gencode arch=compute_100f,code=compute_100f fill.cu -o fill.fatbin ||
		skip "an nvcc that does not know these"
	"$nvcc" -cubin -arch=sm_86 fill.cu -o fill.cubin
	"$nvcc" -ptx -arch=compute_110 fill.cu -o fill.ptx
	for image in fill.fatbin fill.cubin fill.ptx; do
		LD_LIBRARY_PATH=$build/lib/simcuda LD_PRELOAD=$build/lib/libculprit.so \
			"$build/bin/tests/memory_host" load $image 2>>told
	done
	cat told
	(($(wc -l <told) == 6))
	grep -q '(209): that of fill.fatbin, by cuModuleLoad from .*: it holds code for sm_80 and sm_100a, and PTX for compute_100f; the device is sm_90: ' told
	grep -q '(209): that of fill.cubin, by cuLibraryLoadFromFile from .*: it holds code for sm_86; ' told
	grep -q '(218): that of fill.ptx, by cuModuleLoad from .*: it holds PTX for compute_110; ' told
}

@test "out of memory is reported at the end with its holders, unless the program recovered from it" {
	export CULPRIT_VERBOSE=1
	export LD_LIBRARY_PATH=$build/lib/simcuda SIMCUDA_MEMORY_MB=64
	LD_PRELOAD=$build/lib/libculprit.so "$build/bin/tests/memory_host" exhaustion 2>told
	cat told
	grep -q '^culprit: out of memory: cuMemAlloc_v2 of 32.0 MiB from .* \[pid [0-9]*\]$' told
	grep -qx '  device 0        64.0 MiB in all, 14.0 MiB free then; this process holds 50.0 MiB in 6 allocations' told
	grep -q '^  held by         40.0 MiB in 1 allocation from memory_host+' told
	grep -qx '  would fit       14.0 MiB at most, in one piece' told
	grep -q '^  fragmentation   [0-9]* % of the [0-9.]* MiB of pages that its allocations keep is not allocated$' told
	[[ $(tail -n 1 told) == '  help            culprit explain memory.exhausted' ]]
	(($(wc -l <told) == 8))
	for ending in retried less; do
		LD_PRELOAD=$build/lib/libculprit.so "$build/bin/tests/memory_host" exhaustion $ending 2>told
		[[ ! -s told ]]
	done
}

@test "a verdict explains each pointer to memory that is not accessible" {
	local name what
	# An emulator's table of mappings has no such name.
	grep -qF '[heap]' <(cat /proc/self/maps) && heap=' \(\[heap\]\)' || heap=
	while read -r name what; do
		rm -rf bundles
		LD_LIBRARY_PATH=$build/lib/simcuda culprit run --dir bundles -- \
			"$build/bin/tests/memory_host" address "$name"
		((status == 1))
		echo "$name: $stderr"
		grep -Eq "^ +1: 0x[0-9a-f]* = $what\$" <<<"$stderr"
	done <<-END
		after 1000 bytes past the end of allocation #2 \(6000 bytes, from addresses.c:[0-9]+ give_address\)
		freed allocation #7 \+ 512 \(6000 bytes, from addresses.c:[0-9]+ make_freed; freed after .* make_freed\)
		no_rights allocation #5 \+ 256 \(2048 KiB of mapped memory, .*; no device has the right to read or write it\)
		read_only allocation #6 \+ 256 \(2048 KiB of mapped memory, .*; no device has the right to write it\)
		unmapped where nothing is mapped, in allocation #3 \+ 4194560 \(6144 KiB of reserved addresses, .*\)
		pageable the program's own memory$heap, not registered: device 0 cannot access it
		stack the program's own memory \(\[stack\]\), not registered: device 0 cannot access it
	END
	# A device that can access the memory does not fail.
	for way in 1 2; do
		rm -rf bundles
		LD_LIBRARY_PATH=$build/lib/simcuda SIMCUDA_PAGEABLE=$way culprit run --dir bundles \
			--keep always -- "$build/bin/tests/memory_host" address pageable
		((status == 0))
		"$culprit" dump bundles/* >dumped
		[[ $(<dumped) != *" lacks=host-memory"* ]]
	done
	grep -q ' tables=host' dumped
}

@test "a verdict on a copy names the memory it reads and writes, and the call that freed it meanwhile" {
	LD_LIBRARY_PATH=$build/lib/simcuda culprit run --dir bundles -- \
		"$build/bin/tests/memory_host" unmap
	echo "$stderr"
	((status == 1))
	grep -Eq '^  arguments +from 0x[0-9a-f]* = allocation #[0-9]+ \+ 0 \(2048 KiB of mapped memory, from addresses.c:[0-9]+ make_virtual; freed while in flight, after submission #[0-9]+, from addresses.c:[0-9]+ unmap_under_copy\)$' <<<"$stderr"
	grep -Eq '^ +to 0x[0-9a-f]* = allocation #[0-9]+ \+ 0 \(6000 bytes, from addresses.c:[0-9]+ unmap_under_copy\)$' <<<"$stderr"
}

# Print what the report says of the failing kernel's pointer, and of anything unusual.
ordered() {
	LD_LIBRARY_PATH=$build/lib/simcuda culprit run --dir "$1" -- "$build/bin/tests/memory_host" order "$1"
	((status == 1))
	grep -E '^ +(arguments|unusual|[0-9]:)' <<<"$stderr" >told
	cat told
}

@test "stream-ordered memory that is freed after a launch is not called freed" {
	for order in same event chain; do
		echo "$order:"
		ordered "$order"
		grep -Eq '^ +1: 0x[0-9a-f]* = allocation #[0-9]+ .*\(5000 bytes of stream-ordered memory, from orders.c:[0-9]+ free_in_order\)$' told
		! grep -q freed told
		run -0 "$culprit" report --format json "$order"/culprit-*
		[[ $output != *freed_in_flight* ]]
	done
}

@test "stream-ordered memory that is freed before a launch, or beside it, is reported so" {
	ordered early
	grep -Eq '^ +1: .*; freed after submission #[0-9]+, from orders.c:[0-9]+ free_too_early\)$' told
	grep -Eq '^ +unusual .* points into freed memory$' told
	ordered other
	grep -Eq '^ +1: .*; freed while in flight, after submission #[0-9]+, from orders.c:[0-9]+ free_without_event\)$' told
	run -0 "$culprit" report --format json other/culprit-*
	[[ $output == *'"freed_in_flight"'* ]]
}

@test "--leaks: lists memory that was never freed, except what its context's destruction freed" {
	mkdir bundles
	memory kinds
	run -0 "$culprit" memory --leaks "$bundle" --top 1
	[[ ${lines[0]} == "never freed: on the GPU 4.1 MiB in 7; pinned on the host 60.0 KiB in 3" ]]
	run -77 "$culprit" memory --leaks --fail-code 77 "$bundle"
	rm -r bundles
	memory kinds destroy
	run -77 "$culprit" memory --leaks --fail-code 77 "$bundle" --by kind
	[[ ${lines[1]} == "     4.0 MiB         1  mapped memory" && ${#lines[@]} -eq 2 ]] # of no context
	rm -r bundles
	LD_LIBRARY_PATH=$build/lib/simcuda culprit run --dir bundles -- \
		"$build/bin/tests/memory_host" address freed
	culprit memory --leaks bundles
	[[ $status -eq 2 && $stderr == *": the GPU failed, and frees after a failure are not recorded" ]]
}

@test "the report names the launches that used the suspect's memory before it" {
	LD_LIBRARY_PATH=$build/lib/simcuda culprit run --dir bundles --markers inline -- \
		"$build/bin/demo" "$build/lib/simcuda-kernels/training.so"
	echo "$stderr"
	# The wrong indices came with that copy.
	grep -Eq '^ +1: #3 cuMemcpyHtoD_v2 from demo.c:[0-9]+ prepare_batches$' <<<"$stderr"
	grep -Eq '^  used before by  0: #76 decay from demo.c:[0-9]+ decay_table$' <<<"$stderr"
	"$culprit" report --format json bundles | grep -q '"producers"'
}

# odd WHAT: run the host in this unusual state.
odd() {
	CULPRIT_VERBOSE=1 LD_LIBRARY_PATH=$build/lib/simcuda SIMCUDA_MEMORY_MB=64 LD_PRELOAD=$build/lib/libculprit.so \
		"$build/bin/tests/memory_host" odd "$1" 2>told
}

@test "explaining a refused call is not a cancellation point" {
	odd cancelled
	(($(wc -l <told) == 1))
}

@test "a thread with the smallest stack gets a launch and memory refused, and exits" {
	odd little_stack
	(($(wc -l <told) == 1))
	odd exhausted
	grep -q '^culprit: out of memory: cuMemAlloc_v2 of 80.0 MiB from ' told
}

@test "without a context the driver is not asked for free memory" {
	CUDA_LOG_FILE=$PWD/log odd no_context
	cat told log
	grep -q '^culprit: out of memory: cuMemCreate of 1.0 TiB from ' told
	(($(wc -l <log) == 1))
}

@test "memory that the driver refused to free is still listed" {
	mkdir bundles
	memory odd capture
	((status == 0))
	"$culprit" dump -F ranges "$bundle" | grep ' size=12345 .* state=live '
	run "$culprit" memory --leaks bundles
	[[ $output == *"    12.1 KiB         1  odd_hosts.c:"*" free_in_capture  <- "* ]]
}

@test "a refused launch from a function with a very long name is still explained" {
	need_preload python3
	export CULPRIT_VERBOSE=1
	cat >long.py <<-'END'
		import ctypes, sys
		cuda = ctypes.CDLL("libcuda.so.1")
		context, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
		cuda.cuInit(0)
		cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
		cuda.cuCtxSetCurrent(context)
		assert not cuda.cuModuleLoad(ctypes.byref(module), sys.argv[1].encode())
		assert not cuda.cuModuleGetFunction(ctypes.byref(function), module, b"fill")
		name = "step" * 1000
		exec(f"def {name}(): assert cuda.cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, None, None, None) == 1")
		globals()[name]()
	END
	LD_LIBRARY_PATH=$build/lib/simcuda LD_PRELOAD=$build/lib/libculprit.so \
		python3 long.py "$build/lib/simcuda-kernels/fill.so" 2>told
	cat told
	(($(wc -l <told) == 1))
	grep -q '^culprit: launch refused (1): fill from .*stepstep.*: the grid.s x is 0: .* \[launch.grid_is_zero\]$' told
}

@test "a preloaded sanitizer lists refused calls itself, so the driver is not asked for limits" {
	use_tools cc
	export CULPRIT_VERBOSE=1
	cc -shared -fPIC -Wl,-soname,libsanitizer-collection.so -x c -o libtool.so - <<<''
	LD_LIBRARY_PATH=$build/lib/simcuda LD_PRELOAD=$build/lib/libculprit.so:$PWD/libtool.so \
		"$build/bin/tests/memory_host" refusals grid_zero 2>told
	cat told
	[[ ! -s told ]]
}
