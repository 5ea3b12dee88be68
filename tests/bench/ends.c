/*
 * ends.c - a program for scripts/bench end: it prints "first" when it starts and "last" when it has
 * nothing more to do. In between it launches a kernel, which fails if the program is to fail.
 *
 *     ends MODULE clean|fail
 */
#include <cuda.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void say(const char *word)
{
	(void)!write(STDOUT_FILENO, word, strlen(word));
}

/* Returns 0 if all calls work. */
static int launch(const char *path, unsigned long long index)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr data;
	unsigned tag = 1;
	void *parameters[] = {&tag, &data, &index};

	return cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) ||
	       cuCtxSetCurrent(context) || cuModuleLoad(&module, path) ||
	       cuModuleGetFunction(&kernel, module, "stray_store") || cuMemAlloc(&data, 4096) ||
	       cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL) ||
	       cuCtxSynchronize();
}

int main(int argc, char **argv)
{
	int fails = argc > 2 && !strcmp(argv[2], "fail");
	int result = 0;

	say("first\n");
	if (argc < 3) {
		fputs("usage: ends MODULE clean|fail\n", stderr);
		return 2;
	}
	result = launch(argv[1], fails ? 1ULL << 43 : 0);
	say("last\n");
	return result == fails ? fails : 2;
}
