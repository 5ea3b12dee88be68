/*
 * thread.c - making, finding and recycling thread states.
 */
#include "thread.h"

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
#include "recording.h"
#include "streams.h"
#include "strings.h"

/*
 * Initial-exec: the library is there from the start, and these are read on every call, where a
 * __tls_get_addr that may allocate has no place.
 */
static __thread struct thread *current __attribute__((tls_model("initial-exec")));
static __thread unsigned depth __attribute__((tls_model("initial-exec")));
/* Nobody will tell us when this thread ends: it gives its state back after each call. */
static __thread bool is_passing __attribute__((tls_model("initial-exec")));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards free_list; innermost */
static struct thread *free_list;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key; /* written under key_once, as has_key */
static bool has_key;

static void give_back(void)
{
	struct thread *thread = current;
	streams_thread_ended(thread);
	current = NULL;
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
	is_passing = true;
	/* Not in a forked child: the state's memory is the parent's. */
	if (!recording_is_on() || !thread_enter())
		return;
	if (current)
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

static struct thread *make_thread(void)
{
	struct thread *thread = take_free();
	if (thread) {
		return thread;
	}
	thread = arena_alloc(sizeof(*thread));
	if (thread)
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

static struct thread *start_thread(void)
{
	struct thread *thread = open_thread();
	if (!thread)
		return NULL;
	thread->tid = (uint32_t)syscall(SYS_gettid);
	journal_thread(thread->tid);
	if (!is_passing)
		is_passing = !will_be_told(thread);
	current = thread;
	return thread;
}

struct thread *thread_self(void)
{
	return current ? current : start_thread();
}

bool thread_enter(void)
{
	if (depth)
		return false;
	depth = 1;
	return true;
}

void thread_leave(void)
{
	if (is_passing && current)
		give_back();
	depth = 0;
}
