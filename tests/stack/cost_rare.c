/*
 * cost_rare.c - costs that are paid once: by a new thread for its first stack, and for each new
 * stack.
 */
#include <pthread.h>
#include <stdio.h>

#include "cost_rare.h"
#include "cost_tools.h"
#include "fake_journal.h"
#include "record/stacks/stack_cache.h"
#include "support/check.h"

enum {
	THREAD_DEPTH = 30, /* calls above those of the thread library */
	TREE_DEPTH = 40,
	MAX_CHANGED = 12, /* frames of a stack that differ from an older one's */
	OLD_STACKS = 1024,
};

/* The cache is made outside the measurement, but its memory is still untouched. */
static NOINLINE int capture_twice(int depth, struct stack_cache *cache)
{
	volatile int left = depth;
	if (depth > 0)
		return capture_twice(depth - 1, cache) + left;
	for (int i = 0; i < 2; i++) {
		double start = now_ns();
		uint32_t id = capture_own(cache);
		double taken = now_ns() - start;
		CHECK(id != 0);
		printf("%s %d %.0f\n", i ? "second" : "first", THREAD_DEPTH, taken);
	}
	return left;
}

static void *run_thread(void *cache)
{
	(void)capture_twice(THREAD_DEPTH, cache);
	return NULL;
}

void cost_threads(int n_threads)
{
	for (int i = 0; i < n_threads; i++) {
		pthread_t thread;
		CHECK_EQUAL(pthread_create(&thread, NULL, run_thread, fresh_cache()), 0);
		CHECK_EQUAL(pthread_join(thread, NULL), 0);
	}
}

/* A way down: which of four calls is made at each level. */
struct way {
	unsigned char turns[TREE_DEPTH];
};

static uint32_t innermost;

/* The comment in the assembly keeps the compiler from making one call of the four. */
#define GO(number)                                           \
	do {                                                 \
		(void)go(way, level + 1, cache);             \
		__asm__ volatile("# call %0" ::"i"(number)); \
	} while (0)

static NOINLINE void go(const struct way *way, int level, struct stack_cache *cache)
{
	unsigned turn = level < TREE_DEPTH ? way->turns[level] : 0;
	if (level == TREE_DEPTH)
		innermost = capture_own(cache);
	else if (turn == 0)
		GO(0);
	else if (turn == 1)
		GO(1);
	else if (turn == 2)
		GO(2);
	else
		GO(3);
}
#undef GO

static unsigned next(void)
{
	static uint64_t seed = 88172645463325252ull;
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 33);
}

/* Return an older way with another end. */
static struct way new_way(const struct way *old)
{
	struct way way = *old;
	for (unsigned level = TREE_DEPTH - 1 - next() % MAX_CHANGED; level < TREE_DEPTH; level++)
		way.turns[level] = (unsigned char)(next() % 4);
	return way;
}

/* A stack is new if its innermost node is; a node is a row of the journal and a slot of the index.
 */
void cost_unique(long n_stacks)
{
	static struct way ways[OLD_STACKS];
	struct stack_cache *cache = fresh_cache();
	long n_new = 0;
	for (long i = 0; i < n_stacks; i++) {
		uint32_t n_before = fake_journal_n_stacks();
		struct way way = new_way(&ways[next() % OLD_STACKS]);
		ways[next() % OLD_STACKS] = way;
		go(&way, 0, cache);
		n_new += innermost > n_before;
	}
	unsigned n_nodes = fake_journal_n_stacks();
	printf("unique %ld %u %zu\n", n_new, n_nodes,
	       n_nodes * (sizeof(struct stack_row) + sizeof(struct tree_node)));
}
