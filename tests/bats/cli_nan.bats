#!/usr/bin/env bats
# `culprit run --nan`, `--checksums` and asynchronous inspection: checks that run on the GPU.

load inspected

network() {
	write_network
	print --print-to lines "$@" -- python3 network.py "$build/lib/simcuda-kernels/layers.so"
	[[ $ended -eq ${expected:-0} ]]
}

plain() {
	sed -E 's/^[0-9]+ /PID /; s/.py:[0-9]+ /.py:N /g; s/=?0x[0-9a-f]+/0xA/g' "$@"
}

@test "nan: names the launch that made a NaN, and the launches that passed it on" {
	network --nan
	[[ ! -s err ]]
	diff <(plain lines) - <<-'END'
		PID  first NaN: made by #4 layers::divide<float> at network.py:N call
		  argument 0: 1 NaN among 256 f32, the first at [0]; none of the checked arguments had any before
		  passed on by #5 layers::add<float> at network.py:N call, #6 layers::scale<float> at network.py:N call, #7 layers::multiply<float> at network.py:N call
	END
}

@test "nan: checks only kernels that match, and says if none of them made the NaN" {
	network --nan='layers::add<'
	diff <(plain lines) - <<-'END'
		PID  first NaN: already there before #5 layers::add<float> at network.py:N call
		  argument 1: 1 NaN among 256 f32, the first at [0]; a copy or an unchecked kernel wrote it
	END
	network --nan='scale.*$|nowhere'
	grep -q 'already there before #6 layers::scale' lines
	network --nan='^nowhere$'
	[[ ! -s lines ]]
}

@test "nan: the report of a failure includes it, and its verdict is the right one" {
	write_network
	cat >>network.py <<-'PY'
		launch(scale, ctypes.c_void_p(0x10), images, ctypes.c_float(2), n)
		print(driver.cuCtxSynchronize())
	PY
	print --nan --verbose --print-to lines -- python3 network.py "$build/lib/simcuda-kernels/layers.so"
	[[ $(<out) == 700 ]]
	# A check may have failed instead, so it is not exact.
	grep -q ' likely: launch #8, layers::scale' err
	grep -q "weaker: a check of --nan, --checksums or --inspect-mode async may have failed instead" err
	grep -E -A2 '^ *first NaN +made by #4 layers::divide<float> at network.py:' err | tail -n 1 |
		grep -q 'passed on by #5 layers::add<float>'
	"$culprit" report --format json culprit-* >report.json
	python3 - <<-'PY'
		import json
		lines = [line["text"] for line in json.load(open("report.json"))["lines"] if line["id"] == "first_nan"]
		assert len(lines) == 3 and lines[0].startswith("made by #4 layers::divide<float> at network.py:")
	PY
}

@test "nan: infinities count only with --inf" {
	write_network
	sed -i 's|deviation = tensor(\[i / 8|deviation = tensor([(i - 1) / 8|; s|images = tensor(\[i / N|images = tensor([(i + 1) / N|' network.py
	print --nan --print-to lines -- python3 network.py "$build/lib/simcuda-kernels/layers.so"
	[[ $ended -eq 0 && ! -s lines ]]
	print --nan --inf --print-to lines -- python3 network.py "$build/lib/simcuda-kernels/layers.so"
	grep -q 'first NaN: made by #4 layers::divide<float>' lines
	grep -q '^  argument 0: 1 infinite among 256 f32, the first at \[1\]' lines
}

@test "inspect: an asynchronous inspection prints what a synchronous one does" {
	network --inspect='layers::'
	plain lines | sed -E 's/; [0-9]+ changed$/; changed/; s/x f32\?/x f32/' >waited
	network --inspect='layers::' --inspect-mode async
	diff waited <(plain lines | sed 's/x f32?/x f32/')
	network --inspect='divide' --inspect-mode async --inspect-as i32
	grep -q '^  argument 1: 0x[0-9a-f]*=#3+0, 256 x i32$' lines
}

@test "checks: the program runs as without them" {
	write_poison
	for option in --nan --checksums --inspect-mode=async; do
		print "$option" --inspect=reverse --print-to lines -- python3 poison.py "$build/lib/simcuda-kernels/basic.so"
		[[ $ended -eq 0 && $(<out) == 1 && ! -s err ]]
	done
	run env LD_LIBRARY_PATH="$build/lib/simcuda" LD_PRELOAD="$build/lib/libculprit.so" \
		CULPRIT_NAN=. CULPRIT_CHECKSUMS=1 python3 poison.py "$build/lib/simcuda-kernels/basic.so"
	[[ $status -eq 0 && $output == 1 ]]
	# A driver that refuses the kernel.
	print --nan --print-to lines -- env SIMCUDA_INJECT=cuModuleGetFunction:1:500 \
		python3 poison.py "$build/lib/simcuda-kernels/basic.so"
	[[ $ended -eq 0 && $(<out) == 1 && ! -s lines ]]
}

@test "checks: memory is freed, and contexts end, between checked launches" {
	write_network
	cat >>network.py <<-'PY'
		def rounds(stream):
		    for i in range(100):
		        memory = tensor([i] * N)
		        arguments = (memory, memory, ctypes.c_float(2), n)
		        pointers = (ctypes.c_void_p * 4)(*[ctypes.addressof(a) for a in arguments])
		        call("cuLaunchKernel", scale, N // 64, 1, 1, 64, 1, 1, 0, stream, pointers, None)
		        back = ctypes.create_string_buffer(4 * N)
		        call("cuMemcpyDtoH_v2", back, memory, 4 * N)
		        assert struct.unpack(f"<{N}f", back.raw) == (2.0 * i,) * N
		        call("cuMemFree_v2", memory)
		stream = ctypes.c_void_p()
		call("cuStreamCreate", ctypes.byref(stream), 0)
		rounds(None)
		rounds(stream)
		call("cuDevicePrimaryCtxReset_v2", 0)
		call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
		call("cuCtxSetCurrent", context)
		call("cuModuleLoad", ctypes.byref(module), sys.argv[1].encode())
		scale = kernel("_ZN6layers5scaleIfEEvPT_PKS1_S1_i")
		rounds(None)
		print("well")
	PY
	print --checksums --nan --keep always --dir one --print-to lines -- python3 network.py "$build/lib/simcuda-kernels/layers.so"
	[[ $ended -eq 0 && $(<out) == well && ! -s err ]]
	[[ $("$culprit" dump --file checks one/culprit-* | head -n 1) == "# checks: 312 rows, 0 lost" ]]
	[[ $(grep -c 'first NaN: made by #4 ' lines) -eq 1 ]]
}

# Run the network twice with --checksums; BIAS of the second run is the second argument.
two_runs() {
	write_network
	sed -i 's/ctypes.c_float(1), n)/ctypes.c_float(float(os.environ["BIAS"])), n)/' network.py
	for name in one other; do
		BIAS=$1 print --checksums --keep always --dir "$name" -- python3 network.py "$build/lib/simcuda-kernels/layers.so"
		[[ $ended -eq 0 && ! -s out ]]
		shift
	done
	run --separate-stderr "$culprit" diff one other
}

@test "diff: three equal runs are equal" {
	two_runs 1 1
	[[ $status -eq 0 && $output == "0 of 5 launches differ" && -z $stderr ]]
	mv one first
	rm -r other
	two_runs 1 1
	for other in one other; do
		run --separate-stderr "$culprit" diff first "$other"
		[[ $status -eq 0 && $output == "0 of 5 launches differ" && -z $stderr ]]
	done
}

@test "diff: says that checks are missing" {
	two_runs 1 1
	printf '\5' | dd of="$(echo one/culprit-*/checks)" bs=1 seek=48 conv=notrunc status=none # file_header.lost
	run --separate-stderr "$culprit" diff one other
	[[ $status -eq 0 && $output == "0 of 5 launches differ" ]]
	[[ $stderr == "culprit diff: one: checks are missing; launches after them may be paired wrongly" ]]
}

@test "diff: names the launch whose results differ, and the next one whose inputs do" {
	two_runs 1 2
	[[ $status -eq 1 ]]
	diff <(plain - <<<"$output") - <<-'END'
		first result that differs: #5 layers::add<float> at network.py:N call (#5 in the other run)
		  argument 0, 256 f32: min 1.0625, max 1.0625, 1 NaN; in the other run min 2.0625, max 2.0625, 1 NaN
		  its inputs were equal: a race, or a read of memory that was never written
		first input that differs: #6 layers::scale<float> at network.py:N call (#6 in the other run)
		  argument 1, 256 f32: min 1.0625, max 1.0625, 1 NaN; in the other run min 2.0625, max 2.0625, 1 NaN
		  it reads this argument
		PID of 5 launches differ
	END
}

@test "diff: refuses a bundle without checksums, and other numbers of bundles" {
	two_runs 1 1
	print --keep always --dir third -- python3 network.py "$build/lib/simcuda-kernels/layers.so"
	run --separate-stderr "$culprit" diff one third
	[[ $status -eq 3 && $stderr == *"third: holds no checksums; record them with culprit run --checksums"* ]]
	run --separate-stderr "$culprit" diff one
	[[ $status -eq 2 && $stderr == "culprit diff: two bundles are needed; see culprit help diff" ]]
	run --separate-stderr "$culprit" diff one nowhere
	[[ $status -eq 3 ]]
}

# The kernel does not use the pointer to mapped memory. The second time, the device may not read it.
@test "checks: do not read mapped memory, whose rights change" {
	write_network
	sed '/^forward()$/,$d' network.py >revoked.py
	cat >>revoked.py <<-'PY'
		size, handle, mapped = ctypes.c_size_t(2 << 20), ctypes.c_ulonglong(), ctypes.c_ulonglong()
		shape = struct.pack("<4I16x", 1, 0, 1, 0)
		call("cuMemCreate", ctypes.byref(handle), size, shape, ctypes.c_ulonglong(0))
		call("cuMemAddressReserve", ctypes.byref(mapped), size, ctypes.c_size_t(0), ctypes.c_ulonglong(0), ctypes.c_ulonglong(0))
		call("cuMemMap", mapped, size, ctypes.c_size_t(0), handle, ctypes.c_ulonglong(0))
		n.value = 0
		for rights in 3, 0:
		    call("cuMemSetAccess", mapped, size, struct.pack("<3I", 1, 0, rights), ctypes.c_size_t(1))
		    launch(scale, hidden, mapped, ctypes.c_float(2), n)
		    call("cuCtxSynchronize")
	PY
	print --checksums --keep always --dir kept -- python3 revoked.py "$build/lib/simcuda-kernels/layers.so"
	[[ $ended -eq 0 && ! -s err ]]
	[[ $("$culprit" dump -F checks kept | grep -c '^check .* bytes=1024 ') -eq 2 ]]
}
