#!/usr/bin/env bats
# `culprit report` and `culprit dump` on a bundle of a Python program: whose lines are shown, and
# what a file of torch.compile's making says about its own.

load cli

# The file that the sample was launched from: named by its hash, as torch.compile does.
generated() {
	mkdir -p ab
	generated=$PWD/ab/cab234567abcdefghijklmnopqrstuvwxyz234567abc.py
	cat >"$generated" <<-'PY'
		def call(args):
		    # Topologically Sorted Source Nodes: [linear, relu], Original ATen: [aten.addmm]
		    stream0 = get_raw_stream(0)
		    triton_poi_fused_relu_0.run(buf0)
	PY
}

# has LINE: the output has this line.
has() {
	grep -qxF -- "$1" <<<"$output" || { echo "no line '$1' in:" && echo "$output" && return 1; }
}

@test "report: the user's Python lines first, then what lies below them" {
	generated
	"$make_bundle" python py "$generated"
	culprit report py
	[[ $status -eq 0 && -z $stderr ]]
	has "culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — exact: launch #7, math::scatter<float> at train.py:14 [pid 1234]"
	has "  launched from   train.py:14 Net.buggy  <- 12 frames of torch  <- train.py:18 Net.train_step  <- train.py:22 <module>"
	has "  through         ${generated##*/}:4 call  <- torch/nn/module.py:1775 Module._call_impl"
	has "  generated code  $generated:4"
	has "                  Topologically Sorted Source Nodes: [linear, relu], Original ATen: [aten.addmm]"
	has "  native          train+0x33  <- train+0x22"
	[[ $output == *"  seen by         cuCtxSynchronize from train.py:14 Net.buggy, 5 submissions"* ]]
	[[ $output == *"allocation #1 + 64 (16 KiB, from train.py:14 Net.buggy)"* ]]
	[[ $output == *"from train.py:14 Net.buggy; freed after submission #3, from train.py:14 Net.buggy)"* ]]
}

@test "report: a generated file that is missing, or not a file, is ignored silently" {
	generated
	"$make_bundle" python py "$generated"
	rm "$generated"
	mkfifo "$generated"
	run --separate-stderr timeout 300 "$culprit" report py
	[[ $status -eq 0 && -z $stderr && $output != *"Source Nodes"* ]]
	has "  generated code  $generated:4"
	rm "$generated"
	culprit report py
	[[ $status -eq 0 && -z $stderr && $output != *"Source Nodes"* ]]
	# No other file is read, whatever a bundle says.
	echo "# Source Nodes: [secret]" >secret.py
	"$make_bundle" python py "$PWD/secret.py"
	culprit report py
	[[ $output != *secret\]* && $output != *"generated code"* ]]
}

@test "report: JSON has every Python frame, whole and with its origin" {
	generated
	"$make_bundle" python py "$generated"
	culprit report --format json py
	[[ $status -eq 0 ]]
	python3 -S -c '
import json, sys
report = json.load(sys.stdin)
suspect = report["suspects"][0]
frames = suspect["python_stack"]
assert len(frames) == 18
assert [frame["origin"] for frame in frames] == (
    ["generated", "library", "user"] + ["library"] * 12 + ["user", "user", "library"])
assert frames[0]["file"] == sys.argv[1] and frames[0]["line"] == 4
assert frames[0]["notes"] == [
    "Topologically Sorted Source Nodes: [linear, relu], Original ATen: [aten.addmm]"]
assert frames[1]["package"] == "torch" and frames[2]["package"] is None
assert frames[2] == {"function": "Net.buggy", "file": "/home/user/project/train.py", "line": 14,
                     "first_line": 10, "origin": "user", "package": None, "notes": [],
                     "problem": None}
assert [frame["module"] for frame in suspect["stack"]][1:3] == ["/home/user/train"] * 2
assert suspect["stack"][0]["plumbing"] and not suspect["stack"][0]["interpreter"]
assert "build_id" in suspect["stack"][0]
assert report["observer"]["python_stack"] == frames
allocation = suspect["arguments"][1]["allocation"]
assert allocation["python_stack"] == frames == allocation["freed_python_stack"]
assert suspect["arguments"][0]["allocation"]["freed_python_stack"] is None
' "$generated" <<<"$output"
	"$make_bundle" failed failed
	culprit report --format json failed
	python3 -S -c '
import json, sys
assert json.load(sys.stdin)["suspects"][0]["python_stack"] == []
' <<<"$output"
}

@test "dump: Python's tables" {
	"$make_bundle" python py /tmp/torchinductor_me/ab/cab.py
	culprit dump py
	[[ $status -eq 0 && -z $stderr ]]
	grep -qE '^stack [0-9]+: native=[0-9]+ python=18$' <<<"$output"
	has 'python-frame 3: parent=2 code=3 position=12 line=18'
	grep -qE '^python-code 3: name="Net.train_step" file="/home/user/project/train.py" line=14 python=3\.9 lines=[0-9]+\+2$' <<<"$output"
	culprit dump --file python-frames py
	[[ $(grep -vc '^#' <<<"$output") -eq 18 ]]
}

@test "hostile Python rows neither crash nor hang any command" {
	generated
	"$make_bundle" python seed "$generated"
	python3 -S - "$culprit" <<-'PY'
		import os, random, shutil, subprocess, sys
		for seed in range(40):
		    random.seed(seed)
		    shutil.rmtree("hostile", ignore_errors=True)
		    shutil.copytree("seed", "hostile")
		    for name in ("python-frames", "python-codes", "python-lines", "stacks"):
		        data = bytearray(open("seed/" + name, "rb").read())
		        for _ in range(random.choice([0, 1, 4, 32])):
		            data[random.randrange(64, len(data))] = random.choice([0, 1, 0x7f, 0xff, random.randrange(256)])
		        open("hostile/" + name, "wb").write(data[:random.choice([len(data), len(data) - 4, len(data)])])
		    for command in (["report"], ["report", "--format", "json"], ["dump"]):
		        done = subprocess.run([sys.argv[1], *command, "hostile"], timeout=300,
		                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
		        assert done.returncode in (0, 1, 3, 4), (seed, command, done)
		        assert b"\x1b" not in done.stdout + done.stderr, (seed, command)
	PY
}

# A program that launches through a package of frames, in a directory of its own.
python_project() {
	need_preload python3
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	mkdir -p project/models venv/lib/python3.11/site-packages/frames
	cat >venv/lib/python3.11/site-packages/frames/cuda.py <<-'PY'
		import ctypes

		cuda = ctypes.CDLL("libcuda.so.1")


		def check(result):
		    if result:
		        text = ctypes.c_char_p()
		        cuda.cuGetErrorString(result, ctypes.byref(text))
		        raise RuntimeError(text.value.decode())


		class Kernel:
		    def __init__(self, path, name):
		        self.function, module, context = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
		        check(cuda.cuInit(0))
		        check(cuda.cuCtxCreate_v2(ctypes.byref(context), 0, 0))
		        check(cuda.cuModuleLoad(ctypes.byref(module), path.encode()))
		        check(cuda.cuModuleGetFunction(ctypes.byref(self.function), module, name.encode()))

		    def __call__(self, *values):
		        arguments = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
		        check(cuda.cuLaunchKernel(
		            self.function, 1, 1, 1, 32, 1, 1, 0, None, arguments, None))


		def allocate(size):
		    pointer = ctypes.c_uint64()
		    check(cuda.cuMemAlloc_v2(ctypes.byref(pointer), size))
		    return pointer


		def wrapped(function, *arguments):
		    return function(*arguments)


		def synchronize():
		    check(cuda.cuCtxSynchronize())
	PY
	cat >project/models/net.py <<-'PY'
		import ctypes

		from frames.cuda import Kernel, allocate, wrapped


		class Net:
		    def __init__(self, path):
		        self.kernel = Kernel(path, "stray_store")
		        self.data = allocate(4096)

		    def forward(self, index):
		        wrapped(
		            self.kernel, ctypes.c_uint(7), self.data, ctypes.c_uint64(index))
	PY
	cat >project/train.py <<-'PY'
		import sys

		from frames.cuda import synchronize, wrapped
		from models.net import Net


		def train(net):
		    for step in range(8):
		        wrapped(wrapped, net.forward, 1 << 40 if step == 5 else 3)
		    synchronize()


		train(Net(sys.argv[1]))
	PY
	export PYTHONPATH=$PWD/venv/lib/python3.11/site-packages PYTHONDONTWRITEBYTECODE=1
	cd project
	LD_LIBRARY_PATH=$simcuda run --separate-stderr "$@" python3 train.py \
		"$build/lib/simcuda-kernels/stray_store.so"
	[[ $status -eq 1 ]]
}

@test "a Python program's own report, and its exception, name the user's line" {
	python_project env LD_PRELOAD="$build/lib/libculprit.so" CULPRIT_ANNOTATE=on \
		CULPRIT_MARKERS=inline
	headline='culprit: CUDA_ERROR_ILLEGAL_ADDRESS \(700\) — exact: launch #6, stray_store at models/net\.py:12 \[pid [0-9]+\]'
	# From the library as it happened; the program's traceback has the name.
	[[ $(grep -cxE "$headline" <<<"$stderr") -eq 1 ]]
	grep -qxF 'RuntimeError: an illegal memory access was encountered (culprit: stray_store, exact)' <<<"$stderr"
	grep -qxF '  launched from   models/net.py:12 Net.forward  <- 2 frames of frames  <- train.py:9 train  <- train.py:13 <module>' <<<"$stderr"
	grep -qxF '  through         frames/cuda.py:23 Kernel.__call__  <- frames/cuda.py:34 wrapped' <<<"$stderr"
	grep -qF '(4 KiB, from models/net.py:9 Net.__init__)' <<<"$stderr"
	grep -qF '  seen by         cuCtxSynchronize from train.py:10 train, 2 submissions' <<<"$stderr"
	! grep -qE '^  (native|generated)' <<<"$stderr"
}

@test "culprit run on a Python program says the same, with native frames where they say something" {
	python_project "$culprit" run --markers inline --
	grep -qxF '  launched from   models/net.py:12 Net.forward  <- 2 frames of frames  <- train.py:9 train  <- train.py:13 <module>' <<<"$stderr"
	culprit report --format json culprit-python3*
	python3 -S -c '
import json, os, sys
report = json.load(sys.stdin)
assert report["process"]["directory"] == os.getcwd()
frames = report["suspects"][0]["python_stack"]
assert [(frame["function"].split(".")[-1], frame["line"], frame["origin"]) for frame in frames] == [
    ("__call__", 23, "library"), ("wrapped", 34, "library"), ("forward", 12, "user"),
    ("wrapped", 34, "library"), ("wrapped", 34, "library"), ("train", 9, "user"),
    ("<module>", 13, "user")], frames
assert all(frame["file"].startswith("/") for frame in frames)
' <<<"$output"
}
