/*
 * late.c - hosts whose launches come when the kernel's code has gone, as those of a thread that was
 * kept from its processor: the driver refuses them, and to ask it about such a kernel ends the
 * process.
 */
#include <stdio.h>

#include "../host.h"
#include "../scenarios.h"

/* Code, and how the program comes by a kernel of it. */
struct code {
	CUmodule module;
	CUlibrary library;
	CUfunction spin;
};

struct way {
	const char *name;
	void (*get)(struct code *code);
};

static void load_library(struct code *code, CUkernel *out_kernel)
{
	char path[4096];

	host_kernel_path("spin", path, sizeof(path));
	NEED(cuLibraryLoadFromFile(&code->library, path, NULL, NULL, 0, NULL, NULL, 0));
	NEED(cuLibraryGetKernel(out_kernel, code->library, "spin"));
}

static void of_module(struct code *code)
{
	char path[4096];

	host_kernel_path("spin", path, sizeof(path));
	NEED(cuModuleLoad(&code->module, path));
	NEED(cuModuleGetFunction(&code->spin, code->module, "spin"));
}

static void of_library(struct code *code)
{
	load_library(code, (CUkernel *)&code->spin);
}

static void of_kernel(struct code *code)
{
	CUkernel kernel;

	load_library(code, &kernel);
	NEED(cuKernelGetFunction(&code->spin, kernel));
}

static void of_librarys_module(struct code *code)
{
	CUkernel kernel;
	CUmodule module;

	load_library(code, &kernel);
	NEED(cuLibraryGetModule(&module, code->library));
	NEED(cuModuleGetFunction(&code->spin, module, "spin"));
}

static const struct way ways[] = {
	{"module", of_module},
	{"library", of_library},
	{"kernel", of_kernel},
	{"library's module", of_librarys_module},
};

static CUresult launch(const struct code *code)
{
	unsigned tag = 3, microseconds = 1;
	void *parameters[] = {&tag, &microseconds};

	return cuLaunchKernel(code->spin, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL);
}

/* Of a kernel that has been launched before, and of one that has not. */
static void launch_late(const struct way *way, unsigned n_before)
{
	struct code code = {0};

	way->get(&code);
	for (unsigned i = 0; i < n_before; i++)
		NEED(launch(&code));
	NEED(cuCtxSynchronize());
	NEED(code.module ? cuModuleUnload(code.module) : cuLibraryUnload(code.library));
	printf("%s, %u before: %d\n", way->name, n_before, launch(&code));
}

int late_launches(void)
{
	host_open();
	for (size_t i = 0; i < 2 * sizeof(ways) / sizeof(*ways); i++)
		launch_late(&ways[i / 2], i % 2);
	return host_fail();
}
