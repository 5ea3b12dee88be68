/*
 * run.c - `culprit run`: sets the command up, runs it, reports what its processes left.
 */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "commands.h"
#include "exit_status.h"
#include "message.h"
#include "options.h"
#include "preload.h"
#include "run_reports.h"

enum { NO_FAIL_CODE = -1, FAIL_CODE_MAX = 255 };

/* CULPRIT_* variables and, above them, flags. 0, or -EINVAL after one line. */
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

/* 0 with *out_code, NO_FAIL_CODE if not asked for, or -EINVAL after one line. */
static int read_fail_code(const struct arguments *arguments, int *out_code)
{
	const char *value = arguments->values[OPTION_run_fail_code];
	char *end;
	long code;

	*out_code = NO_FAIL_CODE;
	if (!value)
		return 0;
	errno = 0;
	code = strtol(value, &end, 10);
	if (errno || end == value || *end || code < 0 || code > FAIL_CODE_MAX) {
		message("--fail-code '%s': expected 0 to %d; see culprit help run", value,
			FAIL_CODE_MAX);
		return -EINVAL;
	}
	*out_code = (int)code;
	return 0;
}

static void make_run_id(char *out, size_t capacity)
{
	struct timespec now;
	uint64_t bits = 0;

	clock_gettime(CLOCK_REALTIME, &now);
	if (getrandom(&bits, sizeof(bits), GRND_NONBLOCK) != sizeof(bits))
		bits = (uint64_t)now.tv_nsec;
	snprintf(out, capacity, "%lld.%ld.%016llx", (long long)now.tv_sec, (long)getpid(),
		 (unsigned long long)bits);
}

/* Settings that were given as flags, for the library to read. 0 or -errno. */
static int export_flags(const struct arguments *arguments)
{
	for (enum setting which = 0; which < N_SETTINGS; which++) {
		const char *value = arguments->values[OPTION_FIRST_SETTING + which];

		if (value && setenv(setting_facts[which].environment, value, 1))
			return -errno;
	}
	return 0;
}

/* The environment of the command. 0, or -errno after one line. */
static int export_settings(const struct arguments *arguments, const struct settings *settings)
{
	char directory[PATH_MAX];
	char library[PATH_MAX];
	int result = preload_find_library(library, sizeof(library));

	if (result)
		return result;
	/* The command may change its directory before it first uses the GPU. */
	if (!realpath(settings->dir, directory)) {
		result = -errno;
		message("bundle directory '%s': %s", settings->dir, strerror(-result));
		return result;
	}
	result = export_flags(arguments);
	if (!result)
		result = preload_set_environment(library);
	if (!result)
		result = preload_offer_nvtx(library);
	if (!result && setenv("CULPRIT_DIR", directory, 1))
		result = -errno;
	if (!result && setenv("CULPRIT_RUN", settings->run, 1))
		result = -errno;
	/* Who starts a program by this command wants its messages to name the culprit. */
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

static int run_and_report(const struct arguments *arguments, const struct settings *settings,
			  int fail_code)
{
	unsigned n_failures;
	int status;
	int error = child_run(arguments->operands, &status);

	if (error)
		return not_started(arguments->operands[0], error);
	/* The end of a run does not wait for a network; `culprit report` may. */
	unsetenv("DEBUGINFOD_URLS");
	n_failures = run_reports(settings->dir, settings->run, arguments->values[OPTION_run_report],
				 settings->quiet);
	if (n_failures && fail_code != NO_FAIL_CODE)
		return fail_code;
	return child_exit_status(status);
}

int run_main(const struct arguments *arguments)
{
	struct settings settings;
	int fail_code;

	if (read_settings(arguments, &settings) || read_fail_code(arguments, &fail_code))
		return EXIT_STATUS_USAGE;
	if (!arguments->n_operands) {
		message("no command given; see culprit help run");
		return EXIT_STATUS_USAGE;
	}
	make_run_id(settings.run, sizeof(settings.run));
	if (export_settings(arguments, &settings))
		return EXIT_STATUS_NOT_STARTED;
	return run_and_report(arguments, &settings, fail_code);
}
