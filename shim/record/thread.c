/*
 * thread.c - making, finding and recycling thread states.
 */
#include "thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arena.h"
#include "bundle.h"
#include "cancellation.h"
#include "clock.h"
#include "hot.h"
#include "recording.h"
#include "streams.h"
#include "strings.h"

/*
 * Of the calling thread; one variable, so that one line holds it. Initial-exec: the library is
 * there from the start, and this is read on every call, where a __tls_get_addr that may allocate
 * has no place.
 */
static __thread struct {
	struct thread *current;
	int *host_errno; /* NULL until somebody asks */
	unsigned depth;
	bool is_passing; /* nobody will tell us when it ends: it gives its state back each time */
} self __attribute__((tls_model("initial-exec"), aligned(32)));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards free_list; innermost */
static struct thread *free_list;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key; /* written under key_once, as has_key */
static bool has_key;

static COLD void give_back(void)
{
	struct thread *thread = self.current;
	streams_thread_ended(thread);
	self.current = NULL;
	pthread_mutex_lock(&lock);
	thread->next_free = free_list;
	free_list = thread;
	pthread_mutex_unlock(&lock);
}

/*
 * Destructors of the host that run after this one may still make calls; of those in the last round
 * no destructor of ours would be told.
 */
static void end_thread(void *unused)
{
	(void)unused;
	self.is_passing = true;
	/* Not in a forked child: the state's memory is the parent's. */
	if (!recording_is_on() || !thread_enter())
		return;
	if (self.current)
		give_back();
	thread_leave();
}

static void make_key(void)
{
	has_key = pthread_key_create(&exit_key, end_thread) == 0;
}

/* The host may have used up the keys, or the memory for this thread's values. */
static bool will_be_told(struct thread *thread)
{
	(void)pthread_once(&key_once, make_key);
	return has_key && pthread_setspecific(exit_key, thread) == 0;
}

static struct thread *take_free(void)
{
	pthread_mutex_lock(&lock);
	struct thread *thread = free_list;
	if (thread)
		free_list = thread->next_free;
	pthread_mutex_unlock(&lock);
	return thread;
}

/*
 * One thread can go on where there is no memory, so that a failure is still told of. It takes part
 * as any other: handed back, it is the next thread's.
 */
static struct thread *allocate_thread(void)
{
	static struct thread spare;
	static bool is_spare_taken; /* atomic */
	struct thread *thread = arena_alloc(sizeof(*thread));
	if (thread)
		return thread;
	return __atomic_exchange_n(&is_spare_taken, true, __ATOMIC_RELAXED) ? NULL : &spare;
}

static struct thread *make_thread(void)
{
	struct thread *thread = take_free();
	if (thread) {
		return thread;
	}
	thread = allocate_thread();
	if (!thread)
		return NULL;
	/* Page by page it would cost the thread's first launch four times its stack. */
	arena_populate(thread, sizeof(*thread));
	(void)bundle_open_ring(&thread->ring); /* closed, it drops records */
	return thread;
}

static void journal_thread(uint32_t tid)
{
	char name[16] = "";
	(void)prctl(PR_GET_NAME, name);
	struct thread_row row = {
		.tid = tid, .name = strings_intern_z(name), .start_ns = clock_ns()};
	(void)table_append(bundle_table(JOURNAL_THREADS), &row, 1);
}

static struct thread *open_thread(void)
{
	int cancellation = cancellation_hold();
	bundle_ensure();
	struct thread *thread = make_thread();
	cancellation_restore(cancellation);
	return thread;
}

static COLD struct thread *start_thread(void)
{
	struct thread *thread = open_thread();
	if (!thread)
		return NULL;
	thread->tid = (uint32_t)syscall(SYS_gettid);
	journal_thread(thread->tid);
	if (!self.is_passing)
		self.is_passing = !will_be_told(thread);
	self.current = thread;
	return thread;
}

HOT int *thread_errno(void)
{
	if (!self.host_errno)
		self.host_errno = &errno;
	return self.host_errno;
}

HOT struct thread *thread_self(void)
{
	return self.current ? self.current : start_thread();
}

HOT bool thread_enter(void)
{
	if (self.depth)
		return false;
	self.depth = 1;
	return true;
}

HOT void thread_leave(void)
{
	if (self.is_passing && self.current)
		give_back();
	self.depth = 0;
}
