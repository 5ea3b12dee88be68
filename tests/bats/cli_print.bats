#!/usr/bin/env bats
# `culprit run --print`: a line for each launch.

load cli

# print OPTION... COMMAND: standard output in `out`, standard error in `err`, the status in `ended`.
print() {
	[[ -e $build/lib/simcuda/libcuda.so.1 && -x $build/bin/demo ]] || skip "no simcuda in this build"
	ended=0
	LD_LIBRARY_PATH=$build/lib/simcuda:$build/lib/nvtx "$culprit" run "$@" >out 2>err || ended=$?
	cat err
}

demo() {
	print "$@" -- "$build/bin/demo" "$build/lib/simcuda-kernels/training.so"
}

@test "print: a line for each launch, in order, with what it was given and where it was made" {
	demo --print --print-to lines
	[[ $ended -eq 1 && $(wc -l <lines) -eq 120 ]]
	[[ $(cut -d' ' -f3 lines | tr -d '\n') == "$(seq -f '#%.0f' -s '' 4 123)" ]]
	grep -qE '^[0-9]+  #77  scatter_add<<<\(1,1,1\),\(64,1,1\)>>>\(0x[0-9a-f]+=#1\+0, 0x[0-9a-f]+=#3\+18432, 0x[0-9a-f]+=#2\+0, 64\)  stream 0x[0-9a-f]+  demo\.c:100 update_rows$' lines
	# The verdict is as ever, the journal in the bundle alone.
	grep -q '^culprit: .* exact: launch #77, scatter_add' err
	pid=$(cut -d' ' -f1 lines | sort -u)
	[[ -e culprit-demo-$pid/ring-0 && -z $(compgen -G "/dev/shm/culprit-live-*-$pid-*") ]]
	culprit report "culprit-demo-$pid"
	[[ $status -eq 0 ]]
}

@test "print: only kernels that match, to standard error or a descriptor" {
	demo --print=ter_a
	[[ $(grep -cE '#[0-9]+  scatter_add<<<' err) -eq 60 ]]
	grep -qE '#[0-9]+  decay<<<' err && false
	demo --print='^decay$' --print-to 7 7>seven
	[[ $(wc -l <seven) -eq 60 && $(grep -c '  decay<<<' seven) -eq 60 ]]
	demo --print='no such kernel' --print-to none
	[[ -e none && ! -s none ]]
}

# A process that ends before anybody looks has left what it did.
@test "print: several processes, sound ones too, and nothing of them stays" {
	cp "$build/bin/corpus" program
	print --require-cuda --print --print-to lines -- sh -c 'for i in 1 2 3; do
		./program --kernels "$1" ok; done' - "$build/lib/simcuda-kernels"
	[[ $ended -eq 0 && ! -s err && -z $(compgen -G 'culprit-*') ]]
	[[ $(cut -d' ' -f1 lines | sort -u | wc -l) -eq 3 ]]
	for pid in $(cut -d' ' -f1 lines | sort -u); do
		[[ -z $(compgen -G "/dev/shm/culprit-live-*-$pid-*") ]]
	done
	# Of a command that fails otherwise they are no processes that left work unfinished.
	print --print --print-to lines -- sh -c './program --kernels "$1" ok; exit 3' - "$build/lib/simcuda-kernels"
	[[ $ended -eq 3 && ! -s err ]]
}

@test "print: the NVTX ranges that are open" {
	[[ -x $build/bin/tests/nvtx_ranges ]] || skip "no NVTX host here"
	print --quiet --print --print-to lines -- "$build/bin/tests/nvtx_ranges" open push:train push:step launch:1 pop launch:1 pop launch:1
	cut -d' ' -f3- lines
	[[ $(sed -E 's/.*  //' lines | head -n 2) == $'[train > step]\n[train]' && $(grep -c '\]$' lines) -eq 2 ]]
}

@test "print: what cannot be done is said before the command starts" {
	culprit run --print='a(' touch started
	complains 125 "culprit run: --print 'a(': Unmatched ( or \\("
	culprit run --print --print-to 99 touch started
	complains 125 "culprit run: --print-to 99: Bad file descriptor"
	culprit run --print --print-to no/where touch started
	complains 125 "culprit run: --print-to no/where: No such file or directory"
	culprit run --inspect='a(' touch started
	complains 125 "culprit run: --inspect 'a(': Unmatched ( or \\("
	culprit run --inspect=a --inspect-as half touch started
	complains 125 "culprit run: --inspect-as 'half': expected guess|f32|f64|f16|bf16|i32|i64|u8; see culprit help run"
	[[ ! -e started ]]
}

# Two kernels on one array of floats: the first puts a NaN into it.
write_poison() {
	cat >poison.py <<-'PY'
		import ctypes, struct, sys
		driver = ctypes.CDLL("libcuda.so.1")

		def call(name, *arguments):
		    result = getattr(driver, name)(*arguments)
		    assert result == 0, (name, result)

		def kernel(name):
		    function = ctypes.c_void_p()
		    call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
		    return function

		def launch(function, threads, *arguments, stream=None):
		    pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(a) for a in arguments])
		    call("cuLaunchKernel", function, 1, 1, 1, threads, 1, 1, 0, stream, pointers, None)

		def poison():
		    launch(store, 1, data, ctypes.c_size_t(3), ctypes.c_int(0x7fc00000))

		def use(stream=None):
		    launch(reverse, 64, data, stream=stream)

		context, module, data, stream, graph = (ctypes.c_void_p() for _ in range(5))
		call("cuInit", 0)
		call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
		call("cuCtxSetCurrent", context)
		call("cuModuleLoad", ctypes.byref(module), sys.argv[1].encode())
		call("cuMemAlloc_v2", ctypes.byref(data), 1024)
		call("cuStreamCreate", ctypes.byref(stream), 1)
		values = struct.pack("<256f", *[1 + i / 256 for i in range(256)])
		call("cuMemcpyHtoD_v2", data, values, len(values))
		store, reverse = kernel("store"), kernel("reverse")
		poison()
		use()
		call("cuStreamBeginCapture_v2", stream, 0)
		use(stream)
		call("cuStreamEndCapture", stream, ctypes.byref(graph))
		call("cuCtxSynchronize")
		back = ctypes.create_string_buffer(1024)
		call("cuMemcpyDtoH_v2", back, data, 1024)
		print(sum(value != value for value in struct.unpack("<256f", back.raw)))
	PY
}

@test "inspect: a NaN, the launch that was given it and the one that made it" {
	write_poison
	print --require-cuda --inspect=reverse --print-to lines -- python3 poison.py "$build/lib/simcuda-kernels/basic.so"
	[[ $ended -eq 0 && $(<out) == 1 && ! -s err ]]
	diff <(sed -E 's/^[0-9]+ /PID /; s/poison.py:[0-9]+ /poison.py:N /g' lines) - <<-'END'
		PID  inspected #3 reverse at poison.py:N call
		  0: #1+0, 1024 bytes as f32?: min 1, max 1.99609, mean 1.49995, 1 NaN; 64 changed: min 1, max 1.99609, mean 1.49995, 1 NaN
		     given before to #2 store at poison.py:N call
	END
	# A launch that is captured is not looked at; others have lines only with --print.
	print --inspect=store --inspect-as i32 --print=reverse --print-to lines -- python3 poison.py "$build/lib/simcuda-kernels/basic.so"
	grep -q '^  0: #1+0, 1024 bytes as i32: min 1065353216, max .*; 1 changed: ' lines
	[[ $(grep -c '  reverse<<<' lines) -eq 2 && $(grep -c '  captured  reverse<<<' lines) -eq 1 ]]
}

@test "inspect: of a launch that fails it is told what it was given, and the verdict is as ever" {
	demo --inspect=scatter_add --print-to lines
	[[ $ended -eq 1 ]]
	grep -qE '^[0-9]+  inspected #77 scatter_add at demo\.c:100 update_rows; waiting for it returned 700$' lines
	grep -A1 '^  1: #3+18432, first 4096 bytes as i32?: .*; not read afterwards$' lines |
		grep -q '^     given before to #75 scatter_add at demo.c:100 update_rows, #73 scatter_add'
	[[ $(grep -c '  inspected ' lines) -eq 37 ]]
	grep -q '^culprit: .* exact: launch #77, scatter_add' err
}

@test "print: of a process that is killed each launch has its line" {
	write_poison
	sed -i '/cuStreamBeginCapture/,$d' poison.py
	cat >>poison.py <<-'PY'
		import os, signal
		for _ in range(300):
		    use()
		os.kill(os.getpid(), signal.SIGKILL)
	PY
	print --quiet --print=reverse --print-to lines -- python3 poison.py "$build/lib/simcuda-kernels/basic.so"
	[[ $ended -eq 137 && $(cut -d' ' -f3 lines) == "$(seq -f '#%.0f' 3 303)" ]]
}
