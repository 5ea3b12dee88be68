/*
 * process.c - reads the process's description from meta.json, and formats it as lines.
 */
#include "bundle/process.h"

#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "base/time_units.h"
#include "bundle/bundle_meta.h"

static int64_t number_of(const json_t *meta, const char *key)
{
	return json_integer_value(json_object_get(meta, key));
}

static const char *variable(void *data, const char *name)
{
	return json_string_value(json_object_get(data, name));
}

struct rank process_rank(const json_t *meta)
{
	return rank_find(variable, json_object_get(meta, "ranks"));
}

/* A launcher's numbers are decimal. */
int64_t process_rank_number(const json_t *meta)
{
	const char *text = process_rank(meta).rank;
	char *end = NULL;
	long long number = text && isdigit((unsigned char)*text) ? strtoll(text, &end, 10) : -1;
	return end && !*end ? number : -1;
}

uint64_t process_wall_ns(const json_t *meta, uint64_t monotonic_ns)
{
	int64_t wall = number_of(meta, "realtime_ns");
	int64_t base = number_of(meta, "monotonic_ns");
	if (wall <= 0 || base <= 0 || !monotonic_ns)
		return 0;
	return (uint64_t)wall + (monotonic_ns - (uint64_t)base);
}

const char *process_time_text(uint64_t wall_ns, char out[PROCESS_TIME_SIZE])
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	size_t length = 0;
	struct tm broken_down;
	if (wall_ns && gmtime_r(&seconds, &broken_down))
		length = strftime(out, PROCESS_TIME_SIZE, "%Y-%m-%dT%H:%M:%S", &broken_down);
	out[length] = '\0';
	if (length && length + sizeof(".123456Z") <= PROCESS_TIME_SIZE)
		snprintf(out + length, PROCESS_TIME_SIZE - length, ".%06uZ",
			 (unsigned)(wall_ns / 1000 % 1000000));
	return out;
}

static void add_foreign(struct text *text, const char *string)
{
	text_add_foreign(text, string, strlen(string));
}

/* "train.py --lr 3": the words of its command line, or the program. */
static void add_command(const json_t *meta, struct text *text)
{
	const json_t *words = json_object_get(meta, "command");
	if (!json_array_size(words))
		add_foreign(text, bundle_meta_text(meta, "program"));
	const json_t *word = NULL;
	size_t index = 0;
	json_array_foreach(words, index, word)
	{
		const char *string = json_string_value(word);
		text_add(text, index ? " " : "");
		add_foreign(text, string ? string : "?");
	}
}

static void add_origin(const json_t *meta, struct text *text)
{
	const char *host = bundle_meta_text(meta, "hostname");
	int64_t parent = number_of(meta, "parent_pid");
	text_addf(text, "%" PRId64 " \"", number_of(meta, "pid"));
	add_command(meta, text);
	text_add(text, "\"");
	if (parent > 0) {
		text_addf(text, ", child of %" PRId64 " \"", parent);
		add_foreign(text, bundle_meta_text(meta, "parent"));
		text_add(text, "\"");
	}
	if (*host) {
		text_add(text, ", on ");
		add_foreign(text, host);
	}
}

static void add_rank(const json_t *meta, struct text *text)
{
	struct rank rank = process_rank(meta);
	if (!rank.rank)
		return;
	text_addf(text, "rank %s", rank.rank);
	if (rank.size)
		text_addf(text, " of %s", rank.size);
	if (rank.local)
		text_addf(text, ", %s on its machine", rank.local);
}

static void add_times(const json_t *meta, uint64_t failed_ns, struct text *text)
{
	uint64_t failed = process_wall_ns(meta, failed_ns);
	const char *start = bundle_meta_text(meta, "start_time");
	if (*start) {
		text_add(text, "first used the GPU at ");
		add_foreign(text, start);
	}
	char formatted[PROCESS_TIME_SIZE];
	if (failed)
		text_addf(text, "%sfailed at %s", *start ? ", " : "",
			  process_time_text(failed, formatted));
}

/*
 * Names of the signals that kill processes, NULL for others. sigabbrev_np() needs glibc 2.32, but
 * the wheels support 2.28.
 */
static const char *signal_name(int64_t number)
{
	static const char *const names[] = {
		[SIGHUP] = "HUP",   [SIGINT] = "INT",   [SIGQUIT] = "QUIT", [SIGILL] = "ILL",
		[SIGTRAP] = "TRAP", [SIGABRT] = "ABRT", [SIGBUS] = "BUS",   [SIGFPE] = "FPE",
		[SIGKILL] = "KILL", [SIGUSR1] = "USR1", [SIGSEGV] = "SEGV", [SIGUSR2] = "USR2",
		[SIGPIPE] = "PIPE", [SIGALRM] = "ALRM", [SIGTERM] = "TERM", [SIGXCPU] = "XCPU",
		[SIGXFSZ] = "XFSZ", [SIGSYS] = "SYS"};
	size_t n_names = sizeof(names) / sizeof(names[0]);
	return number > 0 && (uint64_t)number < n_names ? names[number] : NULL;
}

/* "ended at T with status 1". A signal is shown by name: few people know the number of SIGSEGV. */
static void add_end(const json_t *meta, struct text *text)
{
	const json_t *end = json_object_get(meta, "end");
	const char *time = bundle_meta_text(end, "time");
	int64_t signal = number_of(end, "signal");
	const char *name = signal_name(signal);
	if (!end)
		return;
	text_add(text, "ended");
	if (*time) {
		text_add(text, " at ");
		add_foreign(text, time);
	}
	if (name)
		text_addf(text, " by SIG%s", name);
	else if (signal)
		text_addf(text, " by signal %" PRId64, signal);
	else
		text_addf(text, " with status %" PRId64, number_of(end, "status"));
}

/* Append the word so that a shell takes it as it is. */
static void add_quoted(const char *word, struct text *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._-+,:@%=";
	if (*word && !word[strspn(word, plain)]) {
		text_add(text, word);
		return;
	}
	text_add(text, "'");
	for (; *word; word++)
		text_add(text, *word == '\'' ? "'\\''" : (const char[]){*word, '\0'});
	text_add(text, "'");
}

/*
 * True if the command can be run again here: all of it was recorded, it ran on this machine, and no
 * launcher made it.
 */
static bool is_repeatable(const json_t *meta)
{
	const json_t *settings = json_object_get(meta, "settings");
	if (strcmp(bundle_meta_text(settings, "CULPRIT_NO_ARGS"), "0") != 0)
		return false;
	char host[256] = "";
	(void)gethostname(host, sizeof(host) - 1);
	return !process_rank(meta).rank && !strcmp(host, bundle_meta_text(meta, "hostname"));
}

/* Quote the command line. Return false if it is not known, or not what a shell could run. */
static bool add_shell_command(const json_t *meta, struct text *text)
{
	const json_t *words = json_object_get(meta, "command");
	const json_t *word = NULL;
	size_t index = 0;
	json_array_foreach(words, index, word)
	{
		const char *string = json_string_value(word);
		for (const char *at = string; at && *at; at++)
			if ((unsigned char)*at < ' ')
				string = NULL;
		if (!string)
			return false;
		text_add(text, index ? " " : "");
		add_quoted(string, text);
	}
	return index && !text->cut && is_repeatable(meta);
}

static struct text begin_line(struct process_lines *lines)
{
	return text_in(lines->texts[lines->report.n_lines], PROCESS_LINE_SIZE);
}

/* An empty line is left out. */
static void end_line(struct process_lines *lines)
{
	struct report_process *report = &lines->report;
	const char *line = lines->texts[report->n_lines];
	if (*line)
		report->lines[report->n_lines++] = line;
}

void process_describe(const json_t *meta, uint64_t failed_ns, struct process_lines *out)
{
	out->report = (struct report_process){.pid = (long)number_of(meta, "pid"),
					      .is_of_run = *bundle_meta_text(meta, "run"),
					      .rank = process_rank(meta).rank};
	if (!out->report.pid)
		return;
	struct text text = begin_line(out);
	add_origin(meta, &text);
	end_line(out);
	text = begin_line(out);
	add_rank(meta, &text);
	end_line(out);
	text = begin_line(out);
	add_times(meta, failed_ns, &text);
	end_line(out);
	text = begin_line(out);
	add_end(meta, &text);
	end_line(out);
	text = text_in(out->command, sizeof(out->command));
	out->report.command = add_shell_command(meta, &text) ? out->command : NULL;
}
