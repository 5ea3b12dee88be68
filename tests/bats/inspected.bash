# shellcheck shell=bash
# Programs of which launches are printed and inspected, for cli_print.bats and cli_inspect.bats.

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

# Two kernels on one array of floats: the first puts a NaN into it.
write_poison() {
	need_preload python3
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

# A small network: normal = hidden / deviation is 0 / 0 in one place, and the kernels after it pass
# the NaN on. `scale` makes what comes before and what comes last.
write_network() {
	need_preload python3
	cat >network.py <<-'PY'
		import ctypes, os, struct, sys
		driver = ctypes.CDLL("libcuda.so.1")
		N = int(os.environ.get("ARRAY", "256"))
		parts = []

		def call(name, *arguments):
		    result = getattr(driver, name)(*arguments)
		    assert result == 0, (name, result)

		def kernel(name):
		    function = ctypes.c_void_p()
		    call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
		    return function

		def allocate(size):
		    memory = ctypes.c_void_p()
		    call("cuMemAlloc_v2", ctypes.byref(memory), size)
		    return memory

		# If POOL is set, from one allocation, as PyTorch makes them.
		def tensor(values=None):
		    if "POOL" not in os.environ:
		        memory = allocate(4 * N)
		    else:
		        parts.append(parts[-1] + 4 * N if parts else allocate(64 * N).value)
		        memory = ctypes.c_void_p(parts[-1])
		    if values:
		        call("cuMemcpyHtoD_v2", memory, struct.pack(f"<{N}f", *values), 4 * N)
		    return memory

		def launch(function, *arguments):
		    pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(a) for a in arguments])
		    call("cuLaunchKernel", function, N // 64, 1, 1, 64, 1, 1, 0, None, pointers, None)

		def forward():
		    launch(scale, hidden, images, ctypes.c_float(2), n)
		    launch(divide, normal, hidden, deviation, n)
		    launch(add, biased, normal, ctypes.c_float(1), n)
		    launch(scale, scores, biased, ctypes.c_float(0.5), n)

		context, module, n = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int(N)
		call("cuInit", 0)
		call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
		call("cuCtxSetCurrent", context)
		call("cuModuleLoad", ctypes.byref(module), sys.argv[1].encode())
		scale = kernel("_ZN6layers5scaleIfEEvPT_PKS1_S1_i")
		divide = kernel("_ZN6layers6divideIfEEvPT_PKS1_S4_i")
		add = kernel("_ZN6layers3addIfEEvPT_PKS1_S1_i")
		images = tensor([i / N for i in range(N)])
		deviation = tensor([i / 8 for i in range(N)])
		hidden, normal, biased, scores = (tensor() for _ in range(4))
		forward()
		# In a structure, as libraries pass their tensors.
		multiply, squares = kernel("_ZN6layers8multiplyIfEEviNS_7tensorsIT_EE"), tensor()
		launch(multiply, n, (ctypes.c_void_p * 3)(squares.value, scores.value, images.value))
		call("cuCtxSynchronize")
	PY
}
