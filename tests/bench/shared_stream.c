/*
 * shared_stream.c - measure how long threads take to launch into a stream that another thread
 * copies on. It uses the plain driver API. scripts/bench runs it with and without culprit, in
 * turns, and compares.
 *
 * Each launching thread times the launch of an empty kernel, then spins for a pause. The copying
 * thread copies device memory to pageable host memory, in calls that return when the copy is
 * complete, and rests in between: the driver's own lock keeps all other threads out while one
 * thread copies without a pause (H200, driver 580.159). Prints the median and the 99th of 100
 * launches in microseconds, launches and copies a second.
 */
#include <cuda.h>
#include <getopt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_THREADS = 16, MAX_SAMPLES = 1 << 20 };

/* Written by main before any thread starts. */
static struct {
	const char *module;
	unsigned threads, pause_us, seconds, copy_mib, rest_us;
	CUcontext context;
	CUfunction function;
	CUstream stream; /* NULL: the legacy one */
	CUdeviceptr data;
	void *copy;
} bench = {.threads = 4, .pause_us = 100, .seconds = 2, .copy_mib = 64, .rest_us = 1000};

struct worker {
	pthread_t thread;
	uint32_t *ns; /* of each launch, the newest of them */
	uint64_t n;
};

static _Atomic int is_over;
static uint64_t n_copies; /* written by the copying thread, read after it has finished */

static void need(CUresult result, const char *call)
{
	const char *name = "an unknown error";

	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorName(result, &name);
	fprintf(stderr, "shared_stream: %s returned %s\n", call, name);
	exit(1);
}
#define NEED(call, ...) need(call(__VA_ARGS__), #call)

static uint64_t now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void launch(struct worker *worker)
{
	uint64_t begin = now_ns(), end;

	NEED(cuLaunchKernel, bench.function, 1, 1, 1, 32, 1, 1, 0, bench.stream, NULL, NULL);
	end = now_ns();
	worker->ns[worker->n++ % MAX_SAMPLES] = (uint32_t)(end - begin);
	while (now_ns() < end + bench.pause_us * 1000ull)
		;
}

static void *run_worker(void *data)
{
	NEED(cuCtxSetCurrent, bench.context);
	while (!atomic_load(&is_over))
		launch(data);
	return NULL;
}

static void *run_copies(void *unused)
{
	const struct timespec rest = {.tv_nsec = (long)bench.rest_us * 1000};
	size_t bytes = (size_t)bench.copy_mib << 20;

	NEED(cuCtxSetCurrent, bench.context);
	while (!atomic_load(&is_over)) {
		if (bench.stream) {
			NEED(cuMemcpyDtoHAsync, bench.copy, bench.data, bytes, bench.stream);
			NEED(cuStreamSynchronize, bench.stream);
		} else {
			NEED(cuMemcpyDtoH, bench.copy, bench.data, bytes);
		}
		n_copies++;
		if (bench.rest_us)
			(void)nanosleep(&rest, NULL);
	}
	return unused;
}

static void open_bench(void)
{
	CUdevice device;
	CUmodule module;

	NEED(cuInit, 0);
	NEED(cuDeviceGet, &device, 0);
	NEED(cuDevicePrimaryCtxRetain, &bench.context, device);
	NEED(cuCtxSetCurrent, bench.context);
	NEED(cuModuleLoad, &module, bench.module);
	NEED(cuModuleGetFunction, &bench.function, module, "empty");
	NEED(cuMemAlloc, &bench.data, (size_t)bench.copy_mib << 20);
	bench.copy = calloc(bench.copy_mib, 1 << 20);
	if (!bench.copy)
		exit(1);
}

static int compare(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static size_t gather(const struct worker *workers, uint32_t *all)
{
	size_t n = 0;

	for (unsigned i = 0; i < bench.threads; i++) {
		size_t kept = workers[i].n < MAX_SAMPLES ? workers[i].n : MAX_SAMPLES;

		memcpy(all + n, workers[i].ns, kept * sizeof(*all));
		n += kept;
	}
	qsort(all, n, sizeof(*all), compare);
	return n;
}

static void tell(const struct worker *workers, double seconds)
{
	uint32_t *all = calloc((size_t)bench.threads * MAX_SAMPLES, sizeof(*all));
	uint64_t launches = 0;
	size_t n;

	if (!all)
		exit(1);
	n = gather(workers, all);
	for (unsigned i = 0; i < bench.threads; i++)
		launches += workers[i].n;
	if (n == 0)
		exit(1);
	printf("%.3f %.3f %.0f %.2f\n", all[n / 2] / 1e3, all[n * 99 / 100] / 1e3,
	       (double)launches / seconds, (double)n_copies / seconds);
	free(all);
}

static void run(void)
{
	static struct worker workers[MAX_THREADS];
	const struct timespec time = {.tv_sec = bench.seconds};
	uint64_t begin = now_ns();
	pthread_t copies;

	if (pthread_create(&copies, NULL, run_copies, NULL))
		exit(1);
	for (unsigned i = 0; i < bench.threads; i++) {
		workers[i].ns = calloc(MAX_SAMPLES, sizeof(*workers[i].ns));
		if (!workers[i].ns ||
		    pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]))
			exit(1);
	}
	(void)nanosleep(&time, NULL);
	atomic_store(&is_over, 1);
	for (unsigned i = 0; i < bench.threads; i++)
		(void)pthread_join(workers[i].thread, NULL);
	(void)pthread_join(copies, NULL);
	tell(workers, (double)(now_ns() - begin) / 1e9);
}

static int print_usage(void)
{
	fputs("usage: shared_stream [--threads N] [--pause MICROSECONDS] [--seconds N]\n"
	      "           [--copy MIB] [--rest MICROSECONDS] [--explicit] MODULE\n",
	      stderr);
	return 2;
}

static unsigned number(unsigned least, unsigned most)
{
	unsigned long value = strtoul(optarg, NULL, 10);

	if (value < least || value > most) {
		fprintf(stderr, "shared_stream: %s is not %u to %u\n", optarg, least, most);
		exit(2);
	}
	return (unsigned)value;
}

/* Is the stream an explicit one? */
static int read_options(int argc, char **argv)
{
	static const struct option options[] = {{"threads", required_argument, NULL, 't'},
						{"pause", required_argument, NULL, 'p'},
						{"seconds", required_argument, NULL, 's'},
						{"copy", required_argument, NULL, 'c'},
						{"rest", required_argument, NULL, 'r'},
						{"explicit", no_argument, NULL, 'e'},
						{NULL, 0, NULL, 0}};
	int option, is_explicit = 0;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 't')
			bench.threads = number(1, MAX_THREADS);
		else if (option == 'p')
			bench.pause_us = number(0, 1000000);
		else if (option == 's')
			bench.seconds = number(1, 600);
		else if (option == 'c')
			bench.copy_mib = number(1, 4096);
		else if (option == 'r')
			bench.rest_us = number(0, 999999);
		else if (option == 'e')
			is_explicit = 1;
		else
			exit(print_usage());
	}
	if (optind != argc - 1)
		exit(print_usage());
	bench.module = argv[optind];
	return is_explicit;
}

int main(int argc, char **argv)
{
	int is_explicit = read_options(argc, argv);

	open_bench();
	if (is_explicit)
		NEED(cuStreamCreate, &bench.stream, CU_STREAM_NON_BLOCKING);
	run();
	return 0;
}
