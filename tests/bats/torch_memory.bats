#!/usr/bin/env bats
# culprit_cuda.torch_memory: PyTorch's record of its memory joined with a verdict, with a stand-in for PyTorch on
# the simulated driver. On a GPU: tests/gpu/memory/torch_history.py, by scripts/gpu memory.

load cli

# A torch whose allocator has one segment, of the driver's memory: blocks of 0x1000 at 0, 0x1000 and
# 0x2000, the last of which was freed.
write_torch() {
	mkdir torch
	cat >torch/__init__.py <<-'END'
		from torch import cuda
	END
	mkdir torch/cuda
	echo 'from torch.cuda import memory' >torch/cuda/__init__.py
	cat >torch/cuda/memory.py <<-'END'
		import ctypes, sys

		DRIVER = ctypes.CDLL("libcuda.so.1")
		BASE = ctypes.c_uint64()
		history = []

		def frames(line, name):
		    return [{"filename": "/x/torch/functional.py", "line": 1, "name": "empty"},
		            {"filename": "??", "line": 0, "name": "at::empty"},
		            {"filename": "train.py", "line": line, "name": name}]

		def allocate():
		    context = ctypes.c_void_p()
		    assert DRIVER.cuInit(0) == 0
		    assert DRIVER.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
		    assert DRIVER.cuCtxSetCurrent(context) == 0
		    assert DRIVER.cuMemAlloc_v2(ctypes.byref(BASE), ctypes.c_size_t(1 << 21)) == 0
		    return BASE.value

		def _snapshot():
		    def block(at, state, line):
		        return {"address": BASE.value + at, "size": 0x1000, "requested_size": 4000, "state": state,
		                "frames": frames(line, "make") if state != "inactive" else []}
		    def event(action, line):
		        return {"action": action, "addr": BASE.value + 0x2000, "stream": 0,
		                "size": 0x2000 if sys.argv[2] == "gone" else 0x1000,
		                "frames": frames(line, "step")}
		    trace = [event("alloc", 30), event("free_requested", 31), event("free_completed", 31)]
		    if sys.argv[2] == "gone":
		        return {"segments": [], "device_traces": [trace]}
		    return {"segments": [{"address": BASE.value, "total_size": 1 << 21, "blocks": [
		        block(0, "active_allocated", 10), block(0x1000, "active_allocated", 20),
		        block(0x2000, "inactive", 0)]}], "device_traces": [trace if history else []]}
	END
	cat >host.py <<-'END'
		import ctypes, sys, threading
		import torch
		from culprit_cuda import torch_memory

		def fail(offset):
		    driver = torch.cuda.memory.DRIVER
		    module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
		    assert driver.cuModuleLoad(ctypes.byref(module), sys.argv[1].encode()) == 0
		    assert driver.cuModuleGetFunction(ctypes.byref(kernel), module, b"stray_store") == 0
		    pointer = torch.cuda.memory.BASE.value + offset
		    index = 1 << 43
		    if sys.argv[2] == "gone":
		        other = ctypes.c_uint64()
		        assert driver.cuMemAlloc_v2(ctypes.byref(other), ctypes.c_size_t(4096)) == 0
		        assert driver.cuMemFree_v2(torch.cuda.memory.BASE) == 0
		        index = (pointer - other.value) % (1 << 64) // 4
		        pointer = other.value
		    values = [ctypes.c_uint(1), ctypes.c_uint64(pointer), ctypes.c_uint64(index)]
		    parameters = (ctypes.c_void_p * 3)(*(ctypes.addressof(value) for value in values))
		    assert driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, parameters, None) == 0
		    if driver.cuCtxSynchronize():
		        raise RuntimeError("an illegal memory access was encountered")

		if sys.argv[2] != "off":
		    torch_memory.keep()
		if sys.argv[2] in ("history", "gone"):
		    torch.cuda.memory.history.append(1)
		torch.cuda.memory.allocate()
		if sys.argv[2] == "sound":
		    raise ValueError("nothing to do with the GPU")
		fail(int(sys.argv[3], 0))
	END
}

host() {
	need_preload python3
	local library=$build/lib/libculprit.so
	rm -rf bundles && mkdir bundles
	[[ $1 != without ]] || library=
	[[ $1 != gone ]] || library+=" $build/lib/libsimkernel.so"
	run --separate-stderr env LD_LIBRARY_PATH="$build/lib/simcuda" LD_PRELOAD="$library" CULPRIT_DIR="$PWD/bundles" \
		PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD:$root/python" PATH="$build/bin:$PATH" \
		python3 host.py "$build/lib/simcuda-kernels/stray_store.so" "$@"
	echo "$stderr"
	((status == 1))
}

@test "the tensor's block and who allocated it follow the traceback" {
	write_torch
	host history 0x1010
	[[ $stderr == *"RuntimeError: an illegal memory access was encountered"*"culprit: PyTorch's memory, as it is by now:"* ]]
	grep -Eq '^  #[0-9]+ stray_store, argument 1: 0x[0-9a-f]+ is 16 bytes into a block of 4.0 KiB \(active_allocated\) of the segment of 2.0 MiB at 0x[0-9a-f]+$' <<<"$stderr"
	grep -qx '    allocated   train.py:20 make' <<<"$stderr"
	[[ $stderr != *freed* ]]
}

@test "a freed block shows who freed it and who had it; a missing history is mentioned" {
	write_torch
	host history 0x2000
	grep -q ' is 0 bytes into a block of 4.0 KiB (inactive) of ' <<<"$stderr"
	grep -qx '    freed       train.py:31 step' <<<"$stderr"
	grep -qx '    allocated   train.py:30 step' <<<"$stderr"
	host none 0x2000
	grep -q '^    allocated   where is not known: was torch.cuda.memory._record_memory_history() on?$' <<<"$stderr"
}

@test "nothing is said without a failure, without culprit, of other memory, and unasked" {
	write_torch
	host sound
	[[ $stderr != *culprit* ]]
	host without 0x1000
	[[ $stderr != *"culprit: "* ]]
	host history 0x3000
	[[ $stderr == *"700"* && $stderr != *"PyTorch's memory"* ]]
	host off 0x1000
	[[ $stderr == *"700"* && $stderr != *"PyTorch's memory"* ]]
}

@test "what cannot be read is said in a line, and the exception is the program's own" {
	write_torch
	echo 'def _snapshot(): raise RuntimeError("no allocator")' >>torch/cuda/memory.py
	host history 0x1000
	grep -qx "culprit: PyTorch's memory could not be read: RuntimeError('no allocator')" <<<"$stderr"
	[[ $stderr == *"RuntimeError: an illegal memory access was encountered"* ]]
}

@test "the line of the fault has the block that was freed, and who freed it" {
	write_torch
	host gone 0x2000
	culprit report -v bundles/*
	grep -A 1 '^  fault .*, 8 KiB into freed allocation ' <<<"$output" |
		grep -qx " *PyTorch's block of 8.0 KiB + 0, no more when it was asked, freed at train.py:31 step, allocated at train.py:30 step"
	culprit memory --at fault bundles/*
	grep -q '^  block  *PyTorch.s block of 8.0 KiB + 0, no more ' <<<"$output"
}

@test "the report, JSON, HTML and memory --at have the block, and who allocated and freed it" {
	local bundle address
	write_torch
	host history 0x1010
	bundle=$(echo bundles/*)
	[[ $(stat -c '%a %F' "$bundle/torch-blocks.json") == "600 regular file" ]]
	[[ -z $(compgen -G "$bundle/.torch-blocks*") ]]
	culprit report "$bundle"
	grep -qx ' \+1: PyTorch.s block of 4.0 KiB + 16, in use when it was asked, allocated at train.py:20 make' <<<"$output"
	culprit report --format html --output page.html "$bundle"
	grep -q 'block of 4.0 KiB + 16' page.html
	"$culprit" report --output text.txt "$bundle"
	"$root/tests/html/check_page.py" page.html text.txt
	culprit report --format json "$bundle"
	address=$(python3 -S -c '
import json, sys
none, argument, other = json.load(sys.stdin)["suspects"][0]["arguments"]
block = argument["block"]
assert none["block"] is other["block"] is None
start = int(argument["allocation"]["start"], 16)
assert (int(block["start"], 16), block["offset"], block["size"], block["state"]) == (start + 0x1000, 16, 4096, "in_use")
assert block["allocated"] == [{"file": "train.py", "line": 20, "function": "make"}] and block["freed"] == []
print(hex(start))' <<<"$output")
	culprit memory --at "$((address + 0x1fff))" "$bundle"
	grep -qx '  block       PyTorch.s block of 4.0 KiB + 4095, in use .*, allocated at train.py:20 make' <<<"$output"
	culprit memory --at "$((address + 0x2000))" "$bundle"
	[[ $output != *block* ]]
	culprit memory --at "$((address + 0x1000))" --format json "$bundle"
	[[ $output == *'"block": {'*'"train.py"'* ]]

	host history 0x2000
	culprit report bundles/*
	grep -qx ' \+1: PyTorch.s block of 4.0 KiB + 0, free when it was asked, freed at train.py:31 step, allocated at train.py:30 step' <<<"$output"
	host none 0x2000
	culprit report bundles/*
	[[ $output == *"block of 4.0 KiB + 0, free when it was asked; torch.cuda.memory._record_memory_history() tells who allocated it"* ]]
	host history 0x3000
	[[ ! -e $(echo bundles/*)/torch-blocks.json ]]
}

@test "a program that catches the failure gets its bundle completed at exit, and prints nothing more" {
	write_torch
	sed -i 's/^fail(int.*/try:\n    &\nexcept RuntimeError:\n    sys.exit(1)/' host.py
	host history 0x1010
	[[ $stderr != *"PyTorch's memory"* && -e $(echo bundles/*)/torch-blocks.json ]]
	culprit report bundles/*
	[[ $output == *"allocated at train.py:20 make"* ]]
}

# blocks BLOCK: the report on the sample bundle, whose first argument is 0x700000000040, with that file.
blocks() {
	rm -rf failed
	"$make_bundle" failed failed
	printf '{"blocks": [%s]}' "$1" >failed/torch-blocks.json
	culprit report failed
}

@test "blocks that contradict themselves are left out; words cannot drive a terminal" {
	local frame='{"file": "/home/user/a\u001b[31m.py", "line": 3, "function": "f\u202e"}' state='"state": "in_use"' bad
	blocks "{\"start\": \"0x700000000000\", \"size\": 512, $state, \"allocated\": [$frame]}"
	((status == 0))
	[[ $output == *"  0: PyTorch's block of 512 B + 64, in use when it was asked, allocated at "*"a?[31m.py:3 f?"* ]]
	[[ $output != *$'\e'* ]]
	for bad in '"start": "0x700000000000", "size": 0' '"start": "0x700000000000", "size": -5' \
		'"start": "0x700000000000", "size": 9223372036854775807' '"start": "0x0", "size": 512' \
		'"start": 123145302310912, "size": 512' '"start": "0x700000000000", "size": "512"' \
		'"start": "0x6ffffffffff0", "size": 512' '"start": "0x700000000000", "size": 17000' \
		'"start": "0x00000700000000000", "size": 512' '"start": "-0x7", "size": 512'; do
		blocks "{$bad, $state}"
		((status == 0))
		[[ $output != *"PyTorch's block"* && -z $stderr ]] || { echo "$bad" && false; }
	done
	for bad in '{"start": "0x700000000000", "size": 512, "state": "burnt"}' '7' 'null' '[]' \
		'{"start": "0x700000000000", "size": 512}'; do
		blocks "$bad"
		[[ $status -eq 0 && $output != *"PyTorch's block"* ]]
	done
	blocks "{\"start\": \"0x700000000000\", \"size\": 512, $state, \"allocated\": [7, [], {\"file\": 8, \"line\": -1}]}"
	[[ $status -eq 0 && $output == *"PyTorch's block of 512 B"* ]]
}

@test "a file that is invalid, too large, or of something else is reported, and the rest of the report stays" {
	local what
	for what in link pipe large text list; do
		rm -rf failed
		"$make_bundle" failed failed
		case $what in
		link) ln -s /etc/passwd failed/torch-blocks.json ;;
		pipe) mkfifo failed/torch-blocks.json ;;
		large) truncate -s 2M failed/torch-blocks.json ;;
		text) echo "no JSON" >failed/torch-blocks.json ;;
		list) echo '[{"blocks": 7}]' >failed/torch-blocks.json ;;
		esac
		culprit report failed
		((status == 4))
		[[ $stderr == *"failed/torch-blocks.json: "* && $output == *"exact: launch #7"* && $output != *root:* ]] ||
			{ echo "$what: $stderr" && false; }
	done
}

@test "a report without names has none of the blocks' files either" {
	"$make_bundle" failed failed
	echo '{"blocks": [{"start": "0x700000000000", "size": 512, "state": "in_use", "allocated":
		[{"file": "/home/alice/secret.py", "line": 3, "function": "main"}]}]}' >failed/torch-blocks.json
	culprit report failed
	[[ $output == *alice* || $output == *secret.py:3* ]]
	culprit report --redact --format json failed
	[[ $output == *"/home/xxxxx/secret.py"* && $output != *alice* ]]
	culprit pack --output failed.tar.gz failed
	[[ $(tar -xzOf failed.tar.gz) != *alice* ]]
	culprit pack --keep-secrets --output whole.tar.gz failed
	tar -tzf whole.tar.gz | grep -q torch-blocks.json
}
