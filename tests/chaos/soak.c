/*
 * soak.c - a host that runs for a long time. Its threads load kernels with ever new names, and
 * create and destroy streams, graphs, contexts, allocations, ranges and threads, all at random. Now
 * and then all threads pause, and the program prints what it uses: memory, descriptors, the
 * journal's files, time per launch. At the end a kernel fails. Usage: chaos_soak SECONDS WINDOWS
 */
#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host.h"
#include "jit.h"
#include "stacks.h"

#ifdef HAS_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

enum { N_WORKERS = 4, N_PROBES = 2000, LAST = 99999, MAX_NODES = 8 };

static pthread_barrier_t pause_begins, pause_ends;
static bool is_pausing, is_over; /* atomic; read by all between two waits at the barriers */
static unsigned n_names;         /* atomic */
static uint64_t n_rounds;        /* atomic */

static uint64_t now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void use_kernel(struct jit *jit, CUstream stream)
{
	CUmodule module;
	CUfunction function;

	jit_rename(jit, __atomic_fetch_add(&n_names, 1, __ATOMIC_RELAXED) % LAST);
	function = jit_load(jit, &module);
	for (unsigned n = 1 + chaos_random(16); n > 0; n--)
		NEED(jit_launch(jit, function, stream, false));
	NEED(cuStreamSynchronize(stream));
	NEED(cuModuleUnload(module));
}

static void use_stream(void)
{
	CUstream stream;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(host_fill(stream));
	if (chaos_random(2))
		NEED(cuStreamSynchronize(stream));
	NEED(cuStreamDestroy(stream));
}

static void use_graph(CUstream stream)
{
	CUgraphExec executable;
	CUgraph graph;

	NEED(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	for (unsigned n = 1 + chaos_random(MAX_NODES); n > 0; n--)
		NEED(host_fill(stream));
	NEED(cuStreamEndCapture(stream, &graph));
	NEED(cuGraphInstantiateWithFlags(&executable, graph, 0));
	NEED(cuGraphDestroy(graph));
	NEED(cuGraphLaunch(executable, stream));
	NEED(cuStreamSynchronize(stream));
	NEED(cuGraphExecDestroy(executable));
}

static void use_memory(CUstream stream)
{
	CUdeviceptr memory;

	NEED(cuMemAlloc(&memory, 256 << chaos_random(8)));
	NEED(cuMemsetD8Async(memory, 1, 256, stream));
	NEED(cuStreamSynchronize(stream));
	NEED(cuMemFree(memory));
}

/* Use a context of its own, with a kernel of its own. */
static void use_context(void)
{
	CUcontext context;
	CUdevice device;
	struct jit jit;

	NEED(cuDeviceGet(&device, 0));
	NEED(cuCtxCreate(&context, NULL, 0, device));
	jit_open(&jit);
	use_kernel(&jit, NULL);
	jit_close(&jit);
	NEED(cuCtxDestroy(context));
}

static void use_range(CUstream stream)
{
#ifdef HAS_NVTX
	char text[32];

	(void)snprintf(text, sizeof(text), "step %u", __atomic_load_n(&n_names, __ATOMIC_RELAXED));
	nvtxRangePushA(text);
#endif
	NEED(host_fill(stream));
#ifdef HAS_NVTX
	nvtxRangePop();
#endif
}

static void *launch_once(void *unused)
{
	host_use();
	NEED(host_fill(CU_STREAM_PER_THREAD));
	NEED(cuStreamSynchronize(CU_STREAM_PER_THREAD));
	return unused;
}

static void use_thread(void)
{
	pthread_t thread;

	NEED_TRUE(!pthread_create(&thread, NULL, launch_once, NULL));
	NEED_TRUE(!pthread_join(thread, NULL));
}

static void do_something(struct jit *jit, CUstream stream)
{
	unsigned what = chaos_random(100);

	if (what < 40)
		use_kernel(jit, stream);
	else if (what < 55)
		use_stream();
	else if (what < 65)
		use_graph(stream);
	else if (what < 80)
		use_memory(stream);
	else if (what < 95)
		use_range(stream);
	else if (what < 99)
		use_thread();
	else
		use_context();
	__atomic_fetch_add(&n_rounds, 1, __ATOMIC_RELAXED);
}

static void wait_here(void)
{
	(void)pthread_barrier_wait(&pause_begins);
	(void)pthread_barrier_wait(&pause_ends);
}

static void work(unsigned index)
{
	struct jit jit;
	CUstream stream;

	chaos_seed(index);
	jit_open(&jit);
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE)) {
		if (__atomic_load_n(&is_pausing, __ATOMIC_ACQUIRE))
			wait_here();
		else
			do_something(&jit, stream);
	}
	NEED(cuStreamDestroy(stream));
	jit_close(&jit);
}

static unsigned count_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	unsigned n = 0;

	NEED_TRUE(directory);
	while (readdir(directory))
		n++;
	(void)closedir(directory);
	return n;
}

/* Return the total size of the files in a directory, in kB. */
static uint64_t size_of(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	uint64_t n_blocks = 0;

	while (directory && (entry = readdir(directory))) {
		struct stat status;

		if (fstatat(dirfd(directory), entry->d_name, &status, 0) == 0 &&
		    S_ISREG(status.st_mode))
			n_blocks += (uint64_t)status.st_blocks;
	}
	if (directory)
		(void)closedir(directory);
	return n_blocks / 2;
}

/* Return the current size of the journal, 0 without culprit. */
static uint64_t journal_kb(void)
{
	const char *parent = getenv("CULPRIT_DIR");
	DIR *directory = parent ? opendir(parent) : NULL;
	struct dirent *entry;
	uint64_t kb = 0;

	while (directory && (entry = readdir(directory))) {
		char path[PATH_MAX];

		(void)snprintf(path, sizeof(path), "%s/%s/live", parent, entry->d_name);
		if (entry->d_name[0] != '.')
			kb += size_of(path);
	}
	if (directory)
		(void)closedir(directory);
	return kb;
}

static double launch_ns(CUstream stream)
{
	uint64_t best = UINT64_MAX;

	/* Take the best of several: other work of the machine must not count. */
	for (int i = 0; i < 10; i++) {
		uint64_t begin = now_ns();

		for (int n = 0; n < N_PROBES / 10; n++)
			NEED(host_fill(stream));
		uint64_t took = now_ns() - begin;

		best = took < best ? took : best;
		NEED(cuStreamSynchronize(stream));
	}
	return (double)best / (N_PROBES / 10);
}

/* Print the figures of a window while all other threads pause. */
static void tell(unsigned window, CUstream stream)
{
	double ns = launch_ns(stream);

	printf("window %u: rounds %llu, resident %zu kB, descriptors %u, journal %llu kB, "
	       "launch %.0f ns\n",
	       window, (unsigned long long)__atomic_load_n(&n_rounds, __ATOMIC_RELAXED),
	       host_resident_bytes() / 1024, count_descriptors(), (unsigned long long)journal_kb(),
	       ns);
	(void)fflush(stdout);
}

static unsigned n_seconds, n_windows;

static void *watch(void *unused)
{
	CUstream stream;

	host_use();
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	for (unsigned window = 1; window <= n_windows; window++) {
		uint64_t ns = (uint64_t)n_seconds * 1000000000 / n_windows;
		struct timespec time = {.tv_sec = (time_t)(ns / 1000000000),
					.tv_nsec = (long)(ns % 1000000000)};

		(void)nanosleep(&time, NULL);
		__atomic_store_n(&is_pausing, true, __ATOMIC_RELEASE);
		(void)pthread_barrier_wait(&pause_begins);
		__atomic_store_n(&is_pausing, false, __ATOMIC_RELEASE);
		tell(window, stream);
		__atomic_store_n(&is_over, window == n_windows, __ATOMIC_RELEASE);
		(void)pthread_barrier_wait(&pause_ends);
	}
	NEED(cuStreamDestroy(stream));
	return unused;
}

static int fail(void)
{
	struct jit jit;
	CUmodule module;
	CUfunction function;

	jit_open(&jit);
	jit_rename(&jit, LAST);
	function = jit_load(&jit, &module);
	(void)say("cuLaunchKernel", jit_launch(&jit, function, NULL, true)); /* the culprit */
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

int main(int n_arguments, char **arguments)
{
	pthread_t watcher;

	NEED_TRUE(n_arguments == 3);
	n_seconds = (unsigned)strtoul(arguments[1], NULL, 10);
	n_windows = (unsigned)strtoul(arguments[2], NULL, 10);
	NEED_TRUE(n_seconds > 0 && n_windows > 0);
	host_open();
	NEED_TRUE(!pthread_barrier_init(&pause_begins, NULL, N_WORKERS + 1));
	NEED_TRUE(!pthread_barrier_init(&pause_ends, NULL, N_WORKERS + 1));
	NEED_TRUE(!pthread_create(&watcher, NULL, watch, NULL));
	host_threads(N_WORKERS, 0, work);
	NEED_TRUE(!pthread_join(watcher, NULL));
	return fail();
}
