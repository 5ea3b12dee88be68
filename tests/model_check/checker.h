/*
 * checker.h - the checker's own state. Its state is in memory of its own, since all static
 * variables of the program are reset before each execution.
 *
 * Memory. A location keeps all values that were stored to it, its messages. Each thread has a view:
 * the oldest message of each location that it may still read, and a vector clock. A release store
 * puts the thread's view into its message; an acquire load adds the message's view to the thread's.
 * A relaxed load keeps it for a later acquire fence, and a relaxed store uses the view of the
 * thread's last release fence. The clocks show whether two plain accesses race.
 *
 * Stores take effect in the order in which they are executed. A relaxed load may return a value
 * that another thread stores later (futures.h), as on aarch64.
 */
#ifndef CULPRIT_MODEL_CHECKER_H
#define CULPRIT_MODEL_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

enum {
	MAX_THREADS = 4, /* with the one that sets up */
	MAX_LOCATIONS = 200,
	MAX_MESSAGES = 4096,
	MAX_TIMES = 128, /* messages of one location */
	MAX_EVENTS = 4096,
	MAX_CHOICES = 4096,
	MAX_REGIONS = 8,
	MAX_LOCKS = 16,
	MAX_OPEN = 4200, /* words of one plain access */
	MAX_FUTURES = 1024,
	STACK_SIZE = 256 * 1024,
};

struct view {
	uint32_t clock[MAX_THREADS];
	uint16_t time[MAX_LOCATIONS];
};

struct message {
	uint64_t value;
	struct view view;
};

struct location {
	unsigned char *address;
	uint32_t size;
	uint32_t n; /* messages */
	uint16_t n_stores[MAX_THREADS];
	uint16_t messages[MAX_TIMES];
};

/* The newest accesses to one byte, by thread: the thread's clock at that time. */
enum access { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE, N_ACCESSES };
struct byte {
	uint32_t execution; /* the rest is old if this is not the current one */
	uint16_t location;  /* that starts here, from 1; 0: none */
	uint16_t clocks[N_ACCESSES][MAX_THREADS];
};

enum wait { RUNNING, WAITS_FOR_LOCK, WAITS_FOR_WAKE, WAITS_FOR_STORE, WAITS_FOR_FUTURE, FINISHED };
struct thread {
	ucontext_t context;
	void (*run)(void);
	bool is_server; /* need not finish */
	enum wait wait;
	const void *waits_on; /* a lock or a futex */
	uint64_t turn;        /* of waiting for a wake; the oldest is woken first */
	struct view now;
	struct view released; /* at its last release fence */
	struct view acquired; /* what an acquire fence adds */
	uint16_t loaded;      /* location of its newest atomic load, from 1, and the message */
	uint16_t loaded_time;
	bool must_be_newer; /* the next load from there */
	bool has_acted;     /* since it could be preempted: done what others can see */
	bool has_future;    /* has read `future`, which is not stored yet */
	bool has_stored;    /* since then */
	uint16_t future_of; /* the location */
	uint64_t future;
};

struct lock {
	const void *address;
	bool is_held;
	struct view view;
};

struct event {
	const char *name;
	const void *pc;
	const void *address;
	uint64_t value;
	int order; /* -1: none */
	uint32_t thread;
};

/* A value that the n-th store of a thread to a location, from 0, had in any execution. */
struct future {
	const void *address;
	uint64_t value;
	uint32_t thread;
	uint32_t n;
};

struct choice {
	uint16_t chosen;
	uint16_t n;
};

struct checker {
	/* the search */
	const char *expected;
	const char *variant;
	uint32_t max_preemptions;
	uint64_t n_executions;
	uint64_t max_executions;
	uint32_t n_choices;
	uint32_t depth;
	struct choice choices[MAX_CHOICES];
	bool may_see_futures; /* they are collected before */
	bool is_abandoned;    /* this execution: a future did not come true */
	uint32_t max_futures; /* that one execution may read */
	uint32_t n_futures;
	struct future futures[MAX_FUTURES];
	uintptr_t offset; /* of the program's addresses to those in its file */
	/* the program's static memory, and its copy */
	unsigned char *base;
	size_t size;
	unsigned char *copy;
	unsigned char *stacks;
	struct byte *bytes;
	/* one execution */
	uint32_t n_threads;
	uint32_t thread; /* the current one */
	uint32_t n_preemptions;
	uint32_t n_seen; /* futures */
	uint64_t n_turns;
	ucontext_t scheduler;
	struct thread threads[MAX_THREADS];
	struct view sequential; /* of the newest sequentially consistent operations */
	uint32_t n_locations;
	uint32_t n_messages;
	uint32_t n_locks;
	uint32_t n_events;
	struct location locations[MAX_LOCATIONS];
	struct message messages[MAX_MESSAGES];
	struct lock locks[MAX_LOCKS];
	struct event events[MAX_EVENTS];
	uint32_t n_regions;
	struct {
		const unsigned char *start;
		const unsigned char *end;
		uint32_t unit;
	} regions[MAX_REGIONS];
	/* words of the plain access that the current thread is about to make */
	unsigned char copied[64 * 1024]; /* by memcpy() */
	uint32_t n_written;
	uint32_t n_patched;
	uint16_t written[MAX_OPEN];
	uint16_t patched[MAX_OPEN];
};

extern struct checker *checker;

static inline struct thread *current(void)
{
	return &checker->threads[checker->thread];
}

#endif
