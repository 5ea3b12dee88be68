/*
 * attempt.c - start this program again as `culprit run`, so that a run of triage is an ordinary
 * run.
 */
#include "triage/attempt.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "analysis/analysis_text.h"
#include "bundle/bundle_meta.h"
#include "bundle/selection.h"
#include "command/message.h"
#include "command/monotonic.h"
#include "command/preload.h"
#include "run/child.h"

enum { MARKERS_SLACK = 64 };

static const struct {
	const char *text;
	const char *option, *value;    /* of `run`; NULL: none */
	const char *variable, *wanted; /* in the environment; NULL: none */
} ways[N_WAYS] = {
	[WAY_AS_IS] = {.text = "as it is"},
	[WAY_MARKERS_INLINE] = {"--markers inline", "--markers", "inline", NULL, NULL},
	[WAY_COREDUMP] = {"--coredump on", "--coredump", "on", NULL, NULL},
	[WAY_UNCACHED] = {"PYTORCH_NO_CUDA_MEMORY_CACHING=1", NULL, NULL,
			  "PYTORCH_NO_CUDA_MEMORY_CACHING", "1"},
	[WAY_BLOCKING] = {"CUDA_LAUNCH_BLOCKING=1", NULL, NULL, "CUDA_LAUNCH_BLOCKING", "1"},
	[WAY_SANITIZED] = {.text = "compute-sanitizer"},
};

const char *attempt_way_text(enum way way)
{
	return ways[way].text;
}

/* exec takes char *, although it does not change the words. */
static char *as_word(const char *text)
{
	return (char *)(uintptr_t)text;
}

/*
 * Start the markers some submissions before the suspects: another run may launch in another order.
 * Earlier submissions need no markers, because they are finished by then.
 */
static void make_markers(uint64_t first_suspect, char *out, size_t size)
{
	uint64_t slack = first_suspect / 8 > MARKERS_SLACK ? first_suspect / 8 : MARKERS_SLACK;
	if (first_suspect > slack)
		(void)snprintf(out, size, "inline@%" PRIu64, first_suspect - slack);
	else
		(void)snprintf(out, size, "inline");
}

/*
 * Return the words of `culprit run` followed by the command, or NULL if out of memory; the caller
 * frees the array. `value` is the value of the way's option.
 */
static char **make_argv(char **command, enum way way, const char *value,
			const struct sanitizer_command *sanitizer, const char *directory)
{
	size_t n = 0;
	size_t n_command = 0;
	while (command[n_command])
		n_command++;
	char **argv = calloc(n_command + 9 + SANITIZER_WORDS, sizeof(*argv));
	if (!argv)
		return NULL;
	argv[n++] = as_word(preload_own_path());
	argv[n++] = as_word("run");
	argv[n++] = as_word("--quiet");
	argv[n++] = as_word("--dir");
	argv[n++] = as_word(directory);
	if (ways[way].option) {
		argv[n++] = as_word(ways[way].option);
		argv[n++] = as_word(value);
	}
	argv[n++] = as_word("--");
	for (size_t i = 0; way == WAY_SANITIZED && i < sanitizer->n; i++)
		argv[n++] = as_word(sanitizer->words[i]);
	memcpy(argv + n, command, n_command * sizeof(*argv));
	return argv;
}

static double now(void)
{
	return (double)monotonic_ns() / NS_PER_S;
}

/* Run with the way's environment variable set, and restore the variable afterwards. */
static int run_way(char **argv, enum way way, int *out_status)
{
	static const struct child_watch nothing = {.fd = -1};
	const char *name = ways[way].variable;
	const char *value = name ? getenv(name) : NULL;
	char *before = value ? strdup(value) : NULL;
	struct child_end end = {0};
	int result = name && setenv(name, ways[way].wanted, 1) ? -errno : 0;
	if (!result)
		result = child_run(argv, &nothing, &end);
	*out_status = end.status;
	if (before)
		setenv(name, before, 1);
	else if (name)
		unsetenv(name);
	free(before);
	return result;
}

static bool has_device_line(const struct page *page)
{
	for (uint32_t i = 0; i < page->n_locations; i++)
		if (page->locations[i].language == PAGE_DEVICE && page->locations[i].line)
			return true;
	return false;
}

static bool has_device_location(const struct page *page)
{
	for (uint32_t i = 0; i < page->n_lines; i++)
		if (page->lines[i].id == PAGE_ON_THE_DEVICE)
			return true;
	return false;
}

static char *print_report(const struct analysis *analysis)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int result = out ? analysis_text_print(analysis, analysis_text_length(), out) : -ENOMEM;
	if (out && !fclose(out) && !result)
		return text;
	free(text);
	return NULL;
}

static char *first_line(const struct page *page)
{
	static const char name[] = "culprit: ";
	const char *line = page->n_lines ? page->lines[0].text : "";
	return strdup(strncmp(line, name, strlen(name)) ? line : line + strlen(name));
}

static uint64_t first_suspect(const struct verdict *verdict)
{
	uint64_t first = 0;
	for (uint32_t i = 0; i < verdict->n_groups; i++)
		if (!first || verdict->groups[i].earliest < first)
			first = verdict->groups[i].earliest;
	/* The numbers of ungrouped suspects are unknown. */
	return verdict->n_ungrouped ? 0 : first;
}

static int keep_finding(const struct analysis *analysis, struct attempt *out,
			struct finding *finding)
{
	attempt_free(out);
	out->headline = first_line(analysis->page);
	out->report = print_report(analysis);
	if (analysis->hardware.cause > CAUSE_PROGRAM)
		out->hardware = strdup(analysis->hardware.lines[0]);
	finding->has_failure = true;
	finding->is_python =
		!strncmp(bundle_meta_text(analysis->bundle->meta, "python"), "CPython", 7);
	finding->has_node = analysis->verdict->graph.certainty >= GRAPH_LIKELY;
	finding->has_device_location = has_device_location(analysis->page);
	finding->has_device_line = has_device_line(analysis->page);
	finding->code = analysis->verdict->failure.code;
	finding->class = analysis->verdict->class;
	finding->first_suspect = first_suspect(analysis->verdict);
	fingerprint_of(analysis, &finding->fingerprint);
	sanitizer_target_of(analysis, &finding->target);
	return out->headline && out->report ? 0 : -ENOMEM;
}

/* Read one bundle; the earliest failure of all bundles counts. */
static int read_bundle(const char *path, uint64_t *earliest_ns, struct attempt *out,
		       struct finding *finding)
{
	struct bundle *bundle = NULL;
	enum exit_status status = bundle_open(path, &bundle);
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return 0; /* bundle_open() has printed why; other bundles may be readable */
	struct analysis analysis;
	int result = analysis_open(bundle, SYMBOLS_WAIT_SECONDS, NULL, &analysis);
	if (!result) {
		uint64_t time_ns = analysis.verdict->failure.time_ns;
		if (analysis_has_failure(&analysis) && time_ns < *earliest_ns) {
			*earliest_ns = time_ns;
			result = keep_finding(&analysis, out, finding);
		}
		analysis_close(&analysis);
	}
	bundle_close(bundle);
	return result;
}

static bool is_empty(const char *directory)
{
	struct stat status;
	/* A run without a failure leaves no bundle, so the directory has no subdirectory. */
	return stat(directory, &status) || status.st_nlink <= 2;
}

static int read_bundles(const char *directory, struct attempt *out, struct finding *finding)
{
	char *operands[] = {as_word(directory), NULL};
	uint64_t earliest_ns = UINT64_MAX;
	struct selection bundles;
	int result = is_empty(directory) ? -ENOENT : selection_make(operands, 1, &bundles);
	if (result)
		return result == -ENOENT ? 0 : result;
	for (size_t i = 0; i < bundles.n && !result; i++)
		result = read_bundle(bundles.paths[i], &earliest_ns, out, finding);
	selection_free(&bundles);
	return result;
}

int attempt_make(char **argv, enum way way, const struct finding *known, const char *directory,
		 struct attempt *out, struct finding *out_finding)
{
	struct sanitizer_command sanitizer = {.n = 0};
	const char *value = ways[way].value;
	bool has_line = false;
	double start = now();
	*out = (struct attempt){0};
	if (way == WAY_SANITIZED)
		sanitizer_command_make(&known->target, directory, &sanitizer);
	char markers[32];
	if (way == WAY_MARKERS_INLINE) {
		make_markers(known->first_suspect, markers, sizeof(markers));
		value = markers;
	}
	if (ways[way].option)
		(void)snprintf(out->how, sizeof(out->how), "%s %s", ways[way].option, value);
	else
		(void)snprintf(out->how, sizeof(out->how), "%s", ways[way].text);
	char **words = make_argv(argv, way, value, &sanitizer, directory);
	int result = words ? 0 : -ENOMEM;
	*out_finding = (struct finding){0};
	if (!result)
		result = run_way(words, way, &out->status);
	free(words);
	out->seconds = now() - start;
	if (!result)
		result = read_bundles(directory, out, out_finding);
	if (!result && way == WAY_SANITIZED)
		sanitizer_read(directory, out->sanitizer, &has_line);
	out_finding->has_device_location |= has_line;
	out_finding->has_device_line |= has_line;
	rmdir(directory); /* fails unless it is empty */
	if (result)
		message("run %s: %s", ways[way].text, strerror(-result));
	return result;
}

void attempt_free(struct attempt *attempt)
{
	free(attempt->headline);
	free(attempt->report);
	free(attempt->hardware);
	attempt->headline = attempt->report = attempt->hardware = NULL;
}
