/*
 * growth.c - grow one thing, with the plain driver API. scripts/bench runs it with and without
 * culprit, at several sizes. Usage: growth launches|threads|streams|allocations|stacks|nodes N
 * MODULE.
 *
 * Prints the ns of one step (a launch; an allocation; with nodes, a graph's launch), and the memory
 * that the process then has: its own, and the mapped files', in KiB.
 */
#include <cuda.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	LAUNCHES = 100000, /* at least so many where something else than launches grows */
	GRAPH_LAUNCHES = 1000,
	THREAD_LAUNCHES = 1000,
	LIVE_ALLOCATIONS = 10000, /* simcuda maps each one separately; Linux allows 65,530 */
};

/* Written by main before any thread starts. */
static CUcontext context;
static CUfunction function;
static pthread_barrier_t barrier;

static void need(CUresult result, const char *call)
{
	if (result == CUDA_SUCCESS)
		return;
	fprintf(stderr, "growth: %s returned %d\n", call, (int)result);
	exit(1);
}
#define NEED(call, ...) need(call(__VA_ARGS__), #call)

static void *need_memory(size_t n, size_t size)
{
	void *memory = calloc(n, size);

	if (!memory)
		exit(1);
	return memory;
}

static double now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void launch(CUstream stream)
{
	NEED(cuLaunchKernel, function, 1, 1, 1, 32, 1, 1, 0, stream, NULL, NULL);
}

static void grow_launches(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		launch(NULL);
}

/* All threads live until the last one has launched. */
static void *run_thread(void *unused)
{
	NEED(cuCtxSetCurrent, context);
	grow_launches(THREAD_LAUNCHES);
	(void)pthread_barrier_wait(&barrier);
	return unused;
}

static unsigned grow_threads(unsigned n)
{
	pthread_t *threads = need_memory(n, sizeof(*threads));
	pthread_attr_t small;

	(void)pthread_attr_init(&small);
	(void)pthread_attr_setstacksize(&small, 256 << 10);
	(void)pthread_barrier_init(&barrier, NULL, n);
	for (unsigned i = 0; i < n; i++)
		if (pthread_create(&threads[i], &small, run_thread, NULL))
			exit(1);
	for (unsigned i = 0; i < n; i++)
		(void)pthread_join(threads[i], NULL);
	free(threads);
	return n * THREAD_LAUNCHES;
}

static unsigned grow_streams(unsigned n)
{
	CUstream *streams = need_memory(n, sizeof(*streams));
	unsigned n_launches = n > LAUNCHES ? n : LAUNCHES;

	for (unsigned i = 0; i < n; i++)
		NEED(cuStreamCreate, &streams[i], CU_STREAM_NON_BLOCKING);
	for (unsigned i = 0; i < n_launches; i++)
		launch(streams[i % n]);
	return n_launches;
}

/* The newest thousands of allocations stay alive; freed ones are remembered for a while. */
static void grow_allocations(unsigned n)
{
	static CUdeviceptr live[LIVE_ALLOCATIONS];

	for (unsigned i = 0; i < n; i++) {
		CUdeviceptr *place = &live[i % LIVE_ALLOCATIONS];

		if (*place)
			NEED(cuMemFree, *place);
		NEED(cuMemAlloc, place, 256);
	}
}

/* The bits of `path` select one of two functions at each level, so that every stack differs. */
static void descend(unsigned path, unsigned depth);

static __attribute__((noinline)) void go_left(unsigned path, unsigned depth)
{
	descend(path, depth);
	__asm__ volatile(""); /* keeps the call from becoming a jump */
}

static __attribute__((noinline)) void go_right(unsigned path, unsigned depth)
{
	descend(path, depth);
	__asm__ volatile("nop");
}

static void descend(unsigned path, unsigned depth)
{
	if (depth == 0)
		launch(NULL);
	else if (path >> (depth - 1) & 1)
		go_left(path, depth - 1);
	else
		go_right(path, depth - 1);
}

static void grow_stacks(unsigned n)
{
	unsigned depth = 1;

	while (depth < 31 && 1u << depth < n)
		depth++;
	for (unsigned i = 0; i < n; i++)
		descend(i, depth);
}

/* Make one graph with n kernel nodes; its launches are timed. */
static CUgraphExec make_graph(unsigned n)
{
	CUDA_KERNEL_NODE_PARAMS kernel = {.func = function,
					  .gridDimX = 1,
					  .gridDimY = 1,
					  .gridDimZ = 1,
					  .blockDimX = 32,
					  .blockDimY = 1,
					  .blockDimZ = 1};
	CUgraph graph;
	CUgraphNode node;
	CUgraphExec executable;

	NEED(cuGraphCreate, &graph, 0);
	for (unsigned i = 0; i < n; i++)
		NEED(cuGraphAddKernelNode, &node, graph, NULL, 0, &kernel);
	NEED(cuGraphInstantiateWithFlags, &executable, graph, 0);
	return executable;
}

static void launch_graph(CUgraphExec executable)
{
	for (unsigned i = 0; i < GRAPH_LAUNCHES; i++)
		NEED(cuGraphLaunch, executable, NULL);
}

static void open_bench(const char *path)
{
	CUdevice device;
	CUmodule module;

	NEED(cuInit, 0);
	NEED(cuDeviceGet, &device, 0);
	NEED(cuDevicePrimaryCtxRetain, &context, device);
	NEED(cuCtxSetCurrent, context);
	NEED(cuModuleLoad, &module, path);
	NEED(cuModuleGetFunction, &function, module, "empty");
}

static void print_memory(void)
{
	char line[128];
	FILE *status = fopen("/proc/self/status", "r");
	long anonymous = 0, mapped = 0, shared = 0;

	while (status && fgets(line, sizeof(line), status)) {
		(void)sscanf(line, "RssAnon: %ld", &anonymous);
		(void)sscanf(line, "RssFile: %ld", &mapped);
		(void)sscanf(line, "RssShmem: %ld", &shared);
	}
	if (status)
		(void)fclose(status);
	printf(" %ld %ld\n", anonymous, mapped + shared);
}

int main(int argc, char **argv)
{
	unsigned n = argc == 4 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	unsigned n_steps = n;
	CUgraphExec executable = NULL;
	double start;

	if (!n) {
		fputs("usage: growth launches|threads|streams|allocations|stacks|nodes N MODULE\n",
		      stderr);
		return 2;
	}
	open_bench(argv[3]);
	if (!strcmp(argv[1], "nodes"))
		executable = make_graph(n);
	start = now_ns();
	if (executable) {
		launch_graph(executable);
		n_steps = GRAPH_LAUNCHES;
	} else if (!strcmp(argv[1], "launches"))
		grow_launches(n);
	else if (!strcmp(argv[1], "threads"))
		n_steps = grow_threads(n);
	else if (!strcmp(argv[1], "streams"))
		n_steps = grow_streams(n);
	else if (!strcmp(argv[1], "allocations"))
		grow_allocations(n);
	else if (!strcmp(argv[1], "stacks"))
		grow_stacks(n);
	else
		return 2;
	printf("%.1f", (now_ns() - start) / n_steps);
	print_memory();
	return 0;
}
