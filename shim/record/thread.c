/*
 * thread.c - make, find and recycle thread states.
 */
#include "record/thread.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/hot.h"
#include "record/host/arena.h"
#include "record/host/cancellation.h"
#include "record/host/clock.h"
#include "record/host/recording.h"
#include "record/journal/bundle.h"
#include "record/journal/row_uses.h"
#include "record/journal/strings.h"
#include "record/stacks/stack.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"

#define ROUND_UP(size, unit) (((size) + (unit)-1) / (unit) * (unit))
#define LINE_OF(member)      (offsetof(struct thread, member) / 64)

static_assert(LINE_OF(clock.window) == 0, "one line for every launch");
static_assert(LINE_OF(streams) == 1, "one line for every launch");
static_assert(LINE_OF(ring.capacity) == 1, "one line for every launch");
static_assert(LINE_OF(stacks.first) <= HOT_PAGE / 64, "one page for every launch");
static_assert(sizeof(struct thread) <= 37 << 10, "a host may have thousands of threads");

__thread struct thread_slot thread_slot __attribute__((tls_model("initial-exec"), aligned(32)));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards free_list; innermost */
static struct thread *free_list;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key; /* written under key_once, like has_key */
static bool has_key;

COLD void thread_give_up_scope(void)
{
	enum call_role role = driver_calls[thread_slot.call].role;
	if (role_changes_handles(role) || role == ROLE_CONTEXT)
		streams_note_lost();
	if (thread_slot.current)
		streams_left(thread_slot.current->tid, ring_newest(&thread_slot.current->ring));
	if (thread_slot.current && thread_slot.current->wait)
		__atomic_store_n(&thread_slot.current->wait->since_ns, 0, __ATOMIC_RELEASE);
	thread_slot.slow &= (uint8_t)~THREAD_HAS_NEW_KERNEL;
	thread_slot.scope = NULL;
}

static void end_row(uint32_t place, const void *row)
{
	(void)place;
	strings_drop(((const struct thread_row *)row)->name);
}

static uint16_t given[ROW_ID_MAX + 1];
static struct row_uses rows = {.file = JOURNAL_THREADS,
			       .n_kept = 16 * 1024,
			       .is_uncounted = true,
			       .end = end_row,
			       .given = given};

static COLD void give_back(void)
{
	struct thread *thread = thread_slot.current;
	row_uses_give(&rows, thread->row);
	thread->row = 0;
	streams_thread_finished(&thread->streams, thread->tid);
	stack_thread_finished(&thread->stacks);
	grace_leave(&thread->grace);
	thread_slot.current = NULL;
	pthread_mutex_lock(&lock);
	thread->next_free = free_list;
	free_list = thread;
	pthread_mutex_unlock(&lock);
}

/*
 * The host's later destructors may still make calls. In the last round of destructors, ours would
 * not run again: so from now on each call releases the state.
 */
static void end_thread(void *unused)
{
	(void)unused;
	thread_slot.slow |= THREAD_IS_PASSING;
	/* A forked child does nothing: the state's memory is the parent's. */
	if (!recording_is_on())
		return;
	/* The stack is empty now, so an open scope cannot return. */
	if (thread_slot.scope)
		thread_give_up_scope();
	(void)thread_enter(&thread_slot, CALL_cuInit);
	if (thread_slot.current)
		give_back();
	thread_leave();
}

static void make_key(void)
{
	has_key = pthread_key_create(&exit_key, end_thread) == 0;
}

/* False if the host has used up the keys or the memory for this thread's values. */
static bool will_be_recorded(struct thread *thread)
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
 * One thread can use the spare state when memory is short, so that a failure is still reported. The
 * spare is recycled like any other state.
 */
static struct thread *allocate_thread(void)
{
	/* Whole pages: a forked child's kernel wipes them. */
	static union {
		struct thread thread;
		unsigned char pages[ROUND_UP(sizeof(struct thread), ARCH_PAGE_MAX)];
	} spare __attribute__((aligned(ARCH_PAGE_MAX)));
	static bool is_spare_taken; /* atomic */
	struct thread *thread = arena_alloc_wiped(sizeof(*thread));
	if (thread || __atomic_exchange_n(&is_spare_taken, true, __ATOMIC_RELAXED))
		return thread;
	arena_wipe(&spare, sizeof(spare));
	return &spare.thread;
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
	/* Faulting in page by page would cost the thread's first launch four times its stack. */
	arena_populate(thread, sizeof(*thread));
	(void)bundle_open_ring(&thread->ring); /* if it fails, the closed ring drops records */
	const struct wait_row nothing = {0};
	struct table *waits = bundle_table(JOURNAL_WAITS);
	thread->wait = table_row(waits, table_append(waits, &nothing, 1));
	return thread;
}

static uint32_t journal_thread(uint32_t tid)
{
	char name[16] = "";
	(void)prctl(PR_GET_NAME, name);
	struct thread_row row = {.tid = tid,
				 .name = strings_hold(name, strlen(name), STRINGS_OTHER),
				 .start_ns = clock_ns()};
	uint32_t id = row_uses_add(&rows, &row);
	if (!id)
		strings_drop(row.name);
	return id;
}

static struct thread *open_thread(void)
{
	int cancellation = cancellation_hold();
	bundle_ensure();
	struct thread *thread = make_thread();
	cancellation_restore(cancellation);
	return thread;
}

static void begin(struct thread *thread)
{
	thread->tid = (uint32_t)syscall(SYS_gettid);
	(void)thread_errno(); /* a thread that has its state also has errno's address */
	thread->streams.finds = &thread->stream_finds;
	thread->row = journal_thread(thread->tid);
	if (!(thread_slot.slow & THREAD_IS_PASSING) && !will_be_recorded(thread))
		thread_slot.slow |= THREAD_IS_PASSING;
	thread_slot.current = thread;
	grace_join(&thread->grace, &thread->coming);
}

void thread_forget(void)
{
	thread_slot.current = NULL;
}

COLD struct thread *thread_start(void)
{
	grace_start();
	struct thread *thread = open_thread();
	if (thread)
		begin(thread);
	grace_started(thread ? &thread->coming : NULL);
	return thread;
}

COLD int *thread_find_errno(void)
{
	thread_slot.host_errno = &errno;
	return thread_slot.host_errno;
}

const void *thread_scope(enum driver_call *out_call)
{
	*out_call = thread_slot.call;
	return thread_slot.scope;
}

COLD void thread_pass(void)
{
	if (thread_slot.current)
		give_back();
}
