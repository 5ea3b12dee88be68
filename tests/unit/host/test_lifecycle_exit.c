/*
 * test_lifecycle_exit.c - what a process's end prints, publishes, leaves or removes: all of it is
 * compared, for each condition that alone changes it.
 */
#include "call/lifecycle.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/settings.h"
#include "call/call_parts.h"
#include "call/call_scope.h"
#include "failure/bypass.h"
#include "failure/doubt.h"
#include "failure/failed_contexts.h"
#include "failure/failure.h"
#include "failure/watched_dump.h"
#include "graph_checks/graph_checks.h"
#include "inspect/inspect.h"
#include "record/driver/coredumps.h"
#include "record/host/cancellation.h"
#include "record/host/clock.h"
#include "record/host/recording.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "record/journal/run_slot.h"
#include "record/journal/sequence.h"
#include "record/thread.h"
#include "rejection/rejected_rows.h"
#include "support/check.h"

/* The flags of a case. */
enum world {
	RUN = 1 << 0,   /* under `culprit run` */
	LEAVE = 1 << 1, /* it reads the journal after the exit */
	VERBOSE = 1 << 2,
	KEEP = 1 << 3,     /* keep the bundle always */
	PRIVATE = 1 << 4,  /* the bundle is not shared */
	REJECTED = 1 << 5, /* rejections are left to print */
	STARTED = 1 << 6,  /* by the command of `culprit run` */
	DEAF = 1 << 7,     /* `culprit run` does not hear of the end */
	FAILED = 1 << 8,
	DUMP = 1 << 9,      /* there is a GPU core dump */
	COREDUMP = 1 << 10, /* --coredump */
	OFF = 1 << 11,      /* nothing is recorded */
	CHILD = 1 << 12,    /* a vfork() child, whose number differs */
	LINKED = 1 << 13,   /* a module is bound to the driver itself */
	THREAD = 1 << 14,   /* not the main thread */
	INSIDE = 1 << 15,   /* inside a call */
	UNSEEN = 1 << 16,   /* a context has failed unseen */
	LATE = 1 << 17,     /* the failure happens while its verdict is awaited */
	PYCUDA = 1 << 18,   /* the abort is PyCUDA's */
};

static unsigned world;
static struct settings *settings; /* the recorder's own */

uint64_t sequence_word = 77;
uint32_t *recording_flag;
__thread struct thread_slot thread_slot;

/* The recorder's start is not linked, so the bundle belongs to process 0. */
pid_t __wrap_getpid(void);
pid_t __wrap_getpid(void)
{
	return world & CHILD ? 9 : 0;
}

long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
	CHECK(number);
	return world & THREAD ? 8 : 0;
}

#define ACTION(name)                   \
	void name(void)                \
	{                              \
		trace_add(#name "\n"); \
	}

ACTION(bundle_finish)
ACTION(bundle_remove)
ACTION(bundle_remove_later)
ACTION(graph_checks_finish)
ACTION(inspect_finish)

void warning_start(void)
{
}
void warning_silence(void)
{
}
void cancellation_restore(int state)
{
	CHECK_EQUAL(state, 5);
}

int cancellation_hold(void)
{
	return 5;
}

void settings_read(struct settings *out_settings, settings_warning warn, void *data)
{
	CHECK(warn && !data);
	settings = out_settings;
}

void warning_print(const char *format, ...)
{
	va_list arguments;
	char line[256];
	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	trace_add("%s\n", line);
}

const char *bundle_path(void)
{
	return "PATH";
}

void bundle_leave(bool has_failed)
{
	trace_add("leave %d\n", has_failed);
}

bool bundle_is_shared(void)
{
	return !(world & PRIVATE);
}

bool failure_has_happened(void)
{
	return world & FAILED;
}

void failure_wait_for_verdict(void)
{
	trace_add("verdict\n");
	if (world & LATE)
		world |= FAILED;
}

bool doubt_has_dump(void)
{
	return world & DUMP;
}

uint64_t clock_kernel_ns(void)
{
	return 1000;
}

void coredumps_await(uint64_t complete_ns)
{
	trace_add("await %" PRIu64 "\n", complete_ns - WATCHED_DUMP_WAIT_NS);
}

bool bypass_is_linked(void)
{
	return world & LINKED;
}

CUresult failed_contexts_code(struct context *about)
{
	CHECK(!about);
	trace_add("contexts\n");
	return world & UNSEEN ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS;
}

CUresult call_scope_failed(enum driver_call id, CUresult result, void *frame)
{
	CHECK(frame);
	CHECK_EQUAL(id, CALL_cuMemGetInfo_v2);
	trace_add("failed %d\n", (int)result);
	world |= FAILED;
	return result;
}

bool run_slot_is_of_command(void)
{
	return !(world & STARTED);
}

bool run_slot_publish_end(uint64_t n_submissions)
{
	trace_add("end %" PRIu64 "\n", n_submissions);
	return !(world & DEAF);
}

bool rejected_end_is_open(void)
{
	return world & REJECTED;
}

void rejected_end_print(struct report_end end, bool is_rest)
{
	trace_add("print %d %d %d\n", (int)end.kind, end.number, is_rest);
}

bool pycuda_aborts(const void *caller)
{
	CHECK(caller == &world);
	return world & PYCUDA;
}

/* Set the flags of a case. The recorder remembers an early exit from earlier cases. */
static void enter(unsigned wanted)
{
	static uint32_t is_recording;
	recording_flag = &is_recording;
	world = wanted;
	is_recording = !(world & OFF);
	thread_slot.scope = world & INSIDE ? &world : NULL;
	settings->run[0] = world & RUN ? 'r' : 0;
	settings->leave = world & LEAVE;
	settings->verbose = world & VERBOSE;
	settings->keep = world & KEEP ? KEEP_ALWAYS : KEEP_FAILURE;
	settings->coredump = world & COREDUMP ? 1 : 0;
}

struct exit_case {
	unsigned world;
	const char *wanted;
};

#define CHECKS "inspect_finish\ngraph_checks_finish\n"
#define SOUND  CHECKS "end 77\n"
#define ENDED  "verdict\n" SOUND

static const struct report_end success = {.kind = REPORT_EXITED};
static const struct report_end error = {.kind = REPORT_EXITED, .number = 3};
static const struct report_end unknown = {.kind = REPORT_END_UNKNOWN, .number = 3};

static void run_cases(const struct exit_case *cases, size_t n, struct report_end end,
		      void (*leave)(struct report_end end))
{
	for (size_t i = 0; i < n; i++) {
		enter(cases[i].world);
		leave(end);
		CHECK_TRACE(cases[i].wanted);
	}
}

#define RUN_CASES(cases, end, leave) run_cases(cases, sizeof(cases) / sizeof(*(cases)), end, leave)

static void test_success(void)
{
	static const struct exit_case cases[] = {
		{0, ENDED "bundle_remove_later\n"},
		{RUN, ENDED "bundle_remove_later\n"},
		{STARTED, ENDED "bundle_remove\n"},
		{PRIVATE, ENDED "bundle_remove\n"},
		{REJECTED, ENDED "bundle_remove\n"},
		{LEAVE, ENDED "bundle_remove\n"},
		{KEEP, ENDED "bundle_finish\n"},
		{RUN | LEAVE, ENDED "leave 0\n"},
		{RUN | REJECTED, ENDED "bundle_remove\n"},
		{VERBOSE, ENDED "print 2 0 1\nbundle_remove_later\n"},
		{OFF, ""},
		{CHILD, ""},
	};
	RUN_CASES(cases, success, lifecycle_exit);
}

static void test_error(void)
{
	static const struct exit_case cases[] = {
		{0, ENDED "print 2 3 0\nbundle_remove\n"},
		{RUN, ENDED "print 2 3 0\nbundle_remove\n"},
		{RUN | REJECTED, ENDED "leave 0\n"},
		{RUN | REJECTED | DEAF, ENDED "print 2 3 0\nleave 0\n"},
		{REJECTED, ENDED "print 2 3 0\nbundle_remove\n"},
		{RUN | REJECTED | PRIVATE, ENDED "print 2 3 0\nbundle_remove\n"},
		{RUN | REJECTED | VERBOSE, ENDED "print 2 3 1\nbundle_remove\n"},
		{KEEP, ENDED "print 2 3 0\nbundle_finish\n"},
	};
	RUN_CASES(cases, error, lifecycle_exit);
	static const struct exit_case quick[] = {
		{0, ENDED "bundle_remove\n"},
		{VERBOSE, ENDED "print 0 3 1\nbundle_remove\n"},
		{RUN | REJECTED, ENDED "leave 0\n"},
	};
	RUN_CASES(quick, unknown, lifecycle_exit);
	static const struct exit_case killed[] = {
		{0, ENDED "bundle_remove\n"},
		{RUN | REJECTED, ENDED "leave 0\n"},
	};
	const struct report_end end = {.kind = REPORT_KILLED};
	RUN_CASES(killed, end, lifecycle_exit);
}

#define HIDDEN \
	"the GPU failed, but no CUDA call reported it to the program; see `culprit report PATH`\n"

static void test_failure(void)
{
	static const struct exit_case cases[] = {
		{FAILED, "verdict\n" CHECKS "end 77\nbundle_finish\n"},
		{FAILED | DUMP, "verdict\n" CHECKS "end 77\nbundle_finish\n"},
		{LATE, "verdict\n" CHECKS "end 77\nbundle_finish\n"},
		{FAILED | RUN, "verdict\n" CHECKS "end 77\nbundle_finish\n"},
		{FAILED | LEAVE, "verdict\n" CHECKS "end 77\nbundle_finish\n"},
		{FAILED | RUN | LEAVE, "verdict\n" CHECKS "end 77\nleave 1\n"},
		{DUMP, "verdict\nawait 1000\n" HIDDEN CHECKS "end 77\nbundle_finish\n"},
	};
	RUN_CASES(cases, success, lifecycle_exit);
}

/* These return before anything is remembered of an early exit. */
static void test_early_return(void)
{
	static const struct exit_case cases[] = {
		{OFF | LINKED, ""},      {CHILD | LINKED, ""},
		{COREDUMP | LINKED, ""}, {FAILED | LINKED, "verdict\n"},
		{LATE, "verdict\n"},     {LINKED | UNSEEN, "contexts\nfailed 700\nverdict\n"},
	};
	RUN_CASES(cases, success, lifecycle_exit_early);
	enter(0);
	lifecycle_exit(success);
	CHECK_TRACE(ENDED "bundle_remove_later\n");
}

static void test_early_exit(void)
{
	static const struct exit_case cases[] = {
		{0, ENDED "bundle_remove_later\n"},
		{UNSEEN, ENDED "bundle_remove_later\n"},
		{LINKED, "contexts\n" ENDED "bundle_remove_later\n"},
		{LINKED | UNSEEN | THREAD, ENDED "bundle_remove_later\n"},
		{LINKED | UNSEEN | INSIDE, ENDED "bundle_remove_later\n"},
		{KEEP, ENDED "bundle_finish\n"},
	};
	RUN_CASES(cases, success, lifecycle_exit_early);
	/* A failure after the early exit keeps the bundle; its end was published before. */
	static const struct exit_case later[] = {
		{0, "verdict\n"},
		{DUMP, "verdict\n"},
		{FAILED, "verdict\n" CHECKS "bundle_finish\n"},
	};
	RUN_CASES(later, success, lifecycle_exit);
}

static void test_abort(void)
{
	static const struct exit_case cases[] = {
		{0, "print 3 6 0\n"},
		{VERBOSE, "print 3 6 1\n"},
		{RUN, ""},
		{FAILED, ""},
		{OFF, ""},
		{CHILD, ""},
		{PYCUDA, ENDED "print 3 6 0\nbundle_remove\n"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		enter(cases[i].world);
		lifecycle_abort(&world);
		CHECK_TRACE(cases[i].wanted);
	}
}

int main(void)
{
	CHECK(!lifecycle_disabled());
	test_success();
	test_error();
	test_failure();
	test_early_return();
	test_abort();
	test_early_exit();
	return 0;
}
