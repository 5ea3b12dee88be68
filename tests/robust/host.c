/*
 * host.c - see host.h. The objects below are made by host_open before any thread starts, and only
 * read afterwards; nothing is destroyed unless a test is about that.
 */
#include "host.h"

#include <alloca.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DATA_BYTES = 4096, N_THREADS_MAX = 4500 };

/* An element that no array has: nothing is mapped 32 TiB after other memory. */
static const uint64_t far_index = 1ull << 43;

static CUcontext context;
static CUfunction fill, stray_store, spin;
static CUdeviceptr data;

void need(CUresult code, const char *call)
{
	if (code == CUDA_SUCCESS)
		return;
	fprintf(stderr, "robust: %s: %d\n", call, (int)code);
	_exit(2);
}

CUresult say(const char *call, CUresult code)
{
	printf("%s %d\n", call, (int)code);
	return code;
}

bool host_is_gpu(void)
{
	const char *kernels = getenv("HOST_KERNELS");

	return kernels && !strcmp(kernels, "gpu");
}

/*
 * The kernels are in the lib/ folder next to the bin/ folder whose tests/ folder holds this
 * program.
 */
void host_kernel_path(const char *kernel, char *out, size_t size)
{
	bool is_gpu = host_is_gpu();
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	NEED_TRUE(length > 0);
	program[length] = '\0';
	*strrchr(program, '/') = '\0';
	snprintf(out, size, "%s/../../lib/%s/%s.%s", program,
		 is_gpu ? "gpu-kernels" : "simcuda-kernels", kernel, is_gpu ? "fatbin" : "so");
}

static CUfunction load_kernel(const char *name)
{
	char path[2 * PATH_MAX];
	CUmodule module;
	CUfunction function;

	host_kernel_path(name, path, sizeof(path));
	NEED(cuModuleLoad(&module, path));
	NEED(cuModuleGetFunction(&function, module, name));
	return function;
}

CUfunction host_kernel(const char *name)
{
	static struct {
		const char *name;
		CUfunction function;
	} known[8];
	size_t i = 0;

	while (i < sizeof(known) / sizeof(known[0]) && known[i].name &&
	       strcmp(known[i].name, name) != 0)
		i++;
	NEED_TRUE(i < sizeof(known) / sizeof(known[0]));
	if (!known[i].name) {
		known[i].name = name;
		known[i].function = load_kernel(name);
	}
	return known[i].function;
}

void host_load(void)
{
	/* Allocate this first: a signal handler may launch a kernel as soon as it exists. */
	NEED(cuMemAlloc(&data, DATA_BYTES));
	fill = load_kernel("fill");
	stray_store = load_kernel("stray_store");
	spin = load_kernel("spin");
}

void host_open(void)
{
	CUdevice device;

	NEED(cuInit(0));
	NEED(cuDeviceGet(&device, 0));
	NEED(cuDevicePrimaryCtxRetain(&context, device));
	NEED(cuCtxSetCurrent(context));
	host_load();
}

CUgreenCtx host_make_green(CUcontext *out_context)
{
	CUdevResource all, share;
	CUdevResourceDesc description;
	unsigned n_groups = 1;
	CUgreenCtx green;

	NEED(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
	NEED(cuDevSmResourceSplitByCount(&share, &n_groups, &all, NULL, 0, 16));
	NEED(cuDevResourceGenerateDesc(&description, &share, 1));
	NEED(cuGreenCtxCreate(&green, description, 0, CU_GREEN_CTX_DEFAULT_STREAM));
	NEED(cuCtxFromGreenCtx(out_context, green));
	return green;
}

void host_use(void)
{
	NEED(cuCtxSetCurrent(context));
}

CUresult host_fill(CUstream stream)
{
	unsigned tag = 1, count = 32;
	void *parameters[] = {&tag, &data, &count};

	return cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
}

CUresult host_store(CUstream stream, bool is_far)
{
	unsigned tag = 2;
	uint64_t index = is_far ? far_index : 0;
	void *parameters[] = {&tag, &data, &index};

	return cuLaunchKernel(stray_store, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
}

CUresult host_stray(CUstream stream)
{
	return host_store(stream, true);
}

CUresult host_spin(CUstream stream, unsigned microseconds)
{
	unsigned tag = 3;
	void *parameters[] = {&tag, &microseconds};

	return cuLaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
}

/* The number of closed gates and, in pinned memory, the number of them that are open. */
static uint32_t n_closed;
static _Atomic uint32_t *n_open;

void host_close_gate(CUstream stream)
{
	CUdeviceptr address;
	void *word;

	if (!n_open) {
		NEED(cuMemHostAlloc(&word, sizeof(*n_open), CU_MEMHOSTALLOC_DEVICEMAP));
		n_open = word;
		atomic_store(n_open, 0);
	}
	NEED(cuMemHostGetDevicePointer(&address, n_open, 0));
	NEED(cuStreamWaitValue32(stream, address, ++n_closed, CU_STREAM_WAIT_VALUE_GEQ));
}

void host_open_gate(void)
{
	atomic_store(n_open, n_closed);
}

CUresult host_fill_aligned(CUstream stream)
{
	volatile char aligned[128] __attribute__((aligned(64)));
	volatile char *sized = alloca((size_t)getpagesize() / 16);

	aligned[0] = sized[0] = 0;
	return host_fill(stream) + (CUresult)aligned[0];
}

void host_launch_some(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		NEED(host_fill(NULL));
	NEED(cuCtxSynchronize());
}

int host_fail(void)
{
	say("cuLaunchKernel", host_stray(NULL));
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

struct task {
	void (*body)(unsigned index);
	unsigned index;
};

static void *run_task(void *argument)
{
	const struct task *task = argument;

	host_use();
	task->body(task->index);
	return NULL;
}

static size_t max_size(size_t one, size_t other)
{
	return one > other ? one : other;
}

void host_threads(unsigned n, size_t stack_bytes, void (*body)(unsigned index))
{
	static pthread_t threads[N_THREADS_MAX];
	static struct task tasks[N_THREADS_MAX];
	pthread_attr_t attributes;

	NEED_TRUE(n <= N_THREADS_MAX);
	NEED_TRUE(!pthread_attr_init(&attributes));
	if (stack_bytes) /* aarch64 needs 128 KiB */
		NEED_TRUE(!pthread_attr_setstacksize(
			&attributes, max_size(stack_bytes, (size_t)PTHREAD_STACK_MIN)));
	for (unsigned i = 0; i < n; i++) {
		tasks[i] = (struct task){body, i};
		NEED_TRUE(!pthread_create(&threads[i], &attributes, run_task, &tasks[i]));
	}
	for (unsigned i = 0; i < n; i++)
		NEED_TRUE(!pthread_join(threads[i], NULL));
	pthread_attr_destroy(&attributes);
}

size_t host_resident_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	NEED_TRUE(file && fscanf(file, "%*u %lu", &pages) == 1);
	fclose(file);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* The simulated driver itself grows by some megabytes when the machine is busy. */
enum { ALLOWED_GROWTH = 8 << 20 };

/* An emulator's memory includes the code that it has translated. See scripts/with-qemu. */
static bool is_own_memory(void)
{
	const char *slowdown = getenv("EMULATOR_SLOWDOWN");

	return !slowdown || !*slowdown;
}

void say_growth(size_t before)
{
	size_t after = host_resident_bytes();

	fprintf(stderr, "growth %td kB\n", (ptrdiff_t)(after - before) / 1024);
	if (is_own_memory() && after > before + ALLOWED_GROWTH)
		printf("grown by %zu kB\n", (after - before) / 1024);
}
