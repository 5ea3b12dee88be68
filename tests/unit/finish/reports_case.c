/*
 * reports_case.c - the parts of the command that the end of a run calls.
 */
#include "finish/reports_case.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/analysis_text.h"
#include "analysis/used_gpus.h"
#include "bundle/bundle.h"
#include "bundle/bundle_parts.h"
#include "command/message.h"
#include "report/groups.h"
#include "report/stored.h"
#include "run/left_memory.h"
#include "run/run_reports.h"
#include "support/check.h"

struct reports_case reports_case;
struct report_output case_output;
struct ci_findings case_findings;
struct run_end case_end;

static struct hardware_watch case_watch;

static struct case_bundle *opened;
static struct bundle bundle;
static char path[GROUP_KEY_SIZE];
static char told[128];
static struct hardware hardware;
static char grouped[1024];

void message(const char *format, ...)
{
	char line[512];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	trace_add("message: %s\n", line);
}

enum exit_status bundle_open(const char *at, struct bundle **out_bundle)
{
	CHECK(!opened);
	trace_add("open %s\n", at);
	for (size_t i = 0; i < 4; i++)
		if (reports_case.bundles[i].path && !strcmp(reports_case.bundles[i].path, at))
			opened = &reports_case.bundles[i];
	CHECK(opened != NULL);
	enum exit_status status = opened->status;
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED) {
		opened = NULL;
		return status;
	}
	(void)snprintf(path, sizeof(path), "%s", at);
	bundle = (struct bundle){.path = path,
				 .meta = json_pack("{s:I}", "pid", (json_int_t)opened->pid)};
	if (opened->told) {
		(void)snprintf(told, sizeof(told), "%s", opened->told);
		bundle.told = told;
		bundle.told_size = strlen(told);
	}
	*out_bundle = &bundle;
	return status;
}

void bundle_close(struct bundle *closed)
{
	CHECK(closed == &bundle && opened);
	trace_add("close\n");
	json_decref(bundle.meta);
	opened = NULL;
}

void bundle_note_end(struct bundle *of, int status)
{
	CHECK(of == &bundle);
	trace_add("ended with %#x\n", (unsigned)status);
}

int analysis_open(struct bundle *of, unsigned wait_seconds, const struct analysis_filter *wanted,
		  struct analysis *out)
{
	CHECK(of == &bundle && wait_seconds == SYMBOLS_WAIT_SECONDS && !wanted);
	trace_add("analyse\n");
	if (opened->open_error)
		return opened->open_error;
	memset(out, 0, sizeof(*out));
	out->bundle = of;
	out->finding = opened->finding;
	return 0;
}

void analysis_close(struct analysis *analysis)
{
	CHECK(analysis->bundle == &bundle);
	trace_add("end of analysis\n");
}

bool analysis_has_failure(const struct analysis *analysis)
{
	CHECK(analysis->bundle == &bundle);
	return opened->has_failure;
}

int analysis_text_print(const struct analysis *analysis, enum report_length length, FILE *out)
{
	CHECK(analysis->bundle == &bundle);
	(void)fprintf(out, "report of %s, length %d\n", path, (int)length);
	return opened->text_error;
}

void group_label_make(const struct analysis *analysis, struct group_label *out)
{
	CHECK(analysis->bundle == &bundle);
	(void)snprintf(out->key, sizeof(out->key), "%s", opened->has_no_key ? "" : path);
}

void stored_write(const struct analysis *analysis)
{
	CHECK(analysis->bundle == &bundle);
	trace_add("store\n");
}

int ci_findings_add(struct ci_findings *findings, const struct analysis *analysis)
{
	CHECK(analysis->bundle == &bundle && findings);
	trace_add("add finding\n");
	return reports_case.findings_error;
}

int ci_findings_add_text(struct ci_findings *findings, const char *text, size_t size)
{
	CHECK(findings != NULL);
	trace_add("add finding: %.*s\n", (int)size, text);
	return reports_case.findings_error;
}

const struct hardware *hardware_watch_take(struct hardware_watch *watch, int timeout_ms)
{
	CHECK_EQUAL(timeout_ms, RUN_HARDWARE_MS);
	trace_add("take hardware of %s\n", watch ? "the watch" : "none");
	return reports_case.has_no_hardware ? NULL : &hardware;
}

void used_gpus_note(struct bundle *of, const struct hardware *all)
{
	CHECK(of == &bundle);
	trace_add("note %s\n", all == &hardware ? "hardware" : "none");
}

void used_gpus_store(const struct bundle *of)
{
	CHECK(of == &bundle);
	trace_add("store hardware\n");
}

void hardware_story_find(const struct hardware *of, const struct hardware_span *span,
			 struct hardware_story *out)
{
	CHECK(of == &hardware);
	trace_add("story from %" PRIu64 ", %s\n", span->first_ns, span->first);
	out->n_lines = reports_case.n_hardware_lines;
	for (unsigned i = 0; i < out->n_lines; i++)
		(void)snprintf(out->lines[i], sizeof(out->lines[i]), "line %u", i);
}

FILE *__real_open_memstream(char **out_text, size_t *out_size);
FILE *__wrap_open_memstream(char **out_text, size_t *out_size);

FILE *__wrap_open_memstream(char **out_text, size_t *out_size)
{
	if (reports_case.failing_stream && !--reports_case.failing_stream)
		return NULL;
	return __real_open_memstream(out_text, out_size);
}

static struct groups *groups_of(void)
{
	return (void *)grouped;
}

struct groups *groups_open(void)
{
	grouped[0] = '\0';
	trace_add("groups\n");
	return reports_case.has_no_groups ? NULL : groups_of();
}

int groups_add(struct groups *to, const struct group_label *label, const char *text, size_t size)
{
	CHECK(to == groups_of());
	trace_add("group %s\n", label ? label->key : "without a label");
	if (!reports_case.group_error)
		(void)strncat(grouped, text, size);
	return reports_case.group_error;
}

void groups_print(struct groups *all, FILE *out)
{
	CHECK(all == groups_of());
	(void)fputs(grouped, out);
}

void groups_close(struct groups *all)
{
	CHECK(all == groups_of() || !all);
	trace_add("end of groups\n");
}

void symbols_share(bool is_on)
{
	trace_add("share symbols: %d\n", is_on);
}

bool report_output_is_seen(const struct report_output *output)
{
	CHECK(output != NULL);
	return !reports_case.is_unseen;
}

int report_output_write(struct report_output *output, const char *text, size_t size)
{
	CHECK(output != NULL);
	trace_add("write: %.*s", (int)size, text);
	return reports_case.write_error;
}

struct terminal terminal_of(int fd, enum terminal_color wanted)
{
	trace_add("terminal %d, colour %d\n", fd, (int)wanted);
	return (struct terminal){.columns = 77};
}

void terminal_print(const struct terminal *terminal, const char *text, size_t size, FILE *out)
{
	CHECK_EQUAL(terminal->columns, 77);
	(void)fprintf(out, "[%.*s]\n", (int)size, text);
}

void run_slot_read(int fd, struct run_reported *out)
{
	trace_add("read slot %d\n", fd);
	*out = (struct run_reported){reports_case.verdicts, reports_case.n_verdicts,
				     reports_case.processes, reports_case.n_processes};
}

void run_reported_free(struct run_reported *reported)
{
	CHECK(reported->verdicts == reports_case.verdicts);
	trace_add("free slot\n");
}

struct run_verdict *run_reported_find(struct run_reported *reported, long pid)
{
	for (size_t i = 0; i < reported->n_verdicts; i++)
		if (reported->verdicts[i].pid == pid && !reported->verdicts[i].is_told)
			return &reported->verdicts[i];
	return NULL;
}

void run_slot_pass_verdict(const char *run, long pid, const char *text, size_t size, bool is_shown)
{
	trace_add("pass to %s: %ld%s: %.*s", run, pid, is_shown ? ", shown" : "", (int)size, text);
}

void run_slot_pass_end(const char *run, long pid, uint64_t n_submissions)
{
	trace_add("pass to %s: end of %ld, %" PRIu64 "\n", run, pid, n_submissions);
}

void left_memory_collect(const struct left_run *run, struct left_memory *out_left)
{
	CHECK(run->told->verdicts == reports_case.verdicts);
	trace_add("collect memory of %s%s\n", run->id, run->keeps_sound ? ", keep sound" : "");
	*out_left = (struct left_memory){.n_sound = reports_case.n_sound};
}

void left_memory_settle(struct left_memory *left)
{
	CHECK_EQUAL(left->n_sound, reports_case.n_sound);
	trace_add("settle memory\n");
}

void left_memory_end(struct left_memory *left, bool is_quiet)
{
	CHECK_EQUAL(left->n_sound, reports_case.n_sound);
	trace_add("end of memory%s\n", is_quiet ? ", quiet" : "");
}

int run_bundles_find(const struct run_end *end, struct run_reported *reported,
		     const struct left_memory *left, struct failed_bundles *out)
{
	CHECK(end && reported->verdicts == reports_case.verdicts);
	CHECK_EQUAL(left->n_sound, reports_case.n_sound);
	trace_add("find bundles\n");
	*out = (struct failed_bundles){reports_case.failed, reports_case.n_failed,
				       reports_case.has_running};
	return reports_case.find_error;
}

void run_bundles_free(struct failed_bundles *bundles)
{
	CHECK(bundles->rows == reports_case.failed);
	trace_add("free bundles\n");
}

void run_bundles_sweep(const struct run_end *end)
{
	CHECK(end != NULL);
	trace_add("sweep\n");
}

void run_rejections_print(const struct run_end *end, struct left_memory *left, FILE *out)
{
	CHECK(end && left);
	trace_add("rejections%s\n", out ? "" : " to nowhere");
	if (out && reports_case.n_sound)
		(void)fputs("rejected\n", out);
}

uint64_t run_unfinished_print(const struct run_end *end, struct left_memory *left,
			      struct run_reported *reported, bool is_news, FILE *out)
{
	CHECK(end && left && reported->verdicts == reports_case.verdicts);
	trace_add("unfinished%s%s\n", is_news ? ", news" : "", out ? "" : " to nowhere");
	if (out && reports_case.n_unfinished)
		(void)fputs("unfinished\n", out);
	return reports_case.n_unfinished;
}

void run_followers_print(const struct left_memory *left, const struct run_reported *reported,
			 FILE *out)
{
	CHECK(left && reported->verdicts == reports_case.verdicts);
	trace_add("followers\n");
	if (reports_case.n_sound)
		(void)fputs("followed\n", out);
}

void reports_begin(void)
{
	/* Rows after the last process do not count. */
	reports_case = (struct reports_case){.processes = {{98, 98}, {99, 99}}};
	case_output = (struct report_output){.fd = 5};
	case_end = (struct run_end){.directory = "/dir",
				    .slot_fd = 6,
				    .start_ns = 1234,
				    .run_id = "id",
				    .child = {.pid = 10, .status = 0},
				    .outer_run = "",
				    .output = &case_output,
				    .color = TERMINAL_ALWAYS,
				    .hardware = &case_watch,
				    .length = REPORT_FULL};
}

void reports_add_bundle(struct case_bundle row, bool is_hung)
{
	reports_case.bundles[reports_case.n_failed] = row;
	reports_case.failed[reports_case.n_failed++] =
		(struct failed_bundle){.path = (char *)(uintptr_t)row.path, .is_hung = is_hung};
}

void reports_add_verdict(long pid, char *text, bool is_shown)
{
	reports_case.verdicts[reports_case.n_verdicts++] = (struct run_verdict){
		.pid = pid, .text = text, .size = strlen(text), .is_shown = is_shown};
}

void reports_check_run(const char *wanted)
{
	struct run_summary summary = run_reports(&case_end);
	trace_add("%u failures%s\n", summary.n_failures, summary.has_used_gpu ? ", GPU used" : "");
	CHECK_TRACE(wanted);
}
