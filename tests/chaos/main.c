/*
 * main.c - a host that launches from stacks and code that no compiler makes. All of this is legal
 * and must not crash the program. At the end a kernel fails. Usage: chaos_stacks LAUNCHES [KIND].
 * Prints what it has launched from each kind of place.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "stacks.h"
#include "stacks_code.h"
#include "stacks_switched.h"

enum { PAGE = 4096, TINY_PAGES = 6, N_THREADS = 3 };

static unsigned n_left_in_threads; /* atomic */

/*
 * The thread's stack lies between two inaccessible pages and is unmapped after the thread finished.
 */
static void *run_on_tiny_stack(void *unused)
{
	host_use();
	chaos_launch();
	__atomic_fetch_add(&n_left_in_threads, chaos_launched, __ATOMIC_RELAXED);
	return unused;
}

static void chaos_tiny_thread(void)
{
	size_t least = (size_t)PTHREAD_STACK_MIN; /* 128 KiB on aarch64 */
	size_t wanted = (TINY_PAGES + chaos_random(TINY_PAGES)) * PAGE;
	size_t size = wanted > least ? wanted : least;
	char *end = chaos_map(size);
	pthread_attr_t attributes;
	pthread_t thread;

	NEED_TRUE(!pthread_attr_init(&attributes));
	NEED_TRUE(!pthread_attr_setstack(&attributes, end - size, size));
	NEED_TRUE(!pthread_create(&thread, &attributes, run_on_tiny_stack, NULL));
	NEED_TRUE(!pthread_join(thread, NULL));
	pthread_attr_destroy(&attributes);
	chaos_unmap(end, size);
	chaos_launched += __atomic_exchange_n(&n_left_in_threads, 0, __ATOMIC_RELAXED);
}

static const struct kind {
	const char *name;
	void (*launch)(void);
	unsigned one_in; /* how many times longer it takes than the others */
} kinds[] = {
	{"libco", chaos_libco, 1},
	{"assembly", chaos_assembly, 1},
	{"makecontext", chaos_makecontext, 1},
	{"signal", chaos_signal, 1},
	{"signal-in-coroutine", chaos_signal_in_coroutine, 1},
	{"unloaded", chaos_unloaded, 16},
	{"generated", chaos_generated, 1},
	{"deep", chaos_deep, 1},
	{"tiny-thread", chaos_tiny_thread, 8},
};

enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static unsigned n_wanted; /* of each kind */

static void run_kind(const struct kind *kind)
{
	chaos_launched = 0;
	while (chaos_launched < n_wanted / kind->one_in)
		kind->launch();
	/* The exact number depends on chance, so it is not printed. */
	printf("%s: enough\n", kind->name);
	NEED(cuCtxSynchronize());
}

/*
 * Launch in several threads at once, in any order, without signals and loaded code, which belong to
 * the process.
 */
static void run_mixed(unsigned index)
{
	static void (*const all[])(void) = {chaos_libco, chaos_assembly, chaos_makecontext,
					    chaos_deep, chaos_generated};

	chaos_seed(index);
	while (chaos_launched < n_wanted / N_THREADS)
		all[chaos_random(sizeof(all) / sizeof(all[0]))]();
}

int main(int n_arguments, char **arguments)
{
	const char *only = n_arguments > 2 ? arguments[2] : NULL;

	NEED_TRUE(n_arguments > 1);
	n_wanted = (unsigned)atoi(arguments[1]) / (only ? 1 : N_KINDS + 1);
	host_open();
	for (size_t i = 0; i < N_KINDS; i++) {
		if (!only || strcmp(only, kinds[i].name) == 0)
			run_kind(&kinds[i]);
	}
	if (!only || strcmp(only, "mixed") == 0) {
		host_threads(N_THREADS, 0, run_mixed);
		puts("mixed: enough");
	}
	NEED(cuCtxSynchronize());
	return host_fail();
}
