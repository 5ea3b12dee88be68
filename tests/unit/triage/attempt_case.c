/*
 * attempt_case.c - the parts of the command that a run of triage calls.
 */
#include "triage/attempt_case.h"

#include <stdarg.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/analysis_text.h"
#include "bundle/bundle_meta.h"
#include "bundle/selection.h"
#include "command/message.h"
#include "command/preload.h"
#include "run/child.h"
#include "support/check.h"

struct attempt_case attempt_case;

static struct attempt_row *opened;
static struct bundle bundle;
static struct verdict verdict;
static struct page page;

void message(const char *format, ...)
{
	char line[512];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	trace_add("message: %s\n", line);
}

const char *preload_own_path(void)
{
	return "/bin/culprit";
}

const char *attempt_variable(const char *name)
{
	const char *value = getenv(name);
	return value ? value : "-";
}

int child_run(char **argv, const struct child_watch *watch, struct child_end *out_end)
{
	CHECK(watch->fd == -1 && !watch->starting && !watch->tick && !watch->end);
	CHECK_STRING(argv[0], "/bin/culprit");
	CHECK_STRING(argv[1], "run");
	CHECK_STRING(argv[2], "--quiet");
	CHECK_STRING(argv[3], "--dir");
	for (argv += 4; *argv; argv++)
		trace_add("%s ", *argv);
	trace_add("(%s, %s)\n", attempt_variable("PYTORCH_NO_CUDA_MEMORY_CACHING"),
		  attempt_variable("CUDA_LAUNCH_BLOCKING"));
	out_end->status = attempt_case.run_error ? 0 : 256;
	return attempt_case.run_error;
}

int selection_make(char **operands, int n_operands, struct selection *out)
{
	static char names[][2] = {"0", "1", "2"};
	static char *paths[] = {names[0], names[1], names[2]};
	CHECK_EQUAL(n_operands, 1);
	CHECK(!operands[1]);
	trace_add("select %s\n", operands[0]);
	*out = (struct selection){paths, attempt_case.n_rows};
	return attempt_case.selection_error;
}

void selection_free(struct selection *selection)
{
	CHECK_EQUAL(selection->n, attempt_case.n_rows);
	trace_add("free selection\n");
}

enum exit_status bundle_open(const char *path, struct bundle **out_bundle)
{
	CHECK(!opened);
	struct attempt_row *row = &attempt_case.rows[*path - '0'];
	trace_add("open %s\n", path);
	if (row->status == EXIT_STATUS_OK || row->status == EXIT_STATUS_DAMAGED) {
		opened = row;
		*out_bundle = &bundle;
	}
	return row->status;
}

void bundle_close(struct bundle *closed)
{
	CHECK(closed == &bundle && opened);
	trace_add("close\n");
	opened = NULL;
}

const char *bundle_meta_text(const json_t *meta, const char *name)
{
	CHECK(meta == bundle.meta);
	CHECK_STRING(name, "python");
	return opened->python ? opened->python : "";
}

int analysis_open(struct bundle *of, unsigned wait_seconds, const struct analysis_filter *wanted,
		  struct analysis *out)
{
	CHECK(of == &bundle && wait_seconds == SYMBOLS_WAIT_SECONDS && !wanted);
	if (opened->open_error)
		return opened->open_error;
	verdict = (struct verdict){.class = VERDICT_LIKELY,
				   .failure = {.code = 700, .time_ns = opened->time_ns},
				   .graph = {.certainty = opened->graph},
				   .n_ungrouped = opened->n_ungrouped};
	const size_t n = sizeof(opened->groups) / sizeof(opened->groups[0]);
	for (; verdict.n_groups < n && opened->groups[verdict.n_groups]; verdict.n_groups++)
		verdict.groups[verdict.n_groups].earliest = opened->groups[verdict.n_groups];
	page.n_lines = opened->has_no_line ? 0 : 2;
	page.lines[0] = (struct page_line){.id = PAGE_HEADLINE, .text = opened->headline};
	page.lines[1] = (struct page_line){
		.id = opened->has_device ? PAGE_ON_THE_DEVICE : PAGE_LAUNCHED_FROM, .text = "x"};
	page.n_locations = 2;
	/* Rows after the last one do not count. */
	page.locations[2] = (struct page_location){.language = PAGE_DEVICE, .line = 1};
	page.lines[page.n_lines] = (struct page_line){.id = PAGE_ON_THE_DEVICE, .text = ""};
	page.locations[0] =
		(struct page_location){.language = PAGE_HOST, .line = opened->host_line};
	page.locations[1] =
		(struct page_location){.language = PAGE_DEVICE, .line = opened->gpu_line};
	memset(out, 0, sizeof(*out));
	out->bundle = of;
	out->verdict = &verdict;
	out->page = &page;
	out->hardware.cause = opened->cause;
	(void)snprintf(out->hardware.lines[0], sizeof(out->hardware.lines[0]), "hardware %d",
		       (int)opened->cause);
	return 0;
}

void analysis_close(struct analysis *analysis)
{
	CHECK(analysis->bundle == &bundle);
	trace_add("analysed\n");
}

bool analysis_has_failure(const struct analysis *analysis)
{
	CHECK(analysis->bundle == &bundle);
	return !opened->has_no_failure;
}

enum report_length analysis_text_length(void)
{
	return REPORT_FULL;
}

int analysis_text_print(const struct analysis *analysis, enum report_length length, FILE *out)
{
	CHECK(analysis->bundle == &bundle && length == REPORT_FULL);
	(void)fprintf(out, "report %zu", (size_t)(opened - attempt_case.rows));
	return opened->text_error;
}

void fingerprint_of(const struct analysis *analysis, struct fingerprint *out)
{
	CHECK(analysis->bundle == &bundle);
	(void)snprintf(out->id, sizeof(out->id), "id %zu", (size_t)(opened - attempt_case.rows));
}

void sanitizer_target_of(const struct analysis *analysis, struct sanitizer_target *out)
{
	CHECK(analysis->bundle == &bundle);
	(void)snprintf(out->kernel, sizeof(out->kernel), "kernel %zu",
		       (size_t)(opened - attempt_case.rows));
}

void sanitizer_command_make(const struct sanitizer_target *target, const char *directory,
			    struct sanitizer_command *out)
{
	trace_add("check %s in %s\n", target->kernel, directory);
	out->words[0] = "sanitizer";
	out->words[1] = "--its-option";
	out->n = 2;
}

void sanitizer_read(const char *directory, char out[SANITIZER_TEXT_SIZE], bool *out_has_line)
{
	trace_add("read what it found in %s\n", directory);
	(void)snprintf(out, SANITIZER_TEXT_SIZE, "found");
	*out_has_line = attempt_case.has_sanitizer_line;
}
