/*
 * failure_stubs.c - see failure_stubs.h.
 */
#include "failure/failure_stubs.h"

#include "failure/failure.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "attribution/coredump_flags.h"
#include "base/time_units.h"
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
#include "record/journal/row_uses.h"
#include "record/journal/sequence.h"
#include "record/objects/code_addresses.h"
#include "record/objects/host_mappings.h"
#include "record/progress/progress_unseen.h"
#include "record/stacks/stack.h"
#include "record/streams/contexts.h"
#include "record/streams/marker_readings.h"
#include "record/streams/retired.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"
#include "record/thread.h"
#include "support/check.h"

static const struct gpu_fault *const NO_DUMP = NULL;

struct failure_stubs failure_stubs;

static void note(char step)
{
	CHECK(failure_stubs.n_steps + 1 < sizeof(failure_stubs.steps));
	failure_stubs.steps[failure_stubs.n_steps++] = step;
	failure_stubs.steps[failure_stubs.n_steps] = '\0';
}

/* The failure's table has room for one row. */
static struct table table;

bool coredumps_watched;
uint64_t sequence_word = NEWEST;
uint64_t functions_generation = GENERATION;
uint32_t call_name_ids[N_DRIVER_CALLS];

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_FAILURE);
	return &table;
}

bool table_holds(const struct table *of, uint32_t id, uint32_t n)
{
	return of == &table && id == 1 && n == 1 && failure_stubs.n_rows == 1;
}

void *table_row(const struct table *of, uint32_t id)
{
	CHECK(of == &table && id == 1);
	return &failure_stubs.rows[0];
}

uint32_t table_append(struct table *to, const void *row, uint32_t n)
{
	CHECK(to == &table && n == 1 && failure_stubs.n_rows == 0);
	memcpy(&failure_stubs.rows[failure_stubs.n_rows++], row, sizeof(failure_stubs.rows[0]));
	note('R');
	return 1;
}

/* --- Steps --- */

#define STEP(name, letter)    \
	void name(void)       \
	{                     \
		note(letter); \
	}

STEP(bundle_disk_restore, 'd')
STEP(modules_unloaded, 'm')
STEP(row_uses_freeze, 'u')
STEP(retired_freeze, 'r')
STEP(marker_readings_copy_for_good, 'k')
STEP(streams_freeze_counts, 'c')
STEP(marker_readings_copy_channels, 'h')
STEP(graphs_copy_words_for_good, 'g')
STEP(host_mappings_write, 'p')
STEP(streams_freeze_order, 'o')
STEP(rings_freeze, 'n')
STEP(bundle_disk_save, 's')
STEP(watched_dump_close, 'w')

void act_before_verdict(void)
{
	note('b');
}

void unseen_work_find(uint32_t tid)
{
	CHECK_EQUAL(tid, TID);
	note('f');
}

void code_addresses_write(uint64_t generation)
{
	CHECK_EQUAL(generation, GENERATION);
	note('a');
}

void failed_contexts_find_one(uint32_t *out_id, uint32_t *out_device)
{
	*out_id = CONTEXT;
	*out_device = DEVICE;
}

void fault_write(uint32_t context, uint32_t device, bool is_one_context)
{
	CHECK_EQUAL(context, CONTEXT);
	CHECK_EQUAL(device, DEVICE);
	CHECK(is_one_context);
	note('F');
}

void failed_contexts_mark(bool are_all)
{
	CHECK_EQUAL(are_all, coredumps_watched);
	CHECK(!failure_has_happened());
	note('M');
}

/* The second in which the deadline of the threads that wait is. */
static int64_t deadline_s;
static unsigned n_waits;

/* A thread that waits for the verdict is woken for no reason, by a signal, and at the deadline. */
long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
	static const int errors[] = {0, EINTR, ETIMEDOUT};
	va_list arguments;
	va_start(arguments, number);
	(void)va_arg(arguments, uint32_t *);
	int operation = va_arg(arguments, int);
	uint32_t value = va_arg(arguments, uint32_t);
	const struct timespec *deadline = va_arg(arguments, const struct timespec *);
	va_end(arguments);
	CHECK_EQUAL(number, SYS_futex);
	if (operation == FUTEX_WAKE_PRIVATE) {
		CHECK_EQUAL(value, INT_MAX);
		return 0;
	}
	CHECK(operation == FUTEX_WAIT_BITSET_PRIVATE && n_waits < 3);
	CHECK(deadline->tv_sec == deadline_s && deadline->tv_nsec == 5);
	int error = errors[n_waits++];
	errno = error ? error : errno;
	return error ? -1 : 0;
}

/* A thread that arrives now waits for a second since the error, and longer for a dump. */
static void check_wait(int64_t seconds)
{
	n_waits = 0;
	deadline_s = seconds;
	failure_stubs.late_ns = 7 * (uint64_t)NS_PER_S;
	errno = ETIMEDOUT;
	failure_wait_for_verdict();
	CHECK_EQUAL(n_waits, 3);
	failure_stubs.late_ns = 0;
}

/* A program that asks before there is a verdict waits, too. */
static void check_question(void)
{
	const char *headline = NULL;
	const char *directory = NULL;
	n_waits = 0;
	deadline_s = 1;
	CHECK_EQUAL(failure_reported(&headline, &directory), CODE);
	CHECK_EQUAL(n_waits, 3);
	CHECK(!*headline && !*directory);
}

void failure_report_make(const struct failure_row *row, const struct gpu_fault *fault)
{
	CHECK(!fault && row->code == CODE);
	CHECK(failure_has_happened());
	CHECK(!failure_culprit(CODE, NULL)); /* none is known yet */
	check_wait(1);
	coredumps_watched = true;
	check_wait(1 + (int64_t)(WATCHED_DUMP_WAIT_NS / NS_PER_S));
	coredumps_watched = false;
	check_question();
	note('V');
}

int cancellation_hold(void)
{
	note('(');
	return CANCELLATION;
}

void cancellation_restore(int state)
{
	CHECK_EQUAL(state, CANCELLATION);
	note(')');
}

/* --- Answers --- */

CUresult failed_contexts_code(struct context *context)
{
	CHECK(context == ABOUT);
	return failure_stubs.confirmed;
}

bool failed_contexts_discover_later(void)
{
	return failure_stubs.later_code != CUDA_SUCCESS;
}

const struct gpu_fault *watched_dump_open(CUresult result)
{
	(void)result;
	return NO_DUMP;
}

CUresult watched_dump_code(const struct gpu_fault *told, struct context *context, CUresult result)
{
	CHECK(told && context == ABOUT);
	return result;
}

CUresult watched_dump_await_driver(struct context *context)
{
	CHECK(context == ABOUT);
	return failure_stubs.confirmed;
}

void coredumps_give_up(void)
{
	failure_stubs.n_given_up++;
}

bool coredumps_are_on(void)
{
	return failure_stubs.are_dumps_on;
}

bool coredumps_are_missing(void)
{
	return false;
}

uint32_t coredump_flags_for(struct coredump_use use, const struct gpu_fault *fault, int32_t code)
{
	CHECK(use.are_on == failure_stubs.are_dumps_on && !use.are_missing && !use.are_watched &&
	      !fault);
	CHECK_EQUAL(code, CODE);
	return FAILURE_COREDUMP_MISSING;
}

bool driver_unknown_launch(void)
{
	return true;
}

bool streams_lost(void)
{
	return true;
}

bool checkpoint_was_made(void)
{
	return true;
}

bool bypass_find(void)
{
	return true;
}

uint32_t progress_unseen(void)
{
	return 2;
}

bool contexts_are_shared(void)
{
	return true;
}

bool contexts_are_one(void)
{
	return true;
}

bool contexts_need_host_mappings(void)
{
	return !failure_stubs.has_no_mappings;
}

uint32_t call_name_discover(enum driver_call call)
{
	CHECK_EQUAL(call, CALL_cuCtxSynchronize);
	return CALL_NAME;
}

uint32_t stack_capture(struct stack_cache *cache, const void *frame)
{
	CHECK(cache && frame);
	return STACK;
}

uint64_t clock_ns(void)
{
	return 1234;
}

uint64_t clock_kernel_ns(void)
{
	return 5 + failure_stubs.late_ns;
}

void warning_print(const char *format, ...)
{
	CHECK(*format);
	failure_stubs.n_warnings++;
}

const char *bundle_path(void)
{
	return "directory";
}

const char *failure_report_headline(void)
{
	return "headline";
}

const char *failure_report_culprit(const char **out_verdict)
{
	if (out_verdict)
		*out_verdict = "exact";
	return "kernel";
}

/* --- Tests, in the order of a process's life --- */
