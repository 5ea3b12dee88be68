/*
 * launch_cost.c - measure how long the host takes to launch a kernel, and the GPU to run it. It
 * uses the plain driver API. scripts/bench runs it with and without culprit, in turns, and
 * compares.
 *
 * In each round, each thread launches N kernels, over its streams in turn, then waits for them.
 * With --legacy threads have no streams of their own and use the context's, as in most programs.
 * Prints the medians over the rounds, in ns for each launch: of the launching alone, and with the
 * wait. The first round warms up and is not counted.
 *
 * With --cold each launch is timed separately, with its memory evicted from the caches near the
 * processor. A round's result is its median launch. --cold=KIB walks over less, for simulated
 * caches.
 */
#include "cold_caches.h"

#include <cuda.h>
#include <getopt.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	MAX_ROUNDS = 1000,
	MAX_STREAMS = 64,
	MAX_THREADS = 64,
	TOUCHED_BYTES = 4 << 20,
	SPIN_US = 10,
	COLD_KIB = 4 << 10, /* twice the second-level cache of today's servers (2 MiB) */
};

struct kernel {
	const char *name;
	unsigned blocks, threads;
};

static const struct kernel kernels[] = {
	{"empty", 1, 32},
	{"eight_arguments", 1, 32},
	{"lists", 1, 32},
	{"spin_for", 1, 1},
	{"touch", TOUCHED_BYTES / sizeof(uint32_t) / 256, 256},
};

/* Written by main before any thread starts. */
static struct {
	const char *module;
	const struct kernel *kernel;
	unsigned launches, rounds, streams, threads, depth;
	CUdevice device;
	CUcontext context;
	CUfunction function;
	CUdeviceptr data;
	bool is_legacy; /* the stream */
	bool is_cold;
	size_t cold_bytes;
	double ns_per_tick; /* with is_cold */
	pthread_barrier_t barrier;
} bench = {.kernel = kernels, .launches = 500, .rounds = 9, .streams = 1, .threads = 1};

struct worker {
	pthread_t thread;
	CUstream streams[MAX_STREAMS];
	double launching_ns[MAX_ROUNDS]; /* for each launch */
	double draining_ns[MAX_ROUNDS];
	double *cold_ns; /* of each launch of the round */
};

static void need(CUresult result, const char *call)
{
	const char *name = "an unknown error";

	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorName(result, &name);
	fprintf(stderr, "launch_cost: %s returned %s\n", call, name);
	exit(1);
}
#define NEED(call, ...) need(call(__VA_ARGS__), #call)

static double now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void launch(CUstream stream)
{
	static float x = 1, y = 2;
	static uint64_t tensor_lists[450];
	static unsigned n = 1, spin_us = SPIN_US, touched = TOUCHED_BYTES / sizeof(uint32_t);
	void *eight[] = {&bench.data, &bench.data, &bench.data, &n, &x, &y, &n, &n};
	void *lists[] = {&n, tensor_lists};
	void *spin[] = {&spin_us};
	void *touch[] = {&bench.data, &touched};
	void **arguments[] = {NULL, eight, lists, spin, touch};

	NEED(cuLaunchKernel, bench.function, bench.kernel->blocks, 1, 1, bench.kernel->threads, 1,
	     1, 0, stream, arguments[bench.kernel - kernels], NULL);
}

/* Launch with one frame for each level of depth, so that the stack is as deep as a program's. */
static __attribute__((noinline)) void launch_deep(CUstream stream, unsigned depth)
{
	if (depth == 0)
		launch(stream);
	else
		launch_deep(stream, depth - 1);
	__asm__ volatile(""); /* keeps the call above from becoming a jump */
}

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static double median(double *values, unsigned n)
{
	qsort(values, n, sizeof(values[0]), compare);
	return values[n / 2];
}

/* Use the median: other work of the system affects only some launches. */
static double run_cold_launches(struct worker *worker)
{
	for (unsigned i = 0; i < bench.launches; i++) {
		uint64_t start;

		cold_caches_make();
		start = cold_caches_ticks();
		launch_deep(worker->streams[i % bench.streams], bench.depth);
		worker->cold_ns[i] = (double)(cold_caches_ticks() - start) * bench.ns_per_tick;
	}
	return median(worker->cold_ns, bench.launches);
}

static void run_round(struct worker *worker, unsigned round, bool is_cold)
{
	double start, launched;

	(void)pthread_barrier_wait(&bench.barrier);
	start = now_ns();
	if (is_cold)
		worker->launching_ns[round] = run_cold_launches(worker);
	else
		for (unsigned i = 0; i < bench.launches; i++)
			launch_deep(worker->streams[i % bench.streams], bench.depth);
	launched = now_ns();
	for (unsigned i = 0; i < bench.streams; i++)
		NEED(cuStreamSynchronize, worker->streams[i]);
	if (!is_cold)
		worker->launching_ns[round] = (launched - start) / bench.launches;
	worker->draining_ns[round] = (now_ns() - start) / bench.launches;
}

static void *run_worker(void *data)
{
	struct worker *worker = data;

	worker->cold_ns = calloc(bench.launches, sizeof(worker->cold_ns[0]));
	if (!worker->cold_ns)
		exit(1);
	NEED(cuCtxSetCurrent, bench.context);
	for (unsigned i = 0; i < bench.streams && !bench.is_legacy; i++)
		NEED(cuStreamCreate, &worker->streams[i], CU_STREAM_NON_BLOCKING);
	for (unsigned round = 0; round <= bench.rounds; round++)
		run_round(worker, round ? round - 1 : 0, bench.is_cold && round);
	for (unsigned i = 0; i < bench.streams && !bench.is_legacy; i++)
		NEED(cuStreamDestroy, worker->streams[i]);
	free(worker->cold_ns);
	return NULL;
}

/* Print the mean of all threads. Each thread has timed its own launches. */
static void print_result(struct worker *workers)
{
	double launching_ns = 0, draining_ns = 0;

	for (unsigned i = 0; i < bench.threads; i++) {
		launching_ns += median(workers[i].launching_ns, bench.rounds) / bench.threads;
		draining_ns += median(workers[i].draining_ns, bench.rounds) / bench.threads;
	}
	printf("%.1f %.1f\n", launching_ns, draining_ns);
}

static void find_device(void)
{
	NEED(cuInit, 0);
	NEED(cuDeviceGet, &bench.device, 0);
}

static void open_bench(void)
{
	CUmodule module;

	NEED(cuDevicePrimaryCtxRetain, &bench.context, bench.device);
	NEED(cuCtxSetCurrent, bench.context);
	NEED(cuModuleLoad, &module, bench.module);
	NEED(cuModuleGetFunction, &bench.function, module, bench.kernel->name);
	NEED(cuMemAlloc, &bench.data, TOUCHED_BYTES);
	(void)pthread_barrier_init(&bench.barrier, NULL, bench.threads);
}

/*
 * Every current x86-64 processor's clock counts at a constant rate; this measures the rate for 20
 * ms.
 */
static void open_cold(void)
{
	double start_ns = now_ns(), end_ns = start_ns;
	uint64_t start = cold_caches_ticks();

	if (cold_caches_prepare(bench.cold_bytes)) {
		fputs("launch_cost: no memory for --cold\n", stderr);
		exit(1);
	}
	while (end_ns < start_ns + 20e6)
		end_ns = now_ns();
	bench.ns_per_tick = (end_ns - start_ns) / (double)(cold_caches_ticks() - start);
}

static int print_device(void)
{
	char name[128];

	find_device();
	NEED(cuDeviceGetName, name, sizeof(name), bench.device);
	puts(name);
	return 0;
}

static int print_usage(void)
{
	fputs("usage: launch_cost [--kernel empty|eight_arguments|lists|spin_for|touch]\n"
	      "           [--launches N] [--rounds N] [--streams N|--legacy] [--threads N] "
	      "[--depth N]\n"
	      "           [--cold[=KIB]] MODULE\n"
	      "       launch_cost --device\n",
	      stderr);
	return 2;
}

static unsigned number(unsigned most)
{
	unsigned long value = strtoul(optarg, NULL, 10);

	if (value > most) {
		fprintf(stderr, "launch_cost: %s is more than %u\n", optarg, most);
		exit(2);
	}
	return (unsigned)value;
}

static void set_kernel(void)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (!strcmp(kernels[i].name, optarg)) {
			bench.kernel = &kernels[i];
			return;
		}
	exit(print_usage());
}

static void set_cold(void)
{
	bench.is_cold = true;
	bench.cold_bytes = optarg ? (size_t)number(COLD_KIB) << 10 : COLD_KIB << 10;
}

static void read_options(int argc, char **argv)
{
	static const struct option options[] = {{"kernel", required_argument, NULL, 'k'},
						{"launches", required_argument, NULL, 'n'},
						{"rounds", required_argument, NULL, 'r'},
						{"streams", required_argument, NULL, 's'},
						{"legacy", no_argument, NULL, 'l'},
						{"threads", required_argument, NULL, 't'},
						{"depth", required_argument, NULL, 'd'},
						{"cold", optional_argument, NULL, 'c'},
						{"device", no_argument, NULL, 'D'},
						{NULL, 0, NULL, 0}};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'k')
			set_kernel();
		else if (option == 'n')
			bench.launches = number(100000000);
		else if (option == 'r')
			bench.rounds = number(MAX_ROUNDS);
		else if (option == 's')
			bench.streams = number(MAX_STREAMS);
		else if (option == 'l')
			bench.is_legacy = true;
		else if (option == 't')
			bench.threads = number(MAX_THREADS);
		else if (option == 'd')
			bench.depth = number(10000);
		else if (option == 'c')
			set_cold();
		else
			exit(option == 'D' ? print_device() : print_usage());
	}
	if (optind != argc - 1 || !bench.launches || !bench.rounds || !bench.streams ||
	    !bench.threads)
		exit(print_usage());
	bench.module = argv[optind];
}

int main(int argc, char **argv)
{
	static struct worker workers[MAX_THREADS];

	/*
	 * culprit recognises valgrind by this variable, and then does without the driver's own
	 * words.
	 */
	(void)unsetenv("LD_PRELOAD");
	read_options(argc, argv);
	find_device();
	open_bench();
	if (bench.is_cold)
		open_cold();
	for (unsigned i = 0; i < bench.threads; i++)
		if (pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]))
			return 1;
	for (unsigned i = 0; i < bench.threads; i++)
		(void)pthread_join(workers[i].thread, NULL);
	print_result(workers);
	return 0;
}
