/*
 * lifecycle.c - start to record, and stop at exit.
 */
#include "call/lifecycle.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/frame.h"
#include "call/call_parts.h"
#include "call/call_scope.h"
#include "call/describe.h"
#include "failure/bypass.h"
#include "failure/cleanup.h"
#include "failure/doubt.h"
#include "failure/elastic_error.h"
#include "failure/error_string.h"
#include "failure/fail_closed.h"
#include "failure/failed_contexts.h"
#include "failure/failure.h"
#include "failure/failure_report.h"
#include "failure/watched_dump.h"
#include "graph_checks/graph_checks.h"
#include "inspect/inspect.h"
#include "inspect/kernel_choice.h"
#include "record/driver/coredumps.h"
#include "record/driver/environment.h"
#include "record/fault/fault.h"
#include "record/files/meta.h"
#include "record/graphs/graph_markers.h"
#include "record/host/aside.h"
#include "record/host/cancellation.h"
#include "record/host/clock.h"
#include "record/host/recording.h"
#include "record/host/tick_clock.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "record/journal/run_slot.h"
#include "record/journal/sequence.h"
#include "record/objects/code_addresses.h"
#include "record/objects/functions.h"
#include "record/objects/images.h"
#include "record/progress/progress_channels.h"
#include "record/python/python.h"
#include "record/stacks/stack.h"
#include "record/stacks/stack_check.h"
#include "record/streams/contexts.h"
#include "record/streams/markers.h"
#include "record/thread.h"
#include "rejection/rejected_line.h"
#include "rejection/rejected_rows.h"

static struct settings settings; /* written once, under settings_once */
static pthread_once_t settings_once = PTHREAD_ONCE_INIT;
static pid_t owner;         /* the process that the bundle belongs to */
static bool has_left_early; /* atomic: a healthy exit has done its work */

static void warn(void *unused, const char *line)
{
	(void)unused;
	warning_print("%s", line);
}

/* Calls no loader function and takes no lock, so once() cannot be re-entered from inside. */
static void read_settings(void)
{
	int cancellation = cancellation_hold();
	warning_start();
	settings_read(&settings, warn, NULL);
	cancellation_restore(cancellation);
	if (settings.quiet)
		warning_silence();
}

bool lifecycle_disabled(void)
{
	(void)pthread_once(&settings_once, read_settings);
	return settings.disable;
}

/* The driver needs the dump's path before the first context, so open the bundle now. */
static void start_coredumps(void)
{
	bundle_ensure();
	coredumps_start(bundle_path());
	meta_note(META_COREDUMPS, coredumps_status());
}

/* `culprit run --print` reads the journal after the process has exited. */
static bool is_journal_left(void)
{
	return settings.leave && settings.run[0];
}

static void start_failure(void)
{
	failure_start(environment_is_launch_blocking());
	failure_report_start(settings.run[0],
			     settings.verbose ? REPORT_FULL : (enum report_length)settings.report);
	elastic_error_start();
	error_string_start(settings.annotate);
	cleanup_start((enum cleanup_policy)settings.cleanup);
	fail_closed_start((enum failure_policy)settings.on_failure, is_journal_left());
}

/* Only `culprit run` prints inspections. */
static struct inspect_wish inspection_wish(void)
{
	return (struct inspect_wish){
		.inspect = is_journal_left() ? settings.inspect : "",
		.is_async = settings.inspect_mode == INSPECT_ASYNC,
		.nan = settings.nan,
		.infinities = settings.infinities,
		.checksums = settings.checksums,
		.type = settings.inspect_as,
	};
}

static void finish_checks(void)
{
	inspect_finish();
	graph_checks_finish();
}

static bool is_checked_in_graphs(CUfunction kernel)
{
	return kernel_choice_is(kernel) || kernel_choice_is_for_nan(kernel);
}

/* Return how many chunks of an argument --nan reads in full in graphs. */
static uint32_t longest_range(void)
{
	uint64_t bytes = settings.nan_read ? (uint64_t)settings.nan_read << 10 : CHECK_MAX_BYTES;
	return (uint32_t)((bytes < CHECK_MAX_BYTES ? bytes : CHECK_MAX_BYTES) / CHECK_CHUNK_BYTES);
}

static void start_inspection(void)
{
	const struct inspect_wish wish = inspection_wish();
	bool is_inspecting = *wish.inspect;
	const struct check_choice choice = {
		.is_chosen = is_checked_in_graphs,
		.mode = {.flags = CHECK_NAN_IS_ODD | (wish.infinities ? CHECK_INFINITY_IS_ODD : 0),
			 .longest = longest_range()}};
	if (inspect_start(&wish) && is_journal_left() && (is_inspecting || *wish.nan))
		graph_checks_start(&choice, is_inspecting);
	failure_before_verdict(finish_checks);
}

static void start_progress(void)
{
	const struct inspect_wish wish = inspection_wish();
	bool are_words_wanted =
		(settings.progress == PROGRESS_AUTO || settings.progress == PROGRESS_WORDS) &&
		!environment_is_under_valgrind() && !inspect_makes_checks(&wish);
	bool has_markers = settings.progress == PROGRESS_MARKERS ||
			   settings.progress == PROGRESS_AUTO || inspect_makes_checks(&wish);
	if (!has_markers || settings.progress == PROGRESS_OFF)
		settings.markers.scheme = MARKERS_OFF;
	markers_start(&settings.markers);
	progress_channels_start(are_words_wanted);
	if (inspect_makes_checks(&wish))
		meta_note(META_PROGRESS, "the driver's progress counters count checks, too");
	if (are_words_wanted)
		meta_note(META_PROGRESS,
			  "no context was searched for the driver's progress counters");
}

void lifecycle_driver_ready(void)
{
	int host_errno = errno;
	int cancellation = cancellation_hold();
	owner = getpid();
	aside_start();
	bundle_start(&settings);
	stack_start(settings.stacks);
	stack_check_start(settings.stack_check);
	python_start(settings.stacks && settings.python);
	describe_start(environment_is_launch_blocking());
	start_failure();
	functions_start();
	rejected_line_start(settings.verbose);
	start_inspection();
	contexts_start(environment_forces_ptx());
	images_start(settings.images);
	tick_clock_start();
	start_progress();
	graph_markers_start(settings.graph_markers);
	fault_start(settings.fault);
	/* Asking for a kernel's function is a rejected call for most handles. */
	code_addresses_start(settings.fault && !environment_has_observer());
	if (settings.coredump)
		start_coredumps();
	recording_begin();
	cancellation_restore(cancellation);
	errno = host_errno;
}

/*
 * True if there is a dump without a failure: the dump of a failure that no call has reported. The
 * driver's thread ends with the process, so give it time to write the dump.
 */
static bool has_hidden_failure(void)
{
	bool has_dump = doubt_has_dump();
	if (has_dump)
		coredumps_await(clock_kernel_ns() + WATCHED_DUMP_WAIT_NS);
	return has_dump;
}

/* A vfork() child shares our memory; only its pid differs. */
static bool is_recorded_process(void)
{
	return recording_is_on() && owner == getpid();
}

static void close_bundle(bool has_failed, bool is_left)
{
	if (is_left || is_journal_left())
		bundle_leave(has_failed);
	else if (!has_failed && settings.keep == KEEP_FAILURE)
		bundle_remove();
	else
		bundle_finish();
}

/*
 * Ask the driver once for a failure if a module is bound to the driver itself, because that
 * module's calls and results are unseen. Only the main thread asks, and only outside every call: an
 * exit() in a callback of the driver may run in any other thread, and must not call the driver.
 */
static void ask_about_unseen(void *frame)
{
	if (failure_has_happened() || syscall(SYS_gettid) != getpid() || thread_slot.scope ||
	    !bypass_is_linked())
		return;
	CUresult code = failed_contexts_code(NULL);
	if (code != CUDA_SUCCESS)
		(void)call_scope_failed(CALL_cuMemGetInfo_v2, code, frame);
}

/* A process that exits successfully says nothing, and `culprit run` knows better who failed. */
static void print_rejection_left(struct report_end end, bool is_heard)
{
	bool has_failed = end.kind != REPORT_END_UNKNOWN && end.number != 0;
	if (settings.verbose || (has_failed && !is_heard))
		rejected_end_print(end, settings.verbose);
}

/* Under `culprit run` the journal of a process that may have failed is left to be read. */
static bool is_rejection_left(struct report_end end)
{
	bool is_well = end.kind == REPORT_EXITED && end.number == 0;
	return settings.run[0] && !settings.verbose && !is_well && bundle_is_shared() &&
	       rejected_end_is_open();
}

/*
 * The removal takes longer than all the rest. `culprit run` does it for the command, but not for
 * what the command starts: that may be thousands of processes, whose journals would fill the
 * memory.
 */
static bool is_removal_left(struct report_end end)
{
	return end.kind == REPORT_EXITED && end.number == 0 && !rejected_end_is_open() &&
	       settings.keep == KEEP_FAILURE && !settings.leave && bundle_is_shared() &&
	       run_slot_is_of_command();
}

static void end_sound(struct report_end end)
{
	finish_checks();
	bool is_left = is_rejection_left(end);
	bool is_heard = run_slot_publish_end(sequence_newest());
	print_rejection_left(end, is_left && is_heard);
	if (is_removal_left(end))
		bundle_remove_later();
	else
		close_bundle(false, is_left);
}

/* If the driver's shutdown may write a GPU core dump, keep the bundle's directory for it. */
void lifecycle_exit_early(struct report_end end)
{
	if (!is_recorded_process() || settings.coredump)
		return;
	ask_about_unseen(FRAME_HERE());
	failure_wait_for_verdict();
	if (failure_has_happened())
		return;
	__atomic_store_n(&has_left_early, true, __ATOMIC_RELAXED);
	end_sound(end);
}

static bool find_hidden_failure(void)
{
	if (!has_hidden_failure())
		return false;
	warning_print("the GPU failed, but no CUDA call reported it to the program; see "
		      "`culprit report %s`",
		      bundle_path());
	return true;
}

void lifecycle_exit(struct report_end end)
{
	if (!is_recorded_process())
		return;
	failure_wait_for_verdict();
	bool has_left = __atomic_load_n(&has_left_early, __ATOMIC_RELAXED);
	bool has_failed = failure_has_happened();
	if (has_left && !has_failed)
		return;
	if (!has_failed && !find_hidden_failure()) {
		end_sound(end);
		return;
	}
	finish_checks();
	if (!has_left)
		(void)run_slot_publish_end(sequence_newest());
	close_bundle(true, false);
}

/* The bundle stays after other aborts, as after any signal. */
void lifecycle_abort(const void *caller)
{
	const struct report_end end = {.kind = REPORT_KILLED, .number = SIGABRT};
	if (pycuda_aborts(caller))
		lifecycle_exit(end);
	else if (is_recorded_process() && !failure_has_happened() && !settings.run[0])
		rejected_end_print(end, settings.verbose);
}

void lifecycle_fork_child(void)
{
	recording_end();
	thread_forget();
	fault_forget();
	coredumps_give_up(); /* the dump, and the driver's threads, are the parent's */
}

void lifecycle_module_unloaded(void)
{
	int host_errno = errno;
	if (recording_is_on()) {
		stack_module_unloaded();
		/* Unloading its fat binaries used a table of the driver that we do not see. */
		functions_unloaded();
	}
	errno = host_errno;
}
