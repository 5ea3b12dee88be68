/*
 * failure.c - from the first sticky result to the failure's row: attribution and waiting.
 */
#include "failure/failure.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "attribution/coredump_flags.h"
#include "base/failure_class.h"
#include "base/time_units.h"
#include "coredump/gpu_exceptions.h"
#include "failure/bypass.h"
#include "failure/failed_contexts.h"
#include "failure/failure_report.h"
#include "failure/watched_dump.h"
#include "record/checkpoint.h"
#include "record/driver/coredumps.h"
#include "record/driver/driver_events.h"
#include "record/fault/fault.h"
#include "record/files/bundle_disk.h"
#include "record/graphs/graphs.h"
#include "record/host/cancellation.h"
#include "record/host/clock.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "record/journal/call_names.h"
#include "record/journal/modules.h"
#include "record/journal/ring.h"
#include "record/journal/row_uses.h"
#include "record/journal/sequence.h"
#include "record/objects/code_addresses.h"
#include "record/objects/functions.h"
#include "record/objects/host_mappings.h"
#include "record/progress/progress_unseen.h"
#include "record/stacks/stack.h"
#include "record/streams/contexts.h"
#include "record/streams/marker_readings.h"
#include "record/streams/retired.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"
#include "record/thread.h"

/* The longest wait for a verdict, all calls together; a core dump adds to it. */
static const uint64_t MAX_WAIT_NS = NS_PER_S;

enum state { STATE_NONE, STATE_CONSIDERING, STATE_CONFIRMED, STATE_REPORTED };

static uint32_t state;           /* atomic: enum state; failure.h says which thread moves it */
static uint64_t began_ns;        /* atomic: when that thread began; 0: just now */
static int32_t failed_code;      /* published by STATE_CONFIRMED, as is failed_sequence */
static uint64_t failed_sequence; /* the newest submission at that time */
static bool is_followed;         /* atomic: another context has failed later */
static uint32_t discoverer;      /* atomic: see failure_discoverer() */

/* Written at start only. */
static bool is_launch_blocking;
static void (*before_verdict)(void);

void failure_start(bool are_launches_blocking)
{
	is_launch_blocking = are_launches_blocking;
}

void failure_before_verdict(void (*act)(void))
{
	before_verdict = act;
}

static uint32_t state_now(void)
{
	return __atomic_load_n(&state, __ATOMIC_ACQUIRE);
}

static void set_state(enum state next)
{
	__atomic_store_n(&state, (uint32_t)next, __ATOMIC_RELEASE);
	(void)syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static bool is_under_way(uint32_t now)
{
	return now == STATE_CONSIDERING || now == STATE_CONFIRMED;
}

/* Bound the wait: a debugger may stop the attributing thread, or the caller may be that thread. */
static struct timespec deadline_of_wait(void)
{
	uint64_t began = __atomic_load_n(&began_ns, __ATOMIC_RELAXED);
	uint64_t end = (began ? began : clock_kernel_ns()) + MAX_WAIT_NS +
		       (coredumps_are_watched() ? WATCHED_DUMP_WAIT_NS : 0);
	return (struct timespec){.tv_sec = (time_t)(end / NS_PER_S),
				 .tv_nsec = (long)(end % NS_PER_S)};
}

void failure_wait_for_verdict(void)
{
	struct timespec deadline = deadline_of_wait();
	long waited = 0;
	for (uint32_t now = state_now(); is_under_way(now); now = state_now()) {
		if (waited < 0 && errno == ETIMEDOUT)
			return;
		waited = syscall(SYS_futex, &state, FUTEX_WAIT_BITSET_PRIVATE, now, &deadline, NULL,
				 FUTEX_BITSET_MATCH_ANY);
	}
}

bool failure_has_happened(void)
{
	return state_now() >= STATE_CONFIRMED;
}

CUresult failure_code(void)
{
	return failure_has_happened() ? (CUresult)failed_code : CUDA_SUCCESS;
}

uint64_t failure_sequence(void)
{
	return failure_has_happened() ? failed_sequence : 0;
}

uint32_t failure_discoverer(void)
{
	/* Only the thread that stored its own ID acts on it. */
	return __atomic_load_n(&discoverer, __ATOMIC_RELAXED);
}

static struct failure_row *failure_row(void)
{
	const struct table *table = bundle_table(JOURNAL_FAILURE);
	return table_holds(table, 1, 1) ? table_row(table, 1) : NULL;
}

static uint32_t coredump_flags(const struct gpu_fault *fault)
{
	const struct coredump_use use = {.are_on = coredumps_are_on(),
					 .are_missing = coredumps_are_missing(),
					 .are_watched = coredumps_are_watched()};
	return coredump_flags_for(use, fault, failed_code);
}

static uint32_t row_flags(const struct gpu_fault *fault)
{
	uint32_t flags = coredump_flags(fault);
	flags |= driver_unknown_launch() ? FAILURE_UNKNOWN_LAUNCH : 0;
	flags |= is_launch_blocking ? FAILURE_LAUNCH_BLOCKING : 0;
	flags |= streams_lost() ? FAILURE_STREAMS_LOST : 0;
	flags |= checkpoint_was_made() ? FAILURE_CHECKPOINTED : 0;
	flags |= bypass_find() ? FAILURE_BYPASSED : 0;
	flags |= progress_unseen() * FAILURE_UNSEEN_BETWEEN;
	flags |= contexts_are_shared() ? FAILURE_SHARED : 0;
	return flags;
}

static struct failure_row make_row(const struct observer *observer, const struct gpu_fault *fault)
{
	return (struct failure_row){
		.code = failed_code,
		.call = call_name_id(observer->id),
		.tid = observer->thread->tid,
		.stack = stack_capture(&observer->thread->stacks, observer->frame),
		.stream = observer->stream,
		.time_ns = clock_ns(),
		.sequence = failed_sequence,
		.n_sticky = 1,
		.flags = row_flags(fault),
	};
}

static void write_fault(void)
{
	uint32_t context = 0;
	uint32_t device = FAULT_DEVICE_UNKNOWN;
	failed_contexts_find_one(&context, &device);
	fault_write(context, device, contexts_are_one());
}

static void attribute_failure(const struct observer *observer, const struct gpu_fault *fault)
{
	bundle_disk_restore();
	/* Readers look for a kernel's code in all files of the process. */
	modules_unloaded();
	/* From now on rows are not reused, so copies made into them stay valid. */
	row_uses_freeze();
	retired_freeze();
	/*
	 * With core dumps on, the GPU may run on for a while, and other devices in any case, so
	 * copy their state for the bundle. Finished work has started, so copy progress counters
	 * last.
	 */
	marker_readings_copy_for_good();
	streams_freeze_counts();
	marker_readings_copy_channels();
	if (before_verdict)
		before_verdict();
	unseen_work_find(observer->thread->tid);
	if (!coredumps_are_on()) /* with dumps on, work after the fault may have run */
		graphs_copy_words_for_good();
	if (contexts_need_host_mappings())
		host_mappings_write();
	code_addresses_write(functions_generation_now());
	write_fault();
	const struct failure_row row = make_row(observer, fault);
	(void)table_append(bundle_table(JOURNAL_FAILURE), &row, 1);
	streams_freeze_order();
	rings_freeze();
	failure_report_make(&row, fault);
	set_state(STATE_REPORTED);
	/* Save now, and again at the end: a container's memory is lost with it. */
	bundle_disk_save();
}

/*
 * Return the code of the failure that a call's result shows; CUDA_SUCCESS: there was none. A single
 * call may return a sticky code while the GPU is well: a kept older error, or an interposer's.
 */
static CUresult find_code(const struct observer *observer, const struct gpu_fault *fault,
			  CUresult result)
{
	if (fault)
		return watched_dump_code(fault, observer->context, result);
	if (result != CUDA_SUCCESS)
		return failed_contexts_code(observer->context) ? result : CUDA_SUCCESS;
	/* The dump cannot be read: there is a failure only if the driver reports one in the end. */
	result = watched_dump_await_driver(observer->context);
	if (result == CUDA_SUCCESS)
		coredumps_give_up();
	return result;
}

static void consider_uncancelled(const struct observer *observer, CUresult result)
{
	__atomic_store_n(&began_ns, clock_kernel_ns(), __ATOMIC_RELAXED);
	const struct gpu_fault *fault = watched_dump_open(result);
	CUresult code = find_code(observer, fault, result);
	if (code == CUDA_SUCCESS) {
		set_state(STATE_NONE);
		return;
	}
	failed_code = (int32_t)code;
	failed_sequence = sequence_newest();
	/* With core dumps on, the driver does not report yet which contexts have failed. */
	failed_contexts_mark(coredumps_are_watched());
	set_state(STATE_CONFIRMED);
	attribute_failure(observer, fault);
	watched_dump_close();
	__atomic_store_n(&discoverer, observer->thread->tid, __ATOMIC_RELAXED);
}

static void count(uint64_t *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void consider_first(const struct observer *observer, CUresult result)
{
	int cancellation = cancellation_hold();
	consider_uncancelled(observer, result);
	cancellation_restore(cancellation);
}

static bool begin_considering(void)
{
	uint32_t none = STATE_NONE;
	/* Acquire: another thread may have considered an error before, and found no failure. */
	return __atomic_compare_exchange_n(&state, &none, STATE_CONSIDERING, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void failure_consider(const struct observer *observer, CUresult result)
{
	if (result != CUDA_SUCCESS && !failure_is_sticky((int32_t)result))
		return;
	do {
		if (begin_considering()) {
			consider_first(observer, result);
			return;
		}
		/* The application may end the process as soon as it sees the code. */
		failure_wait_for_verdict();
		/* Retry: the other thread's error may have been no failure, while this one is. */
	} while (result != CUDA_SUCCESS && state_now() == STATE_NONE);
	struct failure_row *row = failure_has_happened() ? failure_row() : NULL;
	if (row)
		count(&row->n_sticky);
}

void failure_count_cleanup(void)
{
	struct failure_row *row = failure_row();
	if (row)
		count(&row->n_cleanups);
}

bool failure_is_later(CUresult result)
{
	if (!failure_is_sticky((int32_t)result) || !failed_contexts_discover_later())
		return false;
	struct failure_row *row = failure_row();
	if (row)
		__atomic_fetch_or(&row->flags, FAILURE_FOLLOWED, __ATOMIC_RELAXED);
	__atomic_store_n(&is_followed, true, __ATOMIC_RELAXED);
	warning_print("a later failure, %s (%d) in another context, is not attributed",
		      failure_name((int32_t)result), (int)result);
	return true;
}

const char *failure_culprit(CUresult code, const char **out_verdict)
{
	if (state_now() != STATE_REPORTED || (int32_t)code != failed_code ||
	    __atomic_load_n(&is_followed, __ATOMIC_RELAXED))
		return NULL;
	const char *culprit = failure_report_culprit(out_verdict);
	return culprit[0] ? culprit : NULL;
}

CUresult failure_reported(const char **out_headline, const char **out_directory)
{
	failure_wait_for_verdict();
	bool is_told = state_now() == STATE_REPORTED;
	*out_headline = is_told ? failure_report_headline() : "";
	*out_directory = is_told ? bundle_path() : "";
	return failure_code();
}
