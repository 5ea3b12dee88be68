/*
 * run.c - `culprit run`: sets up the command, runs it, and reports the failures of its processes.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path_pattern.h"
#include "bundle/live_memory.h"
#include "command/bounded.h"
#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/monotonic.h"
#include "command/options.h"
#include "command/preload.h"
#include "command/report_output.h"
#include "command/unknown_settings.h"
#include "print/print.h"
#include "run/child.h"
#include "run/left_memory.h"
#include "run/run_parts.h"
#include "run/run_reports.h"
#include "run/run_slot.h"

enum { COMMANDS_STATUS = -1, FAIL_CODE_MAX = 255, NO_FAIL_CODE };

enum { HARDWARE_ON }; /* as in commands.def */

static void report_unknown_setting(void *data, const char *line)
{
	(void)data;
	message("%s", line);
}

/*
 * Reads the CULPRIT_* variables and the flags, which override them. Returns 0, or -EINVAL after one
 * line.
 */
static int read_settings(const struct arguments *arguments, struct settings *out)
{
	settings_read(out, NULL, NULL); /* the library in the command warns, once */
	for (enum setting which = 0; which < N_SETTINGS; which++) {
		const char *value = arguments->values[OPTION_FIRST_SETTING + which];
		if (value && settings_parse(out, which, value)) {
			message("--%s '%s': expected %s; see culprit help run",
				setting_facts[which].flag, value, setting_facts[which].values);
			return -EINVAL;
		}
	}
	return 0;
}

/* Exports the settings that were given as flags, for the library to read. Returns 0 or -errno. */
static int export_flags(const struct arguments *arguments, const struct settings *settings)
{
	char whole[SETTINGS_WORD_MAX]; /* of an option whose value was left out */
	for (enum setting which = 0; which < N_SETTINGS; which++) {
		const char *value = arguments->values[OPTION_FIRST_SETTING + which];
		if (value && !*value) {
			(void)settings_text(settings, which, whole, sizeof(whole));
			value = whole;
		}
		if (value && setenv(setting_facts[which].environment, value, 1))
			return -errno;
	}
	return 0;
}

/* Makes the directory and those above it, like mkdir -p. Errors show when it is used. */
static void make_directory(const char *path)
{
	char part[PATH_MAX];
	for (const char *end = path + strspn(path, "/"); *end; end += strspn(end, "/")) {
		end += strcspn(end, "/");
		if ((size_t)(end - path) >= sizeof(part))
			return;
		memcpy(part, path, (size_t)(end - path));
		part[end - path] = '\0';
		/* access() works even on a frozen disk. */
		if (access(part, F_OK))
			mkdir(part, 0777);
	}
}

/* Sets the environment of the command. Returns 0, or -errno after one line. */
static int export_settings(const struct arguments *arguments, const struct settings *settings,
			   enum command_kind kind)
{
	char pattern[2 * PATH_MAX]; /* in case each byte is a percent sign */
	char library[PATH_MAX];
	int result = preload_find_library(library, sizeof(library));
	if (result)
		return result;
	make_directory(settings->dir);
	/* The command may change its directory before it first uses the GPU. */
	char directory[PATH_MAX];
	if (!realpath(settings->dir, directory)) {
		result = -errno;
		message("bundle directory '%s': %s", settings->dir, strerror(-result));
		return result;
	}
	path_pattern_of(directory, pattern, sizeof(pattern));
	result = export_flags(arguments, settings);
	if (!result && kind != COMMAND_IS_MUSL)
		result = preload_set_environment(library);
	if (!result)
		result = preload_offer_nvtx(library);
	if (!result && setenv("CULPRIT_DIR", pattern, 1))
		result = -errno;
	if (!result && setenv("CULPRIT_RUN", settings->run, 1))
		result = -errno;
	if (!result && settings->verbose && setenv("CULPRIT_VERBOSE", "1", 1))
		result = -errno;
	/* A user who runs a program under this command wants its messages to name the culprit. */
	if (!result && setenv("CULPRIT_ANNOTATE", "on", 0))
		result = -errno;
	if (result)
		message("environment: %s", strerror(-result));
	return result;
}

static int not_started(const char *command, int error)
{
	bool is_missing = error == -ENOENT;
	if (is_missing && !strchr(command, '/'))
		message("'%s': command not found", command);
	else
		message("cannot run '%s': %s", command, strerror(-error));
	if (error == -EAGAIN || error == -EMFILE || error == -ENFILE)
		return EXIT_STATUS_NOT_STARTED;
	return is_missing ? EXIT_STATUS_NOT_FOUND : EXIT_STATUS_NOT_EXECUTABLE;
}

/* True if the command crashed, or exited with the status of a child that crashed. */
static bool has_crashed(int status)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
	for (size_t index = 0; index < sizeof(crashes) / sizeof(crashes[0]); index++)
		if (number == crashes[index])
			return true;
	return false;
}

struct sweep {
	const char *directory;
	uint64_t max_bytes;
};

/* Cleans up journals that processes of earlier runs left in memory. */
static int sweep_memory(void *unused)
{
	(void)unused;
	struct left_memory left;
	left_memory_collect(NULL, &left);
	left_memory_end(&left, true);
	return 0;
}

/* Removes the oldest bundles of the directory. STATE is a struct sweep. */
static int sweep_directory(void *state)
{
	const struct sweep *wanted = state;
	const struct old_bundles_limits limits = {.max_bytes = wanted->max_bytes,
						  .max_seconds = UINT64_MAX};
	(void)old_bundles_remove(wanted->directory, &limits, NULL);
	return 0;
}

static void note_command(const void *state)
{
	const struct run_end *end = state;
	run_slot_note_command(end->slot_fd);
}

/*
 * Runs the command. If the reports go to a file, prints the first lines here even when the command
 * ends soon.
 */
static int run_command(const struct arguments *arguments, struct run_hang *hang,
		       struct run_end *end)
{
	struct run_early early;
	run_early_begin(end->slot_fd, end->is_quiet, &early);
	struct child_watch watch = {.starting = note_command,
				    .starting_state = end,
				    .fd = early.events_fd,
				    .act = run_early_print,
				    .state = &early};
	run_hang_begin(hang, end, &watch);
	struct run_kill kill = {.slot_fd = end->slot_fd,
				.run_id = end->run_id,
				.outer_run = end->outer_run,
				.is_quiet = end->is_quiet};
	watch.end = run_kill_step;
	watch.end_state = &kill;
	int error = child_run(arguments->operands, &watch, &end->child);
	end->is_killed = run_kill_end(&kill);
	if (end->output->path)
		run_early_print(&early);
	run_early_end(&early);
	return error;
}

static int cuda_is_missing(void)
{
	message("no process used the GPU with the library in it (--require-cuda); see culprit "
		"doctor");
	return EXIT_STATUS_NO_CUDA;
}

static uint64_t submitted(void *state, long pid)
{
	const struct run_end *end = state;
	struct run_reported told;
	run_slot_read(end->slot_fd, &told);
	const struct run_process *process = run_reported_process(&told, pid);
	uint64_t n = process ? process->n_submissions : 0;
	run_reported_free(&told);
	return n;
}

/* Starts printing or inspecting launches as they are made, if the options ask for it. */
static int start_printing(const struct arguments *arguments, const struct settings *settings,
			  struct run_end *end, struct print *out)
{
	const char *kernels = arguments->values[OPTION_run_print];
	struct print_wish wish = {.kernels = kernels ? kernels : "",
				  .inspected = settings->inspect,
				  .nan = settings->nan,
				  .is_silent = (*settings->inspect || *settings->nan) && !kernels,
				  .type = (enum value_type)settings->inspect_as,
				  .target = arguments->values[OPTION_run_print_to],
				  .run = end->run_id,
				  .submitted = submitted,
				  .state = end};
	bool is_wanted = kernels || wish.target || *settings->inspect || *settings->nan;
	if (is_wanted ? setenv("CULPRIT_LEAVE", "1", 1) : unsetenv("CULPRIT_LEAVE"))
		return -errno;
	return print_start(is_wanted ? &wish : NULL, out);
}

struct finish {
	const struct arguments *arguments;
	struct run_end *end;
	const struct run_hang *hang;
	unsigned fail_code;
	struct run_summary (*report)(const struct run_end *end);
};

/*
 * Reports the failures of the run's processes. Returns the status to exit with, or COMMANDS_STATUS.
 * STATE is a struct finish.
 */
static int finish(void *state)
{
	const struct finish *wanted = state;
	struct run_end *end = wanted->end;
	struct run_summary summary = wanted->report(end);
	run_views_write(wanted->arguments, end->findings, end->is_quiet);
	report_output_close(end->output);
	if (summary.n_failures && wanted->fail_code != NO_FAIL_CODE)
		return (int)wanted->fail_code;
	if (wanted->hang->has_aborted)
		return wanted->hang->code;
	if (end->is_killed)
		return EXIT_STATUS_KILLED;
	if (end->requires_cuda && !end->child.status && !summary.has_used_gpu)
		return cuda_is_missing();
	return COMMANDS_STATUS;
}

/* If the bundle directory hangs, report the verdicts that the processes sent directly. */
static int finish_bounded(struct finish *wanted)
{
	int status = bounded_call(finish, wanted, wanted->end->directory);
	if (status != -ETIMEDOUT && status != -ECHILD)
		return status;
	if (status == -ETIMEDOUT && !wanted->end->is_quiet)
		message("%s: the disk does not answer; this run's bundles stay in memory until the "
			"next culprit run",
			wanted->end->directory);
	wanted->report = run_reports_print;
	return finish(wanted);
}

static int run_and_report(const struct arguments *arguments, const struct settings *settings,
			  struct run_end *end, struct run_hang *hang, unsigned fail_code,
			  uint64_t max_bytes)
{
	struct sweep swept = {settings->dir, max_bytes};
	struct finish wanted = {arguments, end, hang, fail_code, run_reports};
	if (options_choice(arguments, OPTION_run_hardware) == HARDWARE_ON)
		hardware_watch_begin(end->hardware);
	end->start_ns = monotonic_ns();
	/* The process that sweeps delays the command by a millisecond, even with nothing to do. */
	if (live_memory_any_is_left())
		(void)bounded_try(sweep_memory, NULL); /* to any disk, also one that hangs */
	if (max_bytes != UINT64_MAX)
		(void)bounded_call(sweep_directory, &swept, settings->dir);
	int error = run_hang_prepare(hang, settings);
	if (error)
		message("no GPU core dump of what hangs: %s", strerror(-error));
	struct print print;
	if (start_printing(arguments, settings, end, &print)) {
		run_hang_end(hang, end);
		report_output_close(end->output);
		hardware_watch_end(end->hardware);
		return EXIT_STATUS_NOT_STARTED;
	}
	error = run_command(arguments, hang, end);
	print_end(&print);
	run_hang_end(hang, end);
	if (error) {
		hardware_watch_end(end->hardware);
		report_output_close(end->output);
		return not_started(arguments->operands[0], error);
	}
	/* Do not wait for the network at the end of a run; `culprit report` may. */
	unsetenv("DEBUGINFOD_URLS");
	end->keeps_sound = has_crashed(end->child.status) || end->has_reported_hang;
	int status = finish_bounded(&wanted);
	hardware_watch_end(end->hardware);
	return status == COMMANDS_STATUS ? child_exit_status(end->child.status) : status;
}

int run_main(const struct arguments *arguments)
{
	struct settings settings;
	struct report_output output;
	char outer_run[sizeof(settings.run)];
	struct ci_findings findings = {NULL, 0};
	struct hardware_watch hardware = {.helper_fd = -1, .ask_fd = -1, .answer_fd = -1};
	struct run_end end = {.directory = settings.dir,
			      .run_id = settings.run,
			      .outer_run = outer_run,
			      .output = &output,
			      .findings = &findings,
			      .hardware = &hardware};
	int color = options_choice(arguments, OPTION_run_color);
	struct run_hang hang;
	unsigned fail_code = NO_FAIL_CODE;
	uint64_t max_bytes = UINT64_MAX;
	enum command_kind kind = COMMAND_LOADS;

	if (color < 0 || options_choice(arguments, OPTION_run_hardware) < 0 ||
	    read_settings(arguments, &settings) ||
	    options_number(arguments, OPTION_run_fail_code, 0, FAIL_CODE_MAX, &fail_code) ||
	    run_hang_read(arguments, &hang) ||
	    old_bundles_read_size(arguments, OPTION_run_dir_size, &max_bytes))
		return EXIT_STATUS_NOT_STARTED;
	if (!arguments->n_operands) {
		message("no command given; see culprit help run");
		return EXIT_STATUS_NOT_STARTED;
	}
	if (!settings.quiet)
		unknown_settings_report(report_unknown_setting, NULL);
	memcpy(outer_run, settings.run, sizeof(outer_run));
	end.slot_fd = run_slot_open(settings.run, sizeof(settings.run));
	end.color = (enum terminal_color)color;
	end.is_quiet = settings.quiet;
	end.requires_cuda = arguments->values[OPTION_run_require_cuda];
	settings.verbose = settings.verbose || arguments->values[OPTION_run_verbose];
	end.is_verbose = settings.verbose && !settings.quiet;
	end.length = settings.verbose ? REPORT_FULL : (enum report_length)settings.report;
	kind = command_kind(arguments->operands[0]);
	if (command_kind_text(kind) && !settings.quiet)
		message("'%s' %s", arguments->operands[0], command_kind_text(kind));
	if (export_settings(arguments, &settings, kind) ||
	    report_output_open(arguments->values[OPTION_run_report],
			       arguments->values[OPTION_run_append], settings.quiet, &output))
		return EXIT_STATUS_NOT_STARTED;
	return run_and_report(arguments, &settings, &end, &hang, fail_code, max_bytes);
}
