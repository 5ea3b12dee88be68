/*
 * triage.c - `culprit triage`: rerun a command with other options until the verdict is exact.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "command/output.h"
#include "triage/attempt.h"

enum { DEFAULT_RUNS = 4, MAX_RUNS = 1000, MAX_SECONDS = 30 * 24 * 3600 };

struct triage {
	char **command;
	const char *directory; /* for the runs' */
	const char *output;
	unsigned max_runs;
	unsigned max_seconds; /* 0: no limit */
	bool repeats;         /* run the unchanged command each time */
	struct plan_run *runs;
	struct attempt *attempts;
};

static int read_arguments(const struct arguments *arguments, struct triage *out)
{
	unsigned repeats = 0;
	out->command = arguments->operands;
	out->output = arguments->values[OPTION_triage_output];
	out->max_runs = DEFAULT_RUNS;
	if (options_number(arguments, OPTION_triage_runs, 1, MAX_RUNS, &out->max_runs) ||
	    options_number(arguments, OPTION_triage_time, 1, MAX_SECONDS, &out->max_seconds) ||
	    options_number(arguments, OPTION_triage_repeat, 1, MAX_RUNS, &repeats))
		return -EINVAL;
	out->repeats = repeats > 0;
	if (out->repeats)
		out->max_runs = repeats;
	if (arguments->n_operands)
		return 0;
	message("no command given; see culprit help triage");
	return -EINVAL;
}

/* Make "DIR/triage-TIME-PID", a new directory that keeps earlier results intact. */
static int make_directory(const char *parent, char *out, size_t capacity)
{
	time_t now = time(NULL);
	struct tm parts;
	gmtime_r(&now, &parts);
	char when[32];
	strftime(when, sizeof(when), "%Y%m%dT%H%M%SZ", &parts);
	snprintf(out, capacity, "%s/triage-%s-%d", parent, when, (int)getpid());
	if (!mkdir(out, 0700))
		return 0;
	message("'%s': %s", out, strerror(errno));
	return -EIO;
}

/* True if a signal from the user ended the command: no further run is wanted then. */
static bool is_ended_by_hand(int status)
{
	return WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM ||
				       WTERMSIG(status) == SIGHUP || WTERMSIG(status) == SIGQUIT);
}

static bool is_not_started(const struct plan_run *run, const struct attempt *attempt)
{
	return !run->finding.has_failure && WIFEXITED(attempt->status) &&
	       WEXITSTATUS(attempt->status) >= EXIT_STATUS_NOT_STARTED &&
	       WEXITSTATUS(attempt->status) <= EXIT_STATUS_NOT_FOUND;
}

static bool is_time_left(const struct triage *triage, unsigned n)
{
	double used = 0;
	for (unsigned i = 0; i < n; i++)
		used += triage->attempts[i].seconds;
	/* Assume that the next run takes as long as the last. */
	return !triage->max_seconds || n == 0 ||
	       used + triage->attempts[n - 1].seconds <= triage->max_seconds;
}

static int make_run(struct triage *triage, unsigned index, enum way way)
{
	char directory[PATH_MAX + 32];
	snprintf(directory, sizeof(directory), "%s/run-%u", triage->directory, index + 1);
	triage->runs[index].way = way;
	story_begin_run(index, way);
	return attempt_make(triage->command, way,
			    &triage->runs[plan_best(triage->runs, index)].finding, directory,
			    &triage->attempts[index], &triage->runs[index].finding);
}

/* Return the number of runs made, or -errno. */
static int make_runs(struct triage *triage)
{
	const struct plan_means means = {triage->max_runs, sanitizer_is_here()};
	enum plan_end end = PLAN_GOES_ON;
	unsigned n = 0;
	while (n < triage->max_runs && is_time_left(triage, n)) {
		enum way way = WAY_AS_IS;
		if (!triage->repeats)
			end = plan_next(triage->runs, n, &means, &way);
		if (end != PLAN_GOES_ON)
			break;
		int result = make_run(triage, n, way);
		if (result)
			return result;
		n++;
		if (is_ended_by_hand(triage->attempts[n - 1].status) ||
		    is_not_started(&triage->runs[n - 1], &triage->attempts[n - 1]))
			break;
	}
	return (int)n;
}

static int status_of(const struct triage *triage, unsigned n)
{
	const struct finding *best = &triage->runs[plan_best(triage->runs, n)].finding;
	const struct attempt *last = &triage->attempts[n - 1];
	if (is_ended_by_hand(last->status))
		return 128 + WTERMSIG(last->status);
	if (is_not_started(&triage->runs[n - 1], last))
		return WEXITSTATUS(last->status);
	if (!best->has_failure)
		return EXIT_STATUS_NO_FAILURE;
	return best->class == VERDICT_EXACT ? EXIT_STATUS_OK : EXIT_STATUS_UNSURE;
}

static int print_result(const struct triage *triage, unsigned n)
{
	int status = status_of(triage, n);
	if (is_not_started(&triage->runs[n - 1], &triage->attempts[n - 1]))
		return status; /* `culprit run` has printed why */
	FILE *out = output_open(triage->output);
	if (!out)
		return EXIT_STATUS_SYSTEM;
	story_print(&(struct story_facts){triage->runs, triage->attempts, n, triage->repeats,
					  triage->directory},
		    out);
	return output_close(out, triage->output) ? EXIT_STATUS_SYSTEM : status;
}

static int run_and_print(struct triage *triage)
{
	int status = EXIT_STATUS_SYSTEM;
	triage->runs = calloc(triage->max_runs, sizeof(*triage->runs));
	triage->attempts = calloc(triage->max_runs, sizeof(*triage->attempts));
	int n = -ENOMEM;
	if (triage->runs && triage->attempts)
		n = make_runs(triage);
	else
		message("%s", strerror(ENOMEM));
	if (n > 0)
		status = print_result(triage, (unsigned)n);
	for (unsigned i = 0; triage->attempts && i < triage->max_runs; i++)
		attempt_free(&triage->attempts[i]);
	free(triage->attempts);
	free(triage->runs);
	return status;
}

int triage_main(const struct arguments *arguments)
{
	const char *parent = arguments->values[OPTION_triage_dir];
	struct triage triage = {0};
	if (read_arguments(arguments, &triage))
		return EXIT_STATUS_USAGE;
	char directory[PATH_MAX];
	if (make_directory(parent ? parent : ".", directory, sizeof(directory)))
		return EXIT_STATUS_SYSTEM;
	triage.directory = directory;
	int status = run_and_print(&triage);
	rmdir(directory); /* fails unless it is empty */
	return status;
}
