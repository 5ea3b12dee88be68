/*
 * snapshots.c - the thread that takes snapshots, and the copying.
 */
#include "record/snapshots.h"

#include <limits.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/checkpoint.h"
#include "record/host/clock.h"
#include "record/host/own_memory.h"
#include "record/journal/bundle.h"
#include "record/progress/progress_channels.h"
#include "record/progress/progress_states.h"
#include "record/streams/contexts.h"
#include "record/streams/markers.h"
#include "record/streams/stream_rows.h"

/* Its calls are only a few functions deep; the host's thread-local memory is added to this. */
enum { STACK_SIZE = 64 * 1024 };

static bool is_started; /* atomic */

static struct snapshot_row *snapshot_row(void)
{
	return table_row(bundle_table(JOURNAL_SNAPSHOTS), 1);
}

/* Rows are added once and overwritten by every snapshot, by the snapshot thread alone. */
static void add_reading(const struct reading_row *reading)
{
	struct table *table = bundle_table(JOURNAL_SNAPSHOTS);
	struct snapshot_row *snapshot = snapshot_row();
	uint64_t n_rows = __atomic_load_n(&table->header->n_rows, __ATOMIC_RELAXED);
	uint32_t id = snapshot->n_readings + 2;
	if (id > n_rows)
		id = table_append(table, reading, 1);
	else
		*(struct reading_row *)table_row(table, id) = *reading;
	if (id)
		snapshot->n_readings++;
}

static void add_channel(uint32_t id, const struct progress_counter *word)
{
	add_reading(&(struct reading_row){
		.kind = READING_CHANNEL, .id = id, .value = word->payload, .gpu_ns = word->gpu_ns});
}

static void add_state(uint32_t id, uint32_t value)
{
	add_reading(&(struct reading_row){.kind = READING_STATE, .id = id, .value = value});
}

static void add_marker(struct stream *stream, void *unused)
{
	(void)unused;
	add_reading(&(struct reading_row){
		.kind = READING_MARKER, .id = stream->id, .value = markers_landed(stream)});
}

/*
 * Read the kernels' states before the channels, whose counters move earlier. Work that a later read
 * of a channel shows as not started had then not started for the states either.
 */
static void read_context(struct context *context, void *data)
{
	struct own_memory *memory = data;
	streams_for_each(context, add_marker, NULL);
	if (!memory || progress_refused() || !progress_channels_begin_reading(&context->progress))
		return;
	progress_states_visit(context->id, memory, add_state);
	progress_channels_visit(&context->progress, memory, add_channel);
	progress_channels_end_reading(&context->progress);
}

static void add_lock(void)
{
	uint64_t locked_ns = checkpoint_locked_ns();
	if (locked_ns)
		add_reading(&(struct reading_row){.kind = READING_LOCKED, .value = locked_ns});
}

/* With memory NULL, read only markers. */
static void take(struct own_memory *memory)
{
	struct snapshot_row *snapshot = snapshot_row();
	uint32_t number = snapshot->n_started + 1;
	__atomic_store_n(&snapshot->n_started, number, __ATOMIC_RELAXED);
	/* A reader that finds any of this snapshot also finds it started. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	/* Acquire: the snapshot is no older than what the reader saw before it asked. */
	snapshot->served = __atomic_load_n(&snapshot->asked, __ATOMIC_ACQUIRE);
	snapshot->time_ns = clock_kernel_ns();
	snapshot->n_readings = 0;
	add_lock();
	contexts_for_each(read_context, memory);
	/* Pairs with the acquire of the process that waits for the snapshot. */
	__atomic_store_n(&snapshot->n_finished, number, __ATOMIC_RELEASE);
}

/*
 * The counters' pages vanish when the driver shuts down, which no call may announce, so they are
 * read through a pipe. The pipe must not use the host's descriptors: the host may close unknown
 * ones and reuse their numbers for a file. So this thread has a descriptor table of its own.
 */
static bool open_memory(struct own_memory *memory)
{
	return syscall(SYS_close_range, 0, ~0u, CLOSE_RANGE_UNSHARE) == 0 &&
	       own_memory_open(memory) == 0;
}

static void *look_on(void *unused)
{
	(void)unused;
	struct snapshot_row *snapshot = snapshot_row();
	struct own_memory memory;
	bool has_memory = open_memory(&memory);
	(void)prctl(PR_SET_NAME, "culprit");
	__atomic_store_n(&snapshot->tid, (uint32_t)syscall(SYS_gettid), __ATOMIC_RELAXED);
	for (;;) {
		uint32_t asked = __atomic_load_n(&snapshot->asked, __ATOMIC_RELAXED);
		if (asked == snapshot->served) {
			(void)syscall(SYS_futex, &snapshot->asked, FUTEX_WAIT, asked, NULL, NULL,
				      0);
			continue;
		}
		take(has_memory ? &memory : NULL);
		(void)syscall(SYS_futex, &snapshot->n_finished, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	}
	return NULL;
}

static int create(pthread_attr_t *attributes)
{
	pthread_t thread = 0;
	int error = pthread_create(&thread, attributes, look_on, NULL);
	/* The host's thread-local memory counts as stack, and may exceed STACK_SIZE. */
	if (error && pthread_attr_setstacksize(attributes, 8 << 20) == 0)
		error = pthread_create(&thread, attributes, look_on, NULL);
	return error;
}

/* Block all signals from the thread's first instruction: it must not take any of the host's. */
static void start(void)
{
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes) != 0)
		return;
	(void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	(void)pthread_attr_setstacksize(&attributes, STACK_SIZE);
	sigset_t all;
	(void)sigfillset(&all);
	sigset_t before;
	if (pthread_sigmask(SIG_SETMASK, &all, &before) == 0) {
		(void)create(&attributes);
		(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	(void)pthread_attr_destroy(&attributes);
}

void snapshots_ensure(void)
{
	if (__atomic_load_n(&is_started, __ATOMIC_RELAXED) ||
	    __atomic_exchange_n(&is_started, true, __ATOMIC_RELAXED))
		return;
	const struct reading_row none = {0};
	if (bundle_memory_path()[0] && table_append(bundle_table(JOURNAL_SNAPSHOTS), &none, 1) == 1)
		start();
}
