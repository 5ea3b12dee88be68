/*
 * cliffs.c - measure rare operations that cost much more under a tool than a launch does. It uses
 * the plain driver API. scripts/bench cliffs runs it with and without culprit, in turns, and
 * compares.
 *
 *     cliffs stacks MODULE THREADS   us for each launch from a new stack of 120 frames
 *     cliffs streams MODULE THREADS  us to create a stream, launch into it and destroy it
 *     cliffs full MODULE             ms for each launch into a queue that another thread keeps full
 *     cliffs locked MODULE           resident MiB after mlockall(MCL_FUTURE)
 *     cliffs exit MODULE             us from the return of main until the process has exited
 */
#include <cuda.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 16, N_STACKS = 5000, DEPTH = 120, N_STREAMS = 5000, N_FULL = 100 };

/* Written by main before any thread starts. */
static CUcontext context;
static CUfunction empty, spin;
static CUstream shared;

static atomic_int is_over;

static void need(CUresult result, const char *call)
{
	const char *name = "an unknown error";

	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorName(result, &name);
	fprintf(stderr, "cliffs: %s returned %s\n", call, name);
	exit(1);
}
#define NEED(call, ...) need(call(__VA_ARGS__), #call)

static double now_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static void open_device(const char *path)
{
	CUdevice device;
	CUmodule module;

	NEED(cuInit, 0);
	NEED(cuDeviceGet, &device, 0);
	NEED(cuDevicePrimaryCtxRetain, &context, device);
	NEED(cuCtxSetCurrent, context);
	NEED(cuModuleLoad, &module, path);
	NEED(cuModuleGetFunction, &empty, module, "empty");
	NEED(cuModuleGetFunction, &spin, module, "spin_for");
}

static void launch(CUstream stream)
{
	NEED(cuLaunchKernel, empty, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL);
}

typedef void launch_function(unsigned depth, unsigned *random);

static launch_function left, right;

static void launch_from(unsigned depth, unsigned *random)
{
	if (depth == 0)
		launch(CU_STREAM_PER_THREAD);
	else
		(rand_r(random) & 1 ? left : right)(depth - 1, random);
}

/* The code after the call keeps the call from becoming a jump. */
__attribute__((noinline)) static void left(unsigned depth, unsigned *random)
{
	launch_from(depth, random);
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void right(unsigned depth, unsigned *random)
{
	launch_from(depth, random);
	__asm__ volatile("nop" ::: "memory");
}

static void *launch_from_new_stacks(void *index)
{
	unsigned random = (unsigned)(uintptr_t)index + 1;

	NEED(cuCtxSetCurrent, context);
	for (int i = 0; i < N_STACKS; i++)
		left(DEPTH, &random);
	return NULL;
}

static void *make_streams(void *unused)
{
	NEED(cuCtxSetCurrent, context);
	for (int i = 0; i < N_STREAMS; i++) {
		CUstream stream;

		NEED(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
		launch(stream);
		NEED(cuStreamDestroy, stream);
	}
	return unused;
}

/* Print the time of one step. n_threads threads run n steps side by side. */
static void time_threads(unsigned n_threads, int n, void *(*run)(void *))
{
	pthread_t threads[MAX_THREADS];
	double begin = now_us();

	for (uintptr_t i = 0; i < n_threads; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)i))
			exit(1);
	for (unsigned i = 0; i < n_threads; i++)
		(void)pthread_join(threads[i], NULL);
	printf("%.3f\n", (now_us() - begin) / n);
}

static void *keep_full(void *unused)
{
	unsigned us = 300;
	void *arguments[] = {&us};

	NEED(cuCtxSetCurrent, context);
	while (!atomic_load(&is_over))
		NEED(cuLaunchKernel, spin, 1, 1, 1, 1, 1, 1, 0, shared, arguments, NULL);
	return unused;
}

/*
 * The queue holds a thousand launches. The first launch that waits for room shows that it is full.
 */
static void time_full(void)
{
	const struct timespec rest = {.tv_nsec = 20000000}, until_full = {.tv_nsec = 600000000};
	pthread_t other;
	double sum = 0;

	NEED(cuStreamCreate, &shared, CU_STREAM_NON_BLOCKING);
	if (pthread_create(&other, NULL, keep_full, NULL))
		exit(1);
	(void)nanosleep(&until_full, NULL);
	for (int i = 0; i < N_FULL; i++) {
		double begin = now_us();

		launch(shared);
		sum += now_us() - begin;
		(void)nanosleep(&rest, NULL);
	}
	atomic_store(&is_over, 1);
	(void)pthread_join(other, NULL);
	printf("%.3f\n", sum / N_FULL / 1000);
}

static void print_resident(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (!file || fscanf(file, "%*u %lu", &pages) != 1)
		exit(1);
	(void)fclose(file);
	printf("%.3f\n", (double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20));
}

/* Start a child that prints the time when the parent's exit closes the returned descriptor. */
static int watch_exit(void)
{
	double begin;
	char end;
	int ends[2];

	if (pipe(ends) != 0)
		exit(1);
	if (fork() != 0)
		return ends[1];
	(void)close(ends[1]);
	if (read(ends[0], &begin, sizeof(begin)) == sizeof(begin) && read(ends[0], &end, 1) == 0)
		printf("%.3f\n", now_us() - begin);
	exit(0);
}

static int exit_watched(int fd)
{
	double begin = now_us();

	return write(fd, &begin, sizeof(begin)) != sizeof(begin);
}

static int print_usage(void)
{
	fputs("usage: cliffs stacks|streams MODULE THREADS\n"
	      "       cliffs full|locked|exit MODULE\n",
	      stderr);
	return 2;
}

int main(int argc, char **argv)
{
	unsigned n_threads = argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 1;
	int watched = -1;

	if (argc < 3 || argc > 4 || n_threads < 1 || n_threads > MAX_THREADS)
		return print_usage();
	if (strcmp(argv[1], "locked") == 0 && mlockall(MCL_FUTURE) != 0)
		perror("cliffs: mlockall");
	if (strcmp(argv[1], "exit") == 0)
		watched = watch_exit();
	open_device(argv[2]);
	launch(NULL);
	need(cuCtxSynchronize(), "cuCtxSynchronize");
	if (strcmp(argv[1], "stacks") == 0)
		time_threads(n_threads, N_STACKS, launch_from_new_stacks);
	else if (strcmp(argv[1], "streams") == 0)
		time_threads(n_threads, N_STREAMS, make_streams);
	else if (strcmp(argv[1], "full") == 0)
		time_full();
	else if (strcmp(argv[1], "locked") == 0)
		print_resident();
	else if (strcmp(argv[1], "exit") == 0)
		return exit_watched(watched);
	else
		return print_usage();
	return 0;
}
