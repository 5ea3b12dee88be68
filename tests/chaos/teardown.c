/*
 * teardown.c - a host that destroys what another thread works with: streams, modules, libraries,
 * contexts, the primary context. Usage: chaos_teardown KIND WAY ROUNDS SECONDS
 *
 * WAY is "raced" or "handed". "raced" destroys the object during that thread's calls; a program
 * should not do this, but many do at exit. "handed" destroys it right after the last call, while
 * the work is still on the GPU. Afterwards a kernel fails.
 *
 * Prints a dot for each 100 rounds, which shows how far a process came that did not end well, and
 * what the users' calls returned.
 */
#include <cuda.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host.h"
#include "stacks.h"

enum { N_PAIRS = 2, N_CALLS = 16, N_WORDS = 64, SPIN_US = 5, N_CODES = 1000, A_DOT = 100 };

/* A thread that uses objects, and one that makes and destroys them. */
struct pair {
	pthread_barrier_t begins, ends; /* of a round */
	CUcontext context;
	CUmodule module;
	CUlibrary library;
	CUfunction spin;
	CUstream stream;
	CUdeviceptr data;
	_Atomic unsigned n_made; /* calls of this round */
	_Atomic bool is_ending, is_left, is_over;
};

/*
 * How each kind of object is created and destroyed, with pair->context current. make_common is
 * called once, before the first round.
 */
struct kind {
	const char *name;
	unsigned n_pairs;
	void (*make_common)(struct pair *pair);
	void (*make)(struct pair *pair);
	void (*end)(struct pair *pair);
};

static struct pair pairs[N_PAIRS];
static const struct kind *kind;
static bool is_raced;
static unsigned n_rounds;
static time_t last_second;
static _Atomic unsigned n_done;
static _Atomic unsigned n_codes[N_CODES]; /* of users' calls, by result */

static void load_module(struct pair *pair)
{
	char path[4096];

	host_kernel_path("spin", path, sizeof(path));
	NEED(cuModuleLoad(&pair->module, path));
	NEED(cuModuleGetFunction(&pair->spin, pair->module, "spin"));
}

/* Load the kernel itself, and the function that the context has of it. */
static void load_library(struct pair *pair)
{
	char path[4096];
	CUkernel kernel;

	host_kernel_path("spin", path, sizeof(path));
	NEED(cuLibraryLoadFromFile(&pair->library, path, NULL, NULL, 0, NULL, NULL, 0));
	NEED(cuLibraryGetKernel(&kernel, pair->library, "spin"));
	pair->spin = (CUfunction)kernel;
	if (chaos_random(2))
		NEED(cuKernelGetFunction(&pair->spin, kernel));
}

static void make_stream(struct pair *pair)
{
	NEED(cuStreamCreate(&pair->stream, CU_STREAM_NON_BLOCKING));
}

static void make_data(struct pair *pair)
{
	NEED(cuMemAlloc(&pair->data, N_WORDS * sizeof(uint32_t)));
}

static void make_primary(struct pair *pair)
{
	NEED(cuDevicePrimaryCtxRetain(&pair->context, 0));
	NEED(cuCtxSetCurrent(pair->context));
}

static void fill_context(struct pair *pair)
{
	load_module(pair);
	make_data(pair);
	make_stream(pair);
}

static void make_for_streams(struct pair *pair)
{
	make_primary(pair);
	load_module(pair);
	make_data(pair);
}

static void make_for_modules(struct pair *pair)
{
	make_primary(pair);
	make_data(pair);
	make_stream(pair);
}

static void make_none(struct pair *pair)
{
	(void)pair;
}

static void make_context(struct pair *pair)
{
	NEED(cuCtxCreate(&pair->context, NULL, 0, 0));
	fill_context(pair);
}

static void make_primary_anew(struct pair *pair)
{
	make_primary(pair);
	fill_context(pair);
}

/* In a race the driver may refuse any call; the object no longer exists in either case. */
static void end_stream(struct pair *pair)
{
	(void)cuStreamDestroy(pair->stream);
}

static void end_module(struct pair *pair)
{
	(void)cuModuleUnload(pair->module);
}

static void end_library(struct pair *pair)
{
	(void)cuLibraryUnload(pair->library);
}

static void end_context(struct pair *pair)
{
	(void)cuCtxDestroy(pair->context);
}

static void end_primary(struct pair *pair)
{
	(void)pair;
	(void)cuDevicePrimaryCtxReset(0);
	(void)cuDevicePrimaryCtxRelease(0);
}

/* There is only one primary context, so only one pair uses it. */
static const struct kind kinds[] = {
	{"stream", N_PAIRS, make_for_streams, make_stream, end_stream},
	{"module", N_PAIRS, make_for_modules, load_module, end_module},
	{"library", N_PAIRS, make_for_modules, load_library, end_library},
	{"context", N_PAIRS, make_none, make_context, end_context},
	{"primary", 1, make_none, make_primary_anew, end_primary},
};

static CUresult launch(const struct pair *pair)
{
	unsigned tag = 3, microseconds = SPIN_US;
	void *parameters[] = {&tag, &microseconds};

	return cuLaunchKernel(pair->spin, 1, 1, 1, 1, 1, 1, 0, pair->stream, parameters, NULL);
}

static CUresult call_something(const struct pair *pair)
{
	unsigned what = chaos_random(10);

	if (what == 0)
		return cuMemsetD32Async(pair->data, 1, N_WORDS, pair->stream);
	if (what == 1)
		return cuStreamQuery(pair->stream);
	return launch(pair);
}

static void count(CUresult code)
{
	atomic_fetch_add(&n_codes[(unsigned)code < N_CODES ? (unsigned)code : N_CODES - 1], 1);
}

static void use(struct pair *pair)
{
	CUresult code = cuCtxSetCurrent(pair->context);

	for (unsigned i = 0; i < N_CALLS && !atomic_load(&pair->is_ending); i++) {
		code = call_something(pair);
		count(code);
		atomic_fetch_add(&pair->n_made, 1);
		if (code != CUDA_SUCCESS && code != CUDA_ERROR_NOT_READY)
			break;
	}
	atomic_store(&pair->is_left, true);
}

/*
 * Wait for the user: until some or all calls were made ("raced"), or until the last one was made
 * ("handed").
 */
static void wait_for_user(struct pair *pair)
{
	unsigned wanted = is_raced ? chaos_random(N_CALLS) : N_CALLS + 1;

	while (!atomic_load(&pair->is_left) && atomic_load(&pair->n_made) < wanted)
		;
	atomic_store(&pair->is_ending, true);
}

static bool is_enough(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec >= last_second || atomic_load(&n_done) >= n_rounds;
}

static void tell_round(void)
{
	if ((atomic_fetch_add(&n_done, 1) + 1) % A_DOT == 0)
		NEED_TRUE(write(STDOUT_FILENO, ".", 1) == 1);
}

static void make_and_end(struct pair *pair)
{
	kind->make_common(pair);
	while (!is_enough()) {
		kind->make(pair);
		atomic_store(&pair->n_made, 0);
		atomic_store(&pair->is_ending, false);
		atomic_store(&pair->is_left, false);
		(void)pthread_barrier_wait(&pair->begins);
		wait_for_user(pair);
		kind->end(pair);
		(void)pthread_barrier_wait(&pair->ends);
		tell_round();
	}
	atomic_store(&pair->is_over, true);
	(void)pthread_barrier_wait(&pair->begins);
}

static void use_often(struct pair *pair)
{
	for (;;) {
		(void)pthread_barrier_wait(&pair->begins);
		if (atomic_load(&pair->is_over))
			return;
		use(pair);
		(void)pthread_barrier_wait(&pair->ends);
	}
}

static void work(unsigned index)
{
	struct pair *pair = &pairs[index / 2];

	chaos_seed(index + (unsigned)getpid());
	if (index % 2)
		use_often(pair);
	else
		make_and_end(pair);
}

static void tell(void)
{
	printf("\nrounds %u\n", atomic_load(&n_done));
	for (unsigned code = 0; code < N_CODES; code++)
		if (n_codes[code])
			printf("code %u: %u\n", code, n_codes[code]);
	(void)fflush(stdout);
}

static void read_arguments(char **arguments)
{
	struct timespec now;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(arguments[1], kinds[i].name))
			kind = &kinds[i];
	is_raced = !strcmp(arguments[2], "raced");
	NEED_TRUE(kind && (is_raced || !strcmp(arguments[2], "handed")));
	n_rounds = (unsigned)strtoul(arguments[3], NULL, 10);
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	last_second = now.tv_sec + (time_t)strtoul(arguments[4], NULL, 10);
}

int main(int n_arguments, char **arguments)
{
	NEED_TRUE(n_arguments == 5);
	read_arguments(arguments);
	NEED(cuInit(0));
	for (unsigned i = 0; i < N_PAIRS; i++) {
		NEED_TRUE(!pthread_barrier_init(&pairs[i].begins, NULL, 2));
		NEED_TRUE(!pthread_barrier_init(&pairs[i].ends, NULL, 2));
	}
	host_threads(2 * kind->n_pairs, 0, work);
	tell();
	host_open();
	return host_fail();
}
