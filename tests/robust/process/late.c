/*
 * late.c - hosts that launch a kernel whose code has been unloaded, or is being unloaded, as a
 * delayed thread does. The driver refuses these launches. Asking the driver about such a kernel
 * ends the process.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

/* Loaded code, and a kernel of it. */
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

/* The kernels are in the order of the image, and spin is its only one. */
static void of_enumerated_kernels(struct code *code)
{
	char path[4096];
	CUkernel kernels[4];

	host_kernel_path("spin", path, sizeof(path));
	NEED(cuLibraryLoadFromFile(&code->library, path, NULL, NULL, 0, NULL, NULL, 0));
	NEED(cuLibraryEnumerateKernels(kernels, 4, code->library));
	code->spin = (CUfunction)kernels[0];
}

static void of_enumerated_functions(struct code *code)
{
	char path[4096];

	host_kernel_path("spin", path, sizeof(path));
	NEED(cuModuleLoad(&code->module, path));
	NEED(cuModuleEnumerateFunctions(&code->spin, 1, code->module));
}

/*
 * The ways with new handles come first: a handle that was in use before might be known to be
 * unloaded.
 */
static const struct way ways[] = {
	{"functions of a module", of_enumerated_functions},
	{"kernels of a library", of_enumerated_kernels},
	{"module", of_module},
	{"library", of_library},
	{"kernel", of_kernel},
	{"library's module", of_librarys_module},
};

static CUresult launch_wide(const struct code *code, unsigned n_threads)
{
	unsigned tag = 3, microseconds = 1;
	void *parameters[] = {&tag, &microseconds};

	return cuLaunchKernel(code->spin, 1, 1, 1, n_threads, 1, 1, 0, NULL, parameters, NULL);
}

static CUresult launch(const struct code *code)
{
	return launch_wide(code, 1);
}

static CUresult unload(const struct code *code)
{
	return code->module ? cuModuleUnload(code->module) : cuLibraryUnload(code->library);
}

/* Launch a kernel after its code was unloaded. It was launched n_before times before that. */
static void launch_late(const struct way *way, unsigned n_before)
{
	struct code code = {0};

	way->get(&code);
	for (unsigned i = 0; i < n_before; i++)
		NEED(launch(&code));
	NEED(cuCtxSynchronize());
	NEED(unload(&code));
	printf("%s, %u before: %d\n", way->name, n_before, launch(&code));
}

/* More than culprit's table of unloaded handles holds. */
enum { N_OTHERS = 1536 };

/* Unload other libraries, with a kernel each. They were loaded before, so handles differ. */
static void unload_others(const struct code *others)
{
	for (unsigned i = 0; i < N_OTHERS; i++)
		NEED(cuLibraryUnload(others[i].library));
}

/* Launch and unload a kernel, and wait for the context long after that. A copy waits, too. */
static void unload_before_sync(const struct way *way, CUdeviceptr memory)
{
	static struct code others[N_OTHERS];
	struct code code = {0};
	unsigned word;

	for (unsigned i = 0; i < N_OTHERS; i++)
		of_library(&others[i]);
	way->get(&code);
	NEED(launch(&code));
	NEED(cuMemcpyDtoH(&word, memory, sizeof(word)));
	NEED(unload(&code));
	unload_others(others);
	say(way->name, cuCtxSynchronize());
}

int sync_after_unload(void)
{
	CUdeviceptr memory;

	host_open();
	NEED(cuMemAlloc(&memory, sizeof(unsigned)));
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		unload_before_sync(&ways[i], memory);
	return host_fail();
}

static struct code going;
static bool is_refused; /* by the driver, of a kernel that was launched before */
static sem_t is_coming;

static void *launch_going(void *unused)
{
	enum { TOO_MANY = 1 << 16 };

	host_use();
	if (is_refused)
		NEED(launch(&going));
	sem_post(&is_coming);
	(void)launch_wide(&going, is_refused ? TOO_MANY : 1); /* either may be first */
	return unused;
}

/* If the driver answers slowly (SIMCUDA_ASK_US), the unload happens while a query is in flight. */
static void unload_beside(const struct way *way)
{
	enum { QUESTION_US = 15000 };
	pthread_t thread;

	going = (struct code){0};
	way->get(&going);
	NEED_TRUE(!pthread_create(&thread, NULL, launch_going, NULL));
	while (sem_wait(&is_coming))
		;
	(void)usleep(QUESTION_US);
	say(way->name, unload(&going));
	NEED_TRUE(!pthread_join(thread, NULL));
	NEED(cuCtxSynchronize());
}

static int unload_all(void)
{
	host_open();
	NEED_TRUE(!sem_init(&is_coming, 0, 0));
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		unload_beside(&ways[i]);
	return host_fail();
}

int asked_while_unloading(void)
{
	return unload_all();
}

int refused_while_unloading(void)
{
	is_refused = true;
	return unload_all();
}

int late_launches(void)
{
	host_open();
	for (size_t i = 0; i < 2 * sizeof(ways) / sizeof(*ways); i++)
		launch_late(&ways[i / 2], i % 2);
	return host_fail();
}
