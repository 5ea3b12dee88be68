/*
 * test_lifecycle_start.c - what is started for which settings, and in which order: all of it is
 * compared.
 */
#include "call/lifecycle.h"

#include <errno.h>
#include <stdarg.h>

#include "base/settings.h"
#include "check/check.h"
#include "failure/fail_closed.h"
#include "failure/failure.h"
#include "failure/failure_report.h"
#include "graph_checks/graph_checks.h"
#include "inspect/inspect.h"
#include "inspect/kernel_choice.h"
#include "record/driver/coredumps.h"
#include "record/driver/environment.h"
#include "record/files/meta.h"
#include "record/host/cancellation.h"
#include "record/host/recording.h"
#include "record/host/tick_clock.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "record/stacks/stack.h"
#include "record/streams/markers.h"
#include "support/check.h"

static uint32_t is_recording;
uint32_t *recording_flag = &is_recording;

static struct settings *settings; /* the recorder's own */
static bool is_quiet, is_disabled;
static bool is_blocking, is_ptx_forced, has_observer, is_under_valgrind;
static bool is_inspection_possible = true;

void stack_module_unloaded(void)
{
	errno = EBADF;
	trace_add("stack_module_unloaded\n");
}

void tick_clock_start(void)
{
	errno = EBADF;
	trace_add("tick_clock_start\n");
}

int cancellation_hold(void)
{
	trace_add("hold\n");
	return 5;
}

void cancellation_restore(int state)
{
	trace_add("restore %d\n", state);
}

void warning_print(const char *format, ...)
{
	va_list arguments;
	char line[256];
	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	trace_add("warning: %s\n", line);
}

void settings_read(struct settings *out_settings, settings_warning warn, void *data)
{
	settings = out_settings;
	settings->quiet = is_quiet;
	settings->disable = is_disabled;
	warn(data, "90% of a line");
}

bool environment_is_launch_blocking(void)
{
	return is_blocking;
}

bool environment_forces_ptx(void)
{
	return is_ptx_forced;
}

bool environment_has_observer(void)
{
	return has_observer;
}

bool environment_is_under_valgrind(void)
{
	return is_under_valgrind;
}

void bundle_start(const struct settings *wanted)
{
	CHECK(wanted == settings);
	trace_add("bundle_start\n");
}

const char *bundle_path(void)
{
	return "the bundle";
}

void coredumps_start(const char *directory)
{
	trace_add("coredumps_start %s\n", directory);
}

const char *coredumps_status(void)
{
	return "status";
}

void meta_note(enum meta_fact fact, const char *text)
{
	trace_add("meta %d %s\n", (int)fact, text);
}

void failure_report_start(bool is_run, enum report_length length)
{
	trace_add("failure_report_start %d %d\n", is_run, (int)length);
}

void fail_closed_start(enum failure_policy wanted, bool is_left)
{
	trace_add("fail_closed_start %d %d\n", (int)wanted, is_left);
}

void failure_before_verdict(void (*act)(void))
{
	trace_add("before_verdict (\n");
	act();
	trace_add(")\n");
}

bool inspect_start(const struct inspect_wish *wanted)
{
	trace_add("inspect_start '%s' %d '%s' %d %d %u\n", wanted->inspect, wanted->is_async,
		  wanted->nan, wanted->infinities, wanted->checksums, wanted->type);
	return is_inspection_possible;
}

bool inspect_makes_checks(const struct inspect_wish *wanted)
{
	return *wanted->nan || wanted->checksums;
}

bool kernel_choice_is(CUfunction handle)
{
	return (uintptr_t)handle == 1;
}

bool kernel_choice_is_for_nan(CUfunction handle)
{
	return (uintptr_t)handle == 2;
}

void graph_checks_start(const struct check_choice *wanted, bool has_last)
{
	trace_add("graph_checks_start %d%d%d %u %u %d\n", wanted->is_chosen((CUfunction)1),
		  wanted->is_chosen((CUfunction)2), wanted->is_chosen((CUfunction)3),
		  wanted->mode.flags, wanted->mode.longest, has_last);
}

void markers_start(const struct marker_setting *wanted)
{
	trace_add("markers_start %d %u\n", (int)wanted->scheme, wanted->interval);
}

/* The trace of a start, with the parts that a case changes. */
#define INSPECTION "inspect_start '' 0 '' 0 0 0\n"
#define VERDICT    "before_verdict (\ninspect_finish\ngraph_checks_finish\n)\n"
#define WORDS                         \
	"progress_channels_start 1\n" \
	"meta 4 no context was searched for the driver's progress counters\n"
#define NO_WORDS "progress_channels_start 0\n"
#define CHECKS   "meta 4 the driver's progress counters count checks, too\n"
#define MARKED   "markers_start 1 9\n"
#define UNMARKED "markers_start 0 9\n"
#define FAILURE                                                                                  \
	"failure_start 0\nfailure_report_start 0 0\nelastic_error_start\nerror_string_start 0\n" \
	"cleanup_start 0\nfail_closed_start 0 0\n"
#define STACKS(on, check, python) \
	"stack_start " #on "\nstack_check_start " #check "\npython_start " #python "\n"
#define STARTED(stacks, failure, inspection, progress, end)                     \
	"hold\naside_start\nbundle_start\n" stacks "describe_start 0\n" failure \
	"functions_start\nrejected_line_start 0\n" inspection VERDICT           \
	"contexts_start 0\nimages_start 7\ntick_clock_start\n" progress         \
	"graph_markers_start 0\n" end "recording_begin\nrestore 5\n"
#define END "fault_start 0\ncode_addresses_start 0\n"

static void start(void)
{
	errno = EINTR;
	lifecycle_driver_ready();
	CHECK_EQUAL(errno, EINTR);
}

/* Few things are started; the cases below change a few settings each. */
static void plain(void)
{
	*settings = (struct settings){
		.markers = {.scheme = (enum marker_scheme)1, .interval = 9},
		.progress = PROGRESS_MARKERS,
		.images = 7,
	};
}

static void check_started(const char *wanted)
{
	start();
	CHECK_TRACE(wanted);
	plain();
}

static void test_disabled(void)
{
	is_disabled = is_quiet = true;
	CHECK(lifecycle_disabled());
	CHECK_TRACE("hold\nwarning_start\nwarning: 90% of a line\nrestore 5\nwarning_silence\n");
}

static void test_settings(void)
{
	CHECK(!lifecycle_disabled());
	CHECK_TRACE("hold\nwarning_start\nwarning: 90% of a line\nrestore 5\n");
	CHECK(!lifecycle_disabled());
	CHECK_TRACE("");
}

static void test_stacks(void)
{
	check_started(STARTED(STACKS(0, 0, 0), FAILURE, INSPECTION, MARKED NO_WORDS, END));
	settings->stacks = 1;
	settings->stack_check = 3;
	check_started(STARTED(STACKS(1, 3, 0), FAILURE, INSPECTION, MARKED NO_WORDS, END));
	settings->python = 1;
	check_started(STARTED(STACKS(0, 0, 0), FAILURE, INSPECTION, MARKED NO_WORDS, END));
	settings->stacks = settings->python = 1;
	check_started(STARTED(STACKS(1, 0, 1), FAILURE, INSPECTION, MARKED NO_WORDS, END));
}

static void test_failure(void)
{
#define PLAIN STACKS(0, 0, 0)
#define CASE(run, length, annotate, cleanup, policy, left)                                         \
	STARTED(PLAIN,                                                                             \
		"failure_start 0\nfailure_report_start " #run " " #length                          \
		"\nelastic_error_start\nerror_string_start " #annotate "\ncleanup_start " #cleanup \
		"\nfail_closed_start " #policy " " #left "\n",                                     \
		INSPECTION, MARKED NO_WORDS, END)
	settings->annotate = 1;
	settings->cleanup = CLEANUP_REAL;
	check_started(CASE(0, 0, 1, 1, 0, 0));
	settings->report = REPORT_FULL;
	settings->on_failure = ON_FAILURE_KILL;
	settings->leave = true;
	check_started(CASE(0, 1, 0, 0, 2, 0));
	settings->run[0] = 'r';
	check_started(CASE(1, 0, 0, 0, 0, 0));
	settings->run[0] = 'r';
	settings->leave = true;
	check_started(CASE(1, 0, 0, 0, 0, 1));
}

/* The environment's answers, and the settings that nothing depends on, all at once. */
static void test_environment(void)
{
	is_blocking = is_ptx_forced = true;
	settings->verbose = true;
	settings->graph_markers = 4;
	settings->coredump = 1;
	settings->fault = 1;
#define LATE(asked) "fault_start 1\ncode_addresses_start " #asked "\n"
	check_started("hold\naside_start\nbundle_start\n" PLAIN
		      "describe_start 1\nfailure_start 1\n"
		      "failure_report_start 0 1\nelastic_error_start\nerror_string_start 0\n"
		      "cleanup_start 0\nfail_closed_start 0 "
		      "0\nfunctions_start\nrejected_line_start 1\n" INSPECTION VERDICT
		      "contexts_start 1\nimages_start 7\ntick_clock_start\n" MARKED NO_WORDS
		      "graph_markers_start 4\n" LATE(
			      1) "bundle_ensure\ncoredumps_start the bundle\nmeta 2 status\n"
				 "recording_begin\nrestore 5\n");
	is_blocking = is_ptx_forced = false;
	has_observer = true;
	settings->fault = 1;
	check_started(STARTED(PLAIN, FAILURE, INSPECTION, MARKED NO_WORDS, LATE(0)));
	check_started(STARTED(PLAIN, FAILURE, INSPECTION, MARKED NO_WORDS, END));
	has_observer = false;
	check_started(STARTED(PLAIN, FAILURE, INSPECTION, MARKED NO_WORDS, END));
}

static void check_progress(enum progress_source source, const char *wanted)
{
	settings->progress = source;
	check_started(wanted);
}

static void test_progress(void)
{
#define PROGRESS(progress) STARTED(PLAIN, FAILURE, INSPECTION, progress, END)
	check_progress(PROGRESS_AUTO, PROGRESS(MARKED WORDS));
	check_progress(PROGRESS_WORDS, PROGRESS(UNMARKED WORDS));
	check_progress(PROGRESS_MARKERS, PROGRESS(MARKED NO_WORDS));
	check_progress(PROGRESS_OFF, PROGRESS(UNMARKED NO_WORDS));
	is_under_valgrind = true;
	check_progress(PROGRESS_AUTO, PROGRESS(MARKED NO_WORDS));
	check_progress(PROGRESS_WORDS, PROGRESS(UNMARKED NO_WORDS));
	is_under_valgrind = false;
#define CHECKED(progress) \
	STARTED(PLAIN, FAILURE, "inspect_start '' 0 '' 0 1 0\n", progress NO_WORDS CHECKS, END)
	settings->checksums = true;
	check_progress(PROGRESS_AUTO, CHECKED(MARKED));
	settings->checksums = true;
	check_progress(PROGRESS_WORDS, CHECKED(MARKED));
	settings->checksums = true;
	check_progress(PROGRESS_OFF, CHECKED(UNMARKED));
}

/* Run with what --inspect and --nan are given, and compare what starts about them. */
static void check_inspection(bool is_left, const char *inspect, const char *nan, const char *wanted)
{
	settings->leave = is_left;
	settings->run[0] = 'r';
	(void)strncpy(settings->inspect, inspect, sizeof(settings->inspect) - 1);
	(void)strncpy(settings->nan, nan, sizeof(settings->nan) - 1);
	start();
	const char *from = strstr(trace_take(), "inspect_start");
	const char *to = from ? strstr(from, "before_verdict") : NULL;
	CHECK(to && strlen(wanted) == (size_t)(to - from));
	CHECK(strncmp(from, wanted, strlen(wanted)) == 0);
	plain();
}

static void test_inspection(void)
{
	check_inspection(false, "k", "", "inspect_start '' 0 '' 0 0 0\n");
	check_inspection(false, "k", "n", "inspect_start '' 0 'n' 0 0 0\n");
	check_inspection(true, "", "", "inspect_start '' 0 '' 0 0 0\n");
	settings->inspect_mode = INSPECT_ASYNC;
	settings->inspect_as = 2;
	check_inspection(true, "k", "",
			 "inspect_start 'k' 1 '' 0 0 2\ngraph_checks_start 110 1 4194304 1\n");
	settings->infinities = true;
	settings->nan_read = 2048;
	check_inspection(true, "", "n",
			 "inspect_start '' 0 'n' 1 0 0\ngraph_checks_start 110 3 131072 0\n");
	settings->nan_read = 1 << 16;
	check_inspection(true, "k", "n",
			 "inspect_start 'k' 0 'n' 0 0 0\ngraph_checks_start 110 1 4194304 1\n");
	settings->nan_read = UINT32_MAX;
	check_inspection(true, "k", "n",
			 "inspect_start 'k' 0 'n' 0 0 0\ngraph_checks_start 110 1 4194304 1\n");
	is_inspection_possible = false;
	check_inspection(true, "k", "n", "inspect_start 'k' 0 'n' 0 0 0\n");
}

static void test_other_events(void)
{
	lifecycle_fork_child();
	CHECK_TRACE("recording_end\nthread_forget\nfault_forget\ncoredumps_give_up\n");
	errno = EINTR;
	lifecycle_module_unloaded();
	CHECK_TRACE("");
	is_recording = 1;
	lifecycle_module_unloaded();
	CHECK_TRACE("stack_module_unloaded\nfunctions_unloaded\n");
	CHECK_EQUAL(errno, EINTR);
}

int main(void)
{
	check_in_child(test_disabled);
	test_settings();
	plain();
	test_stacks();
	test_failure();
	test_environment();
	test_progress();
	test_inspection();
	test_other_events();
	return 0;
}
