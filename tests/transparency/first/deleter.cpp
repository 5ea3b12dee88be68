/*
 * deleter.cpp - a C++ program whose owners check the result of a free, as many programs do: the
 * deleter of one owner exits, the destructor of the other throws. A kernel fails, and no call is
 * made until the owner is destroyed.
 *
 * usage: first-deleter abort|throw KERNEL-FILE   (stray_store for this driver)
 * exit status: 0 no call failed; 1 main caught the error; 134 aborted; 2 could not be run
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <time.h>
#include <unistd.h>

static void need(CUresult code, const char *call)
{
	if (code == CUDA_SUCCESS)
		return;
	std::fprintf(stderr, "first-deleter: %s returned %d\n", call, code);
	std::exit(2);
}

struct Freed {
	void operator()(CUdeviceptr *data) const
	{
		CUresult code = cuMemFree(*data);
		delete data;
		std::printf("cuMemFree %d\n", code);
		std::fflush(stdout);
		if (code != CUDA_SUCCESS)
			std::abort();
	}
};

class Array
{
      public:
	explicit Array(CUdeviceptr owned) : data(owned)
	{
	}
	~Array() noexcept(false)
	{
		CUresult code = cuMemFree(data);
		if (code != CUDA_SUCCESS)
			throw std::runtime_error("cuMemFree returned " + std::to_string(code));
	}

      private:
	CUdeviceptr data;
};

/* Wait as first.c does: simcuda writes that file; a GPU reports the failure only to a call. */
static void let_it_fail()
{
	const char *truth = std::getenv("SIMCUDA_TRUTH");

	for (int i = 0; truth ? access(truth, F_OK) != 0 : i < 500; i++)
		usleep(1000);
}

static CUdeviceptr fail(const char *kernel_file)
{
	unsigned tag = 1;
	uint64_t far_index = uint64_t(1) << 43;
	CUcontext context;
	CUdeviceptr data;
	CUfunction function;
	CUmodule module;
	void *parameters[] = {&tag, &data, &far_index};

	need(cuInit(0), "cuInit");
	need(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
	need(cuCtxSetCurrent(context), "cuCtxSetCurrent");
	need(cuModuleLoad(&module, kernel_file), "cuModuleLoad");
	need(cuModuleGetFunction(&function, module, "stray_store"), "cuModuleGetFunction");
	need(cuMemAlloc(&data, 4096), "cuMemAlloc");
	need(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr),
	     "cuLaunchKernel");
	let_it_fail();
	return data;
}

static void run(const std::string &how, const char *kernel_file)
{
	CUdeviceptr data = fail(kernel_file);

	if (how == "throw")
		Array array(data);
	else
		std::unique_ptr<CUdeviceptr, Freed> owner(new CUdeviceptr(data));
}

int main(int argc, char **argv)
{
	const char *truth = std::getenv("SIMCUDA_TRUTH");

	if (argc != 3) {
		std::fputs("usage: first-deleter abort|throw KERNEL-FILE\n", stderr);
		return 2;
	}
	if (truth)
		(void)unlink(truth);
	try {
		run(argv[1], argv[2]);
	} catch (const std::exception &error) {
		std::printf("caught: %s\n", error.what());
		return 1;
	}
	std::puts("PASSED");
	return 0;
}
