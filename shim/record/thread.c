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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards free_list; innermost */
static struct thread *free_list;
static pthread_key_t exit_key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void release(void *state)
{
	struct thread *thread = state;
	if (!recording_is_on()) /* A forked child: the state's memory is the parent's. */
		return;
	streams_thread_ended(thread);
	current = NULL;
	pthread_mutex_lock(&lock);
	thread->next_free = free_list;
	free_list = thread;
	pthread_mutex_unlock(&lock);
}

static void make_key(void)
{
	(void)pthread_key_create(&exit_key, release);
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

static struct thread *start_thread(void)
{
	bundle_ensure();
	struct thread *thread = make_thread();
	if (!thread)
		return NULL;
	thread->tid = (uint32_t)syscall(SYS_gettid);
	journal_thread(thread->tid);
	(void)pthread_once(&key_once, make_key);
	(void)pthread_setspecific(exit_key, thread);
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
	depth = 0;
}
