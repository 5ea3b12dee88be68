/*
 * throwing_destructor.cpp - a C++ program whose owners check the result of every free, and throw.
 * A kernel fails, and the exception for this unwinds through these destructors. The dead context
 * makes each free fail too, so a second exception ends the program by std::terminate, and the first
 * is never reported. If cleanup calls after a failure are harmless, main catches the first one.
 *
 * usage: throwing-destructor KERNEL-FILE   (stray_store for this driver)
 */
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <stdexcept>
#include <string>

static void check(CUresult code, const char *call)
{
	if (code != CUDA_SUCCESS)
		throw std::runtime_error(std::string(call) + " returned " + std::to_string(code));
}

class Context
{
      public:
	Context()
	{
		check(cuInit(0), "cuInit");
		check(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
		check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
	}
	~Context() noexcept(false)
	{
		check(cuDevicePrimaryCtxRelease(0), "cuDevicePrimaryCtxRelease");
	}

      private:
	CUcontext context;
};

class Module
{
      public:
	explicit Module(const char *path)
	{
		check(cuModuleLoad(&module, path), "cuModuleLoad");
	}
	~Module() noexcept(false)
	{
		check(cuModuleUnload(module), "cuModuleUnload");
	}
	CUfunction function(const char *name) const
	{
		CUfunction found;

		check(cuModuleGetFunction(&found, module, name), "cuModuleGetFunction");
		return found;
	}

      private:
	CUmodule module;
};

class Stream
{
      public:
	Stream()
	{
		check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
	}
	~Stream() noexcept(false)
	{
		check(cuStreamDestroy(stream), "cuStreamDestroy");
	}
	void synchronize() const
	{
		check(cuStreamSynchronize(stream), "cuStreamSynchronize");
	}
	CUstream stream;
};

class DeviceArray
{
      public:
	explicit DeviceArray(size_t size_bytes)
	{
		check(cuMemAlloc(&data, size_bytes), "cuMemAlloc");
	}
	~DeviceArray() noexcept(false)
	{
		check(cuMemFree(data), "cuMemFree");
	}
	CUdeviceptr data;
};

static void launch_stray_store(const Module &module, const Stream &stream, DeviceArray &array)
{
	unsigned tag = 1;
	uint64_t far_index = uint64_t(1) << 43;
	void *params[] = {&tag, &array.data, &far_index};

	check(cuLaunchKernel(module.function("stray_store"), 4, 1, 1, 32, 1, 1, 0, stream.stream,
			     params, nullptr),
	      "cuLaunchKernel");
}

static void run(const char *kernel_file)
{
	Context context;
	Module module(kernel_file);
	Stream stream;
	DeviceArray array(4096);

	launch_stray_store(module, stream, array);
	stream.synchronize();
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		std::fprintf(stderr, "usage: throwing-destructor KERNEL-FILE\n");
		return 2;
	}
	try {
		run(argv[1]);
	} catch (const std::exception &error) {
		std::printf("caught: %s\n", error.what());
		return 1;
	}
	return 0;
}
