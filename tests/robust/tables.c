/*
 * tables.c - hosts that run for a long time: kernels, names, libraries and threads come and go,
 * more than culprit has room for at once. The last kernel fails. Some hosts also print what can be
 * counted: resident memory, and locks taken.
 */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"
#include "jit.h"
#include "scenarios.h"

enum { LAST = 99999 };

static struct jit jit;

/*
 * For hosts that wait for each launch: their threads take turns, and waking a thread on another
 * processor takes longer than its turn. If this is refused, the test only takes longer.
 */
static void stay_on_one_processor(void)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET((unsigned)sched_getcpu(), &here);
	(void)sched_setaffinity(0, sizeof(here), &here);
}

static void open_host(void)
{
	host_open();
	jit_open(&jit);
}

static int fail(void)
{
	CUmodule module;
	CUfunction function;

	jit_rename(&jit, LAST);
	function = jit_load(&jit, &module);
	say("cuLaunchKernel", jit_launch(&jit, function, NULL, true)); /* the culprit */
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/* Launch a kernel whose module has been unloaded, as a delayed thread does. */
int late_launch(void)
{
	CUmodule module;
	CUfunction function;

	open_host();
	function = jit_load(&jit, &module);
	NEED(jit_launch(&jit, function, NULL, false));
	NEED(cuCtxSynchronize());
	NEED(cuModuleUnload(module));
	say("cuLaunchKernel", jit_launch(&jit, function, NULL, false));
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

static void use_kernel(void)
{
	CUmodule module;
	CUfunction function = jit_load(&jit, &module);

	NEED(jit_launch(&jit, function, NULL, false));
	NEED(cuCtxSynchronize());
	NEED(cuModuleUnload(module));
}

/* From the kernel `settled` on, all rows exist and memory must not grow. */
static int use_many(unsigned n, unsigned settled, bool are_fresh)
{
	size_t before = 0;

	stay_on_one_processor();
	open_host();
	for (unsigned i = 0; i < n; i++) {
		if (are_fresh)
			jit_rename(&jit, i);
		if (i == settled)
			before = host_resident_bytes();
		use_kernel();
	}
	say_growth(before);
	return fail();
}

static void launch_by(uint32_t path, unsigned n);
static void (*volatile const next)(uint32_t path, unsigned n) = launch_by;

/*
 * Launch n levels further down; the bits of `path` say by which of two calls each level is entered.
 */
static void launch_by(uint32_t path, unsigned n)
{
	if (n == 0) {
		NEED(host_fill(NULL));
		return;
	}
	if (path & 1)
		next(path >> 1, n - 1);
	else
		next(path >> 1 | 1u << 31, n - 1); /* another call, for the compiler too */
	__asm__ volatile("");                      /* so that no call becomes a jump */
}

/*
 * Each stack has some twelve frames that no other has: far more than the table of stacks has rows.
 */
int stacks_come_and_go(void)
{
	enum { N_STACKS = 200000, DEPTH = 30 };
	uint32_t path = 1;

	open_host();
	for (unsigned i = 0; i < N_STACKS; i++) {
		path = path * 1664525 + 1013904223;
		launch_by(path, DEPTH);
		if (i % 256 == 0)
			NEED(cuCtxSynchronize());
	}
	return fail();
}

static void *launch_named(void *argument)
{
	char name[16];

	(void)snprintf(name, sizeof(name), "worker %u", *(unsigned *)argument);
	NEED_TRUE(!pthread_setname_np(pthread_self(), name));
	host_use();
	NEED(host_fill(NULL));
	return NULL;
}

int threads_come_and_go(void)
{
	enum { N_NAMED = 70000 };
	pthread_t thread;

	stay_on_one_processor();
	open_host();
	for (unsigned i = 0; i < N_NAMED; i++) {
		NEED_TRUE(!pthread_create(&thread, NULL, launch_named, &i));
		NEED_TRUE(!pthread_join(thread, NULL));
		if (i % 256 == 0)
			NEED(cuCtxSynchronize());
	}
	return fail();
}

static bool is_bad;

static int launch_store(void)
{
	return (int)host_store(NULL, is_bad);
}

static void *open_library(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	NEED_TRUE(library);
	return library;
}

/* Launch from a library that is built from tests/stack/stale.c. */
static void launch_from_library(const char *path)
{
	void *library = open_library(path);
	void *symbol = dlsym(library, "work");
	int (*work)(int (*)(void));

	NEED_TRUE(symbol);
	memcpy(&work, &symbol, sizeof(work));
	NEED_TRUE(work(launch_store) == 0);
	NEED_TRUE(dlclose(library) == 0);
}

static void launch_from_name(const char *target, unsigned number)
{
	char path[32];

	(void)snprintf(path, sizeof(path), "./made-%05u.so", number);
	NEED_TRUE(symlink(target, path) == 0);
	launch_from_library(path);
	NEED_TRUE(unlink(path) == 0);
}

/* Each library has a new file name, as with just-in-time compilers. */
int libraries_come_and_go(void)
{
	enum { N_LIBRARIES = 20000 };
	void *library = open_library("libstale_200.so");
	struct link_map *map;
	char target[PATH_MAX];

	NEED_TRUE(dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && realpath(map->l_name, target));
	NEED_TRUE(dlclose(library) == 0);
	open_host();
	for (unsigned i = 0; i < N_LIBRARIES; i++) {
		launch_from_name(target, i);
		if (i % 256 == 0)
			NEED(cuCtxSynchronize());
	}
	NEED(cuCtxSynchronize());
	is_bad = true;
	launch_from_name(target, N_LIBRARIES);
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/* More kernels than there are rows for: the kernel that fails has no row. */
int kernels_stay(void)
{
	enum { N_MODULES = 100, N_OF_EACH = 700 };

	open_host();
	for (unsigned i = 0; i < N_MODULES; i++) {
		CUmodule module;

		jit_rename(&jit, i);
		(void)jit_load(&jit, &module);
		for (unsigned n = 0; n < N_OF_EACH; n++)
			NEED(jit_launch(&jit, jit_find(module), NULL, false));
		NEED(cuCtxSynchronize());
	}
	return fail();
}

int kernels_come_again(void)
{
	return use_many(20000, 18000, false);
}

int kernels_come_and_go(void)
{
	return use_many(70000, 40000, true);
}

static void launch_and_wait(unsigned index)
{
	(void)index;
	NEED(host_fill(CU_STREAM_PER_THREAD));
	NEED(cuStreamSynchronize(CU_STREAM_PER_THREAD));
}

/* Print the resident size while all later mappings are locked. */
int locked_memory(void)
{
	enum { N_THREADS = 4, STACK = 64 << 10 };

	NEED_TRUE(mlockall(MCL_FUTURE) == 0);
	host_open();
	host_threads(N_THREADS, STACK, launch_and_wait);
	fprintf(stderr, "resident %zu\n", host_resident_bytes() / 1024);
	return host_fail();
}

typedef CUresult launch_function(unsigned depth, unsigned *random);

static launch_function left, right;

/* Call one of two functions at each level, so that no stack occurs twice. */
static CUresult launch_from(unsigned depth, unsigned *random)
{
	if (depth == 0)
		return host_fill(NULL);
	return (rand_r(random) & 1 ? left : right)(depth - 1, random);
}

/* The statement after the call keeps the call from becoming a jump. */
__attribute__((noinline)) static CUresult left(unsigned depth, unsigned *random)
{
	CUresult result = launch_from(depth, random);

	__asm__ volatile("" ::: "memory");
	return result;
}

__attribute__((noinline)) static CUresult right(unsigned depth, unsigned *random)
{
	CUresult result = launch_from(depth, random);

	__asm__ volatile("nop" ::: "memory");
	return result;
}

/* Print how many mutexes culprit locked for a launch, if libcounted_locks.so counts them. */
int new_stacks(void)
{
	enum { N_LAUNCHES = 2000, DEPTH = 120 };
	const unsigned *count = dlsym(RTLD_DEFAULT, "counted_locks");
	unsigned random = 1;

	host_open();
	host_launch_some(10);
	unsigned before = count ? *count : 0;
	for (int i = 0; i < N_LAUNCHES; i++)
		NEED(left(DEPTH, &random));
	if (count)
		fprintf(stderr, "locks %.1f\n", (double)(*count - before) / N_LAUNCHES);
	return host_fail();
}
