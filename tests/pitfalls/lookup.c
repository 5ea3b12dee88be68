/*
 * lookup.c - a program that reaches the driver as libcudart does: it is not linked with libcuda,
 * but opens it and asks dlsym and cuGetProcAddress. Each scenario prints the libraries of the
 * addresses it gets.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cuda_api.h"
#include "where.h"

typedef CUresult (*get_v1)(const char *, void **, int, cuuint64_t);
typedef CUresult (*get_v2)(const char *, void **, int, cuuint64_t,
			   CUdriverProcAddressQueryResult *);

static const char *driver_path = "libcuda.so.1";

static void *open_driver(void)
{
	void *handle = dlopen(driver_path, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		printf("dlopen: %s\n", dlerror());
	return handle;
}

static void *find(void *handle, const char *name)
{
	void *address = dlsym(handle, name);

	print_where(name, address);
	return address;
}

static void look_up_names(void)
{
	void *driver = open_driver();

	find(driver, "cuInit");
	find(driver, "cuLaunchKernel");
	find(driver, "cuLaunchKernel_ptsz");
	find(driver, "cuLaunchKernelEx");
	find(driver, "cuGetProcAddress_v2");
	find(driver, "cuLaunchFuture");
	find(driver, "fake_count");
}

/* Only the failed look-up sets dlerror, not the calls before and after it. */
static void ask_dlerror(void)
{
	void *driver = open_driver();
	const char *text;

	dlerror();
	find(driver, "cuInit");
	printf("after a success: %s\n", dlerror() ? "an error" : "no error");
	find(driver, "cuNoSuchCall");
	text = dlerror();
	printf("after a failure: %s\n",
	       text && strstr(text, "libcuda.so.1: undefined symbol: cuNoSuchCall")
		       ? "its error"
		       : "no or another error");
	find(driver, "cuNoSuchCall");
	find(driver, "cuInit");
	printf("after both: %s\n", dlerror() ? "an error" : "no error");
}

static void ask_without_driver(void)
{
	void *program = dlopen(NULL, RTLD_NOW);

	find(RTLD_DEFAULT, "cuInit");
	printf("dlerror: %s\n", dlerror() ? "set" : "not set");
	find(RTLD_NEXT, "cuInit");
	printf("dlerror: %s\n", dlerror() ? "set" : "not set");
	find(program, "cuInit");
	printf("dlerror: %s\n", dlerror() ? "set" : "not set");
	find(program, "printf");
}

static void get_and_print(get_v2 get, const char *name, int version)
{
	CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
	void *address = NULL;
	CUresult result = get(name, &address, version, CU_GET_PROC_ADDRESS_DEFAULT, &status);
	char what[64];

	snprintf(what, sizeof(what), "%s %d: %d %d", name, version, (int)result, (int)status);
	print_where(what, address);
}

/* All these calls are made before cuInit. */
static void get_addresses(void)
{
	get_v2 get = (get_v2)(uintptr_t)find(open_driver(), "cuGetProcAddress_v2");
	void *address = NULL;

	get_and_print(get, "cuCtxCreate", 2000);
	get_and_print(get, "cuCtxCreate", 4000);
	get_and_print(get, "cuCtxCreate", 12000);
	get_and_print(get, "cuCtxCreate", 12050);
	get_and_print(get, "cuGetProcAddress", 11030);
	get_and_print(get, "cuGetProcAddress", 12000);
	get_and_print(get, "cuNoSuchCall", 13000);
	get_and_print(get, "cuLaunchFuture", 99000);
	printf("no status wanted: %d\n", (int)get("cuInit", &address, 13000, 0, NULL));
	print_where("cuInit", address);
}

static void get_addresses_the_old_way(void)
{
	get_v1 get = (get_v1)(uintptr_t)find(open_driver(), "cuGetProcAddress");
	void *address = NULL;

	printf("%d\n", (int)get("cuGetProcAddress", &address, 11030, 0));
	print_where("cuGetProcAddress", address);
	printf("%d\n", (int)get("cuLaunchKernel", &address, 11030, 0));
	print_where("cuLaunchKernel", address);
}

/* A failed call's output must not be touched: here, reading it would be a fault. */
static void fail_with_closed_output(void)
{
	get_v2 get = (get_v2)(uintptr_t)dlsym(open_driver(), "cuGetProcAddress_v2");
	void *closed = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	printf("%d\n", (int)get("cuNoSuchCall", closed, 13000, 0, NULL));
}

static void init(void)
{
	CUresult (*call)(unsigned int) =
		(CUresult(*)(unsigned int))(uintptr_t)find(open_driver(), "cuInit");

	if (call)
		printf("cuInit: %d\n", (int)call(0));
}

/* A function that the driver lacks is not found by any lookup, although the shim exports it. */
static void look_up_lacked(void)
{
	void *program = dlopen(NULL, RTLD_NOW);

	if (!dlopen(driver_path, RTLD_NOW | RTLD_GLOBAL))
		printf("dlopen: %s\n", dlerror());
	find(RTLD_DEFAULT, "cuLaunchKernelEx");
	find(RTLD_NEXT, "cuLaunchKernelEx");
	find(program, "cuLaunchKernelEx");
	find(RTLD_DEFAULT, "cuLaunchKernel");
	find(program, "cuLaunchKernel");
}

/*
 * Open a copy of the driver in a link namespace of its own, which has neither preloaded libraries
 * nor culprit.
 */
static void open_in_namespace(void)
{
	void *driver = dlmopen(LM_ID_NEWLM, driver_path, RTLD_NOW);

	find(driver, "cuLaunchKernel");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} scenarios[] = {
		{"names", look_up_names},
		{"dlerror", ask_dlerror},
		{"without-driver", ask_without_driver},
		{"get-v2", get_addresses},
		{"get-v1", get_addresses_the_old_way},
		{"closed-output", fail_with_closed_output},
		{"init", init},
		{"lacked", look_up_lacked},
		{"namespace", open_in_namespace},
	};

	if (argc > 2)
		driver_path = argv[2];
	for (size_t i = 0; argc > 1 && i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		if (strcmp(argv[1], scenarios[i].name) != 0)
			continue;
		scenarios[i].run();
		return 0;
	}
	fprintf(stderr, "usage: pitfall-lookup SCENARIO [DRIVER]\n");
	return 2;
}
