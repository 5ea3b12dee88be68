/*
 * failure.c - from the first sticky result to the verdict line.
 */
#include "failure.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bundle.h"
#include "bundle_names.h"
#include "call_names.h"
#include "cancellation.h"
#include "clock.h"
#include "coredumps.h"
#include "describe.h"
#include "driver.h"
#include "driver_events.h"
#include "failure_class.h"
#include "graphs.h"
#include "live_symbols.h"
#include "markers.h"
#include "meta.h"
#include "report_text.h"
#include "retired.h"
#include "ring.h"
#include "stack.h"
#include "sticky_calls.h"
#include "streams.h"
#include "submission.h"
#include "thread.h"
#include "warning.h"
#include "watched_dump.h"

/* Nobody waits longer for a verdict, all calls together; for a core dump in addition. */
static const uint64_t MAX_WAIT_NS = 1000000000;

enum state { STATE_NONE, STATE_CONSIDERING, STATE_CONFIRMED, STATE_TOLD };

/*
 * Atomic: enum state. The thread that brought it to CONSIDERING is the only one to move it on, and
 * then wakes those who wait for that on the word itself (futex): without a lock there is none that
 * this thread could fail to hold yet, or take into a fork.
 */
static uint32_t state;
static uint64_t began_ns;        /* atomic: when that thread began; 0: just now */
static int32_t failed_code;      /* published by STATE_CONFIRMED, as the next */
static uint64_t failed_sequence; /* the newest submission then */

/* Too big for a host thread's stack; the attributing thread's alone. */
static struct bundle_view view;
static struct verdict verdict;
static struct failure_row seen; /* what the bundle is told, where it has room */
static char text_buffer[REPORT_TEXT_SIZE];
static char headline[256]; /* published by STATE_TOLD */

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

/* Bounded: the attributing thread may be stopped by a debugger, or be the very caller's. */
static struct timespec deadline_of_wait(void)
{
	uint64_t began = __atomic_load_n(&began_ns, __ATOMIC_RELAXED);
	uint64_t end = (began ? began : clock_kernel_ns()) + MAX_WAIT_NS +
		       (coredumps_are_watched() ? WATCHED_DUMP_WAIT_NS : 0);
	return (struct timespec){.tv_sec = (time_t)(end / 1000000000),
				 .tv_nsec = (long)(end % 1000000000)};
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

static struct failure_row *failure_row(void)
{
	const struct table *table = bundle_table(JOURNAL_FAILURE);
	return table->header ? table_row(table, 1) : NULL;
}

/*
 * A sticky code may come from a single call that merely reports one (an older error kept for later,
 * an interposer): the failure is real when a call that cannot itself fail this way fails too.
 */
static bool is_confirmed(void)
{
	size_t free_bytes, total_bytes;
	return real.cuMemGetInfo_v2(&free_bytes, &total_bytes) != CUDA_SUCCESS;
}

static uint32_t coredump_flags(const struct gpu_fault *fault)
{
	uint32_t flags = coredumps_are_missing() ? FAILURE_COREDUMP_MISSING : 0;
	if (fault && gpu_fault_fits(fault, failed_code))
		return flags | FAILURE_SYNCS_WATCHED;
	return flags | (coredumps_are_on() ? FAILURE_COREDUMPS : 0);
}

static void write_row(struct thread *thread, enum driver_call id, const struct gpu_fault *fault,
		      void *frame)
{
	seen = (struct failure_row){
		.code = failed_code,
		.call = call_name_id(id),
		.tid = thread->tid,
		.stack = stack_capture(thread, frame),
		.time_ns = clock_ns(),
		.sequence = failed_sequence,
		.n_sticky = 1,
		.flags = coredump_flags(fault),
	};
	if (driver_unknown_launch())
		seen.flags |= FAILURE_UNKNOWN_LAUNCH;
	if (describe_is_launch_blocking())
		seen.flags |= FAILURE_LAUNCH_BLOCKING;
	if (streams_lost())
		seen.flags |= FAILURE_STREAMS_LOST;
	if (bundle_open_failure() == 0)
		(void)table_append(bundle_table(JOURNAL_FAILURE), &seen, 1);
}

/* False where there is no memory for it, or was none for the failure's own row. */
static bool find_verdict(const struct gpu_fault *fault)
{
	bundle_view_live(&view);
	size_t size = attribution_scratch(&view);
	void *scratch = mmap(NULL, size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (scratch == MAP_FAILED)
		return false;
	int error = attribute_with_coredump(&view, fault, scratch, size, &verdict);
	(void)munmap(scratch, size);
	return !error && verdict.unknown_reason != UNKNOWN_NO_FAILURE;
}

static size_t render(void (*renderer)(const struct report *report, struct text *out), char *buffer,
		     size_t size)
{
	const struct report report = {
		.view = &view,
		.verdict = &verdict,
		.symbols = &live_symbols,
		.bundle_path = bundle_path()[0] ? bundle_path() : NULL,
		.directory = meta_directory(),
	};
	struct text text = text_in(buffer, size);
	renderer(&report, &text);
	return (size_t)(text.at - buffer);
}

/* Under `culprit run` the full report is printed at the end, by the tool, which knows more names.
 */
static void tell(void)
{
	size_t length = render(report_headline, headline, sizeof(headline) - 1);
	size_t size = render(report_text, text_buffer, sizeof(text_buffer));
	(void)bundle_write_file(BUNDLE_VERDICT_NAME, text_buffer, size);
	if (!bundle_settings()->run[0]) {
		warning_write(text_buffer, size);
		return;
	}
	headline[length] = '\n';
	warning_write(headline, length + 1);
	headline[length] = '\0';
}

static void attribute_failure(struct thread *thread, enum driver_call id,
			      const struct gpu_fault *fault, void *frame)
{
	/* With core dumps on the GPU may go on for a while: the bundle is to say what we say. */
	markers_copy_for_good();
	if (!coredumps_are_on()) /* else work behind the fault may have run */
		graphs_copy_words_for_good();
	write_row(thread, id, fault, frame);
	rings_keep();
	retired_keep();
	if (!find_verdict(fault))
		verdict = (struct verdict){.failure = seen, .unknown_reason = UNKNOWN_NO_MEMORY};
	tell();
	set_state(STATE_TOLD);
}

/* The code of the failure behind a call's result; CUDA_SUCCESS: there was none. */
static CUresult find_code(const struct gpu_fault *fault, CUresult result)
{
	if (fault)
		return watched_dump_code(fault, result);
	if (result != CUDA_SUCCESS)
		return is_confirmed() ? result : CUDA_SUCCESS;
	/* A file that cannot be read: something has failed if the driver says so in the end. */
	result = watched_dump_await_driver();
	if (is_sticky((int32_t)result))
		return result;
	coredumps_give_up();
	return CUDA_SUCCESS;
}

static void consider_uncancelled(struct thread *thread, enum driver_call id, CUresult result,
				 void *frame)
{
	__atomic_store_n(&began_ns, clock_kernel_ns(), __ATOMIC_RELAXED);
	const struct gpu_fault *fault = watched_dump_open(result);
	CUresult code = find_code(fault, result);
	if (code == CUDA_SUCCESS) {
		set_state(STATE_NONE);
		return;
	}
	failed_code = (int32_t)code;
	failed_sequence = submission_newest();
	set_state(STATE_CONFIRMED);
	attribute_failure(thread, id, fault, frame);
	watched_dump_close();
}

static void count(uint64_t *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void consider_first(struct thread *thread, enum driver_call id, CUresult result, void *frame)
{
	int cancellation = cancellation_hold();
	consider_uncancelled(thread, id, result, frame);
	cancellation_restore(cancellation);
}

/* Does the driver look at this before it looks for an earlier fault? */
static bool is_told_first(CUresult result)
{
	return result == CUDA_ERROR_NOT_INITIALIZED || result == CUDA_ERROR_DEINITIALIZED ||
	       result == CUDA_ERROR_INVALID_CONTEXT || result == CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/* With dumps on the driver's own word is not the one that it would give without them. */
static CUresult visible(enum driver_call id, CUresult result)
{
	bool is_sure = failure_has_happened() && coredumps_are_watched();
	if (!is_sure || is_told_first(result))
		return result;
	return is_sticky((int32_t)result) || reports_sticky_error(id) ? (CUresult)failed_code
								      : result;
}

bool failure_is_hidden(enum driver_call id, uint64_t sequence)
{
	if (!failure_has_happened())
		return tells_health(id) && driver_events_settle(coredumps_have_one);
	if (sequence != 0 && sequence <= failed_sequence && !tells_health(id))
		return false;
	return reports_sticky_error(id);
}

CUresult failure_consider(struct thread *thread, enum driver_call id, CUresult result, void *frame)
{
	uint32_t none = STATE_NONE;
	if (result != CUDA_SUCCESS && !is_sticky((int32_t)result))
		return visible(id, result);
	if (__atomic_compare_exchange_n(&state, &none, STATE_CONSIDERING, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE)) {
		consider_first(thread, id, result, frame);
		return visible(id, result);
	}
	/* The application may end the process the moment it sees the code. */
	failure_wait_for_verdict();
	struct failure_row *row = failure_has_happened() ? failure_row() : NULL;
	if (row)
		count(&row->n_sticky);
	return visible(id, result);
}

void failure_count_cleanup(void)
{
	struct failure_row *row = failure_row();
	if (row)
		count(&row->n_cleanups);
}

const char *failure_headline(CUresult code)
{
	if (state_now() != STATE_TOLD || (int32_t)code != failed_code || !headline[0])
		return NULL;
	return headline;
}
