/*
 * run_case.c - the parts of the command that `culprit run` calls.
 */
#include "finish/run_case.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bundle/live_memory.h"
#include "command/bounded.h"
#include "command/message.h"
#include "command/options.h"
#include "command/preload.h"
#include "command/unknown_settings.h"
#include "print/print.h"
#include "run/left_memory.h"
#include "support/check.h"

struct run_case run_case;

void message(const char *format, ...)
{
	char line[512];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	trace_add("message: %s\n", line);
}

int options_choice(const struct arguments *arguments, enum option option)
{
	CHECK(arguments && (option == OPTION_run_color || option == OPTION_run_hardware));
	return option == OPTION_run_color ? run_case.color : run_case.hardware;
}

int options_number(const struct arguments *arguments, enum option option, unsigned first,
		   unsigned last, unsigned *out)
{
	CHECK(arguments && option == OPTION_run_fail_code);
	trace_add("number %u to %u\n", first, last);
	if (run_case.fail_code)
		*out = run_case.fail_code;
	return run_case.number_error;
}

int run_hang_read(const struct arguments *arguments, struct run_hang *out)
{
	CHECK(arguments != NULL);
	*out = (struct run_hang){.code = 124};
	return run_case.hang_error;
}

int old_bundles_read_size(const struct arguments *arguments, enum option option, uint64_t *out)
{
	CHECK(arguments && option == OPTION_run_dir_size);
	if (run_case.max_bytes)
		*out = run_case.max_bytes;
	return run_case.size_error;
}

void unknown_settings_report(void (*tell)(void *data, const char *line), void *data)
{
	if (run_case.has_unknown_setting)
		tell(data, "unknown: %s");
}

enum command_kind command_kind(const char *command)
{
	trace_add("kind of %s\n", command);
	return run_case.kind;
}

const char *command_kind_text(enum command_kind kind)
{
	return kind == COMMAND_LOADS ? NULL : "is of a kind";
}

int preload_find_library(char *out_path, size_t capacity)
{
	(void)snprintf(out_path, capacity, "library");
	return run_case.library_error;
}

int preload_set_environment(const char *library)
{
	trace_add("preload %s\n", library);
	return run_case.preload_error;
}

int preload_offer_nvtx(const char *library)
{
	trace_add("offer NVTX of %s\n", library);
	return run_case.nvtx_error;
}

int run_slot_open(char *out_run, size_t capacity)
{
	(void)snprintf(out_run, capacity, "inner");
	return 8;
}

void run_slot_note_command(int fd)
{
	trace_add("command of %d\n", fd);
}

void run_slot_read(int fd, struct run_reported *out)
{
	static struct run_process process = {30, 4};
	CHECK_EQUAL(fd, 8);
	trace_add("read slot\n");
	*out = (struct run_reported){.processes = &process, .n_processes = 1};
}

const struct run_process *run_reported_process(const struct run_reported *told, long pid)
{
	return told->processes->pid == pid ? told->processes : NULL;
}

void run_reported_free(struct run_reported *told)
{
	CHECK_EQUAL(told->n_processes, 1);
	trace_add("free slot\n");
}

int report_output_open(const char *path, bool appends, bool is_quiet, struct report_output *out)
{
	trace_add("output %s%s%s\n", path ? path : "-", appends ? ", append" : "",
		  is_quiet ? ", quiet" : "");
	*out = (struct report_output){.path = path};
	return run_case.output_error;
}

void report_output_close(struct report_output *output)
{
	CHECK(output != NULL);
	trace_add("close output\n");
}

void hardware_watch_begin(struct hardware_watch *out)
{
	CHECK(out->helper_fd == -1 && out->ask_fd == -1 && out->answer_fd == -1);
	trace_add("watch hardware\n");
}

void hardware_watch_end(struct hardware_watch *watch)
{
	CHECK(watch != NULL);
	trace_add("end of hardware\n");
}

bool live_memory_any_is_left(void)
{
	return run_case.has_left;
}

void left_memory_collect(const struct left_run *run, struct left_memory *out_left)
{
	CHECK(!run && out_left);
	trace_add("collect memory\n");
}

void left_memory_end(struct left_memory *left, bool is_quiet)
{
	CHECK(left && is_quiet);
	trace_add("end of memory\n");
}

int old_bundles_remove(const char *directory, const struct old_bundles_limits *limits,
		       void (*tell)(const char *path))
{
	CHECK(!tell && !limits->is_dry && limits->max_seconds == UINT64_MAX);
	trace_add("remove old of %s: %" PRIu64 "\n", directory, limits->max_bytes);
	return 0;
}

int bounded_try(int (*work)(void *state), void *state)
{
	trace_add("try\n");
	return work(state);
}

int bounded_call(int (*work)(void *state), void *state, const char *path)
{
	trace_add("bounded, %s\n", path);
	return run_case.bounded_result ? run_case.bounded_result : work(state);
}

int run_hang_prepare(struct run_hang *hang, const struct settings *settings)
{
	CHECK(hang->code == 124 && settings);
	return run_case.prepare_error;
}

void run_hang_begin(struct run_hang *hang, struct run_end *end, struct child_watch *watch)
{
	CHECK(hang->code == 124 && end && watch->fd == 21 && !watch->tick);
	trace_add("begin hang\n");
}

void run_hang_end(struct run_hang *hang, struct run_end *end)
{
	trace_add("end of hang\n");
	hang->has_aborted = run_case.has_aborted;
	end->has_reported_hang = run_case.has_reported_hang;
}

int print_start(const struct print_wish *wish, struct print *out)
{
	CHECK(out != NULL);
	if (!wish)
		trace_add("no print\n");
	else
		trace_add("print '%s' '%s' '%s' %d %d %s of %s: %d %d\n", wish->kernels,
			  wish->inspected, wish->nan, wish->is_silent, (int)wish->type,
			  wish->target ? wish->target : "-", wish->run,
			  (int)wish->submitted(wish->state, 30),
			  (int)wish->submitted(wish->state, 31));
	return run_case.print_error;
}

void print_end(struct print *print)
{
	CHECK(print != NULL);
	trace_add("end of print\n");
}

void run_early_begin(int slot_fd, bool is_quiet, struct run_early *out)
{
	trace_add("begin early %d%s\n", slot_fd, is_quiet ? ", quiet" : "");
	out->events_fd = 21;
}

void run_early_print(void *state)
{
	CHECK_EQUAL(((struct run_early *)state)->events_fd, 21);
	trace_add("print early\n");
}

void run_early_end(struct run_early *early)
{
	CHECK_EQUAL(early->events_fd, 21);
	trace_add("end of early\n");
}

int run_kill_step(void *state)
{
	const struct run_kill *kill = state;
	trace_add("kill in %d %s, outer '%s'%s\n", kill->slot_fd, kill->run_id, kill->outer_run,
		  kill->is_quiet ? ", quiet" : "");
	return 0;
}

bool run_kill_end(struct run_kill *wanted)
{
	(void)run_kill_step(wanted);
	return run_case.is_killed;
}

int child_run(char **argv, const struct child_watch *watch, struct child_end *out_end)
{
	static const char *const names[] = {"CULPRIT_DIR",      "CULPRIT_RUN",   "CULPRIT_VERBOSE",
					    "CULPRIT_ANNOTATE", "CULPRIT_LEAVE", "CULPRIT_KEEP",
					    "CULPRIT_INSPECT"};
	trace_add("child %s:", argv[0]);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (getenv(names[i]))
			trace_add(" %s=%s", names[i], getenv(names[i]));
	trace_add("\n");
	watch->starting(watch->starting_state);
	watch->act(watch->state);
	(void)watch->end(watch->end_state);
	*out_end = (struct child_end){30, run_case.child_status};
	return run_case.child_error;
}

int child_exit_status(int status)
{
	trace_add("exit with %#x\n", (unsigned)status);
	return 200;
}

static struct run_summary report(const struct run_end *end, const char *what)
{
	trace_add("%s: %s %d %s '%s', colour %d, length %d%s%s%s%s%s%s, start %d, DEBUGINFOD %s\n",
		  what, end->directory, end->slot_fd, end->run_id, end->outer_run, (int)end->color,
		  (int)end->length, end->is_quiet ? ", quiet" : "",
		  end->is_verbose ? ", verbose" : "", end->requires_cuda ? ", CUDA" : "",
		  end->is_killed ? ", killed" : "", end->has_reported_hang ? ", hang" : "",
		  end->keeps_sound ? ", keeps" : "", end->start_ns > 0,
		  getenv("DEBUGINFOD_URLS") ? "set" : "unset");
	CHECK(end->findings && !end->findings->n && end->output && end->hardware);
	return run_case.summary;
}

struct run_summary run_reports(const struct run_end *end)
{
	return report(end, "reports");
}

struct run_summary run_reports_print(const struct run_end *end)
{
	return report(end, "print");
}

void run_views_write(const struct arguments *arguments, struct ci_findings *findings, bool is_quiet)
{
	CHECK(arguments && findings);
	trace_add("views%s\n", is_quiet ? ", quiet" : "");
}
