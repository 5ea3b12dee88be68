/*
 * fuzz_views.c - any bytes as the files of a bundle, through every view of a bundle that `culprit`
 * has: text, JSON, HTML, the views for build servers, traces, memory, status, and the head of a
 * job. Input: see fuzz_files.h. The first file that begins with '{' is meta.json, and each further
 * one is that of another rank with the same journal. A file that begins with "culprit:" is the
 * process's own report, and one that begins with '[' has finding.json as its only element.
 *
 * With clang, -DCULPRIT_FUZZ=ON makes it a libFuzzer program; replay.c runs it on stored inputs.
 */
#include "fuzz_target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/analysis_text.h"
#include "attribution/attribution.h"
#include "attribution/unfinished.h"
#include "base/text.h"
#include "bundle/bundle_parts.h"
#include "ci/ci.h"
#include "fuzz_files.h"
#include "html/page_html.h"
#include "job/job_survey.h"
#include "memory/memory_parts.h"
#include "report/text_reports.h"
#include "status/ranks.h"
#include "status/status_json.h"
#include "status/status_text.h"
#include "trace/trace_parts.h"
#include "json/json_values.h"
#include "json/report_json.h"

/* More scratch and output than an input of fuzz_bundle's size can need. */
enum { MAX_SCRATCH = 256 << 20, MAX_OUTPUT = 64 << 20, MAX_RANKS = 3, MAX_ADDRESSES = 4 };

/* Printed text, kept in memory until it is checked. */
struct output {
	char *bytes;
	size_t size;
	FILE *out;
};

/* The views that every rank is added to. */
struct views {
	struct text_reports *texts;
	struct html_page *page;
	struct job_survey survey;
	struct ci_findings findings;
	size_t n;
};

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

static FILE *output_begin(struct output *output)
{
	*output = (struct output){NULL, 0, NULL};
	output->out = open_memstream(&output->bytes, &output->size);
	must(output->out);
	return output->out;
}

static void output_end(struct output *output)
{
	must(!fclose(output->out) && output->size <= MAX_OUTPUT);
	free(output->bytes);
}

/* Check that the text is UTF-8 and does not move a terminal's cursor. */
static void check_text(struct output *output)
{
	size_t length;

	must(!fflush(output->out));
	for (size_t at = 0; at < output->size; at += length) {
		uint32_t code = text_character(output->bytes + at, output->size - at, &length);

		must(length && (code == '\n' || text_is_printable(code)));
	}
}

static void check_json(struct output *output)
{
	json_t *value;

	check_text(output);
	value = json_loadb(output->bytes, output->size, JSON_ALLOW_NUL, NULL);
	must(value);
	json_decref(value);
}

/* Check that the page has its own script and no other: names from the bundle are not markup. */
static void check_html(struct output *output)
{
	const char *script;

	check_text(output);
	script = strstr(output->bytes, "<script");
	must(script && !strstr(script + 1, "<script") && !strstr(output->bytes, "<img"));
}

static void trace_all(const struct analysis *analysis)
{
	struct output output;

	must(!trace_write(analysis, TRACE_PERFETTO, output_begin(&output)));
	output_end(&output);
	must(!trace_write(analysis, TRACE_CHROME, output_begin(&output)));
	check_json(&output);
	output_end(&output);
}

static void print_groups(const struct analysis *analysis, const struct memory_groups *groups,
			 enum memory_by by, const char *other, const char *time)
{
	const struct memory_before before = {other, time};
	struct output output;

	memory_list_print(groups, "", UINT64_MAX, &before, output_begin(&output));
	check_text(&output);
	output_end(&output);
	memory_list_json(analysis, groups, by, &before, output_begin(&output));
	check_json(&output);
	output_end(&output);
}

static void group_memory(const struct analysis *analysis, const struct memory *memory,
			 enum memory_by by)
{
	uint64_t ns = memory_newest_ns(memory) / 2;
	struct memory_groups groups, same;
	struct memory then;

	must(!memory_groups_make(analysis, memory, by, &groups));
	must(!memory_groups_make(analysis, memory, by, &same));
	print_groups(analysis, &groups, by, NULL, NULL);
	must(!memory_groups_subtract(&groups, &same));
	must(groups.n == 0);
	print_groups(analysis, &groups, by, "./before", NULL);
	memory_groups_free(&groups);
	must(!memory_read_at(analysis->report.view, ns, &then));
	must(!memory_groups_make(analysis, &then, by, &groups));
	must(!memory_groups_subtract(&groups, &same));
	print_groups(analysis, &groups, by, NULL, "then");
	memory_groups_free(&groups);
	memory_free(&then);
	(void)memory_since_read(analysis, memory, "0.5", &ns);
	memory_groups_free(&same);
}

static void find_address(const struct analysis *analysis, uint64_t address)
{
	struct output output;
	json_t *object = memory_at_json(analysis, address, NULL);

	memory_at_print(analysis, address, NULL, output_begin(&output));
	check_text(&output);
	output_end(&output);
	must(json_print(object, output_begin(&output)));
	check_json(&output);
	output_end(&output);
	json_decref(object);
}

static void print_memory(const struct analysis *analysis)
{
	struct memory memory;
	struct output output;

	must(!memory_read(analysis->report.view, &memory));
	for (enum memory_by by = MEMORY_BY_STACK; by <= MEMORY_BY_KIND; by++)
		group_memory(analysis, &memory, by);
	must(!memory_torch_write(analysis, &memory, output_begin(&output)));
	output_end(&output);
	find_address(analysis, 0);
	for (size_t i = 0; i < memory.n && i < MAX_ADDRESSES; i++) {
		find_address(analysis, memory.rows[i].start);
		find_address(analysis, memory.rows[i].start + memory.rows[i].size + 1);
	}
	memory_free(&memory);
}

/* Report one rank, as JSON by itself and in the other views together with the other ranks. */
static void report_rank(struct views *views, const struct analysis *analysis)
{
	struct output output;
	char *told = NULL;
	json_t *report = report_to_json(analysis);

	must(report && json_print(report, output_begin(&output)));
	check_json(&output);
	output_end(&output);
	json_decref(report);
	must(!analysis_text_print(analysis, REPORT_FULL, output_begin(&output)));
	check_text(&output);
	if (analysis->is_told)
		told = output.bytes;
	must(!html_page_add(views->page, analysis, NULL, told));
	output_end(&output);
	must(!text_reports_add(views->texts, analysis, REPORT_SHORT, false));
	must(!job_survey_add(&views->survey, analysis));
	if (analysis->finding != FINDING_NONE)
		must(!ci_findings_add(&views->findings, analysis));
	views->n++;
}

/* Print the status as if the process were alive, and twice, as of the ranks of a job. */
static void tell_ranks(const struct process_status *status)
{
	struct ranks ranks = {NULL, 0};
	struct rank_findings findings;
	json_t *object;

	must(!ranks_add(&ranks, status, true) && !ranks_add(&ranks, status, false));
	must(ranks_confirm(&ranks, status));
	ranks_sort(&ranks);
	must(!ranks_find(&ranks, &findings));
	object = ranks_to_json(&ranks, 0, &findings);
	must(object);
	json_decref(object);
	ranks_findings_free(&findings);
	ranks_free(&ranks);
}

static void tell_status(struct bundle *bundle)
{
	struct process_status *status = calloc(1, sizeof(*status));
	struct output output;
	json_t *object;
	int error;

	must(status);
	status->bundle = bundle;
	status->is_alive = true;
	status->has_snapshot = true;
	status->now_ns = 1000000000;
	error = process_status_take(status);
	must(!error || error == -EBADMSG);
	if (!error && !process_status_name(status)) {
		object = status_to_json(status);
		must(object && json_print(object, output_begin(&output)));
		check_json(&output);
		output_end(&output);
		json_decref(object);
		must(!status_print_text(status, output_begin(&output)));
		check_text(&output);
		output_end(&output);
		tell_ranks(status);
		analysis_close(&status->analysis);
	}
	free(status);
}

static void view_rank(struct views *views, struct bundle *bundle)
{
	struct analysis analysis;

	must(!analysis_open(bundle, 1, NULL, &analysis));
	report_rank(views, &analysis);
	/* The journal is the same for all ranks. */
	if (views->n == 1) {
		trace_all(&analysis);
		print_memory(&analysis);
		tell_status(bundle);
	}
	analysis_close(&analysis);
}

static void print_page(struct views *views)
{
	size_t order[MAX_RANKS], n_told;
	struct output heads, output;

	must(!job_survey_arrange(&views->survey, order, &n_told, output_begin(&heads)));
	check_text(&heads);
	must(!html_page_arrange(views->page, order, views->n, n_told, heads.bytes));
	html_page_print(views->page, output_begin(&output));
	check_html(&output);
	output_end(&output);
	output_end(&heads);
}

static void print_all(struct views *views)
{
	struct output output;

	print_page(views);
	must(!text_reports_print(views->texts, output_begin(&output)));
	check_text(&output);
	output_end(&output);
	for (enum ci_view view = 0; view < N_CI_VIEWS; view++) {
		must(!ci_view_print(view, &views->findings, output_begin(&output)));
		check_text(&output);
		output_end(&output);
	}
}

static bool begins_with(const struct fuzz_files *files, size_t index, const char *word)
{
	return files->sizes[index] >= strlen(word) &&
	       !memcmp(files->bytes[index], word, strlen(word));
}

static bool has_bounded_scratch(const struct bundle_view *view)
{
	return attribution_scratch(view) <= MAX_SCRATCH &&
	       unfinished_scratch(view) <= MAX_SCRATCH && stalls_scratch(view) <= MAX_SCRATCH;
}

/* View `bundle` with each of the metas, or without one if the input has no meta. */
static void view_ranks(struct views *views, struct bundle *bundle, const struct fuzz_files *files)
{
	for (size_t i = 0; i < files->n && views->n < MAX_RANKS; i++) {
		if (!begins_with(files, i, "{"))
			continue;
		bundle->meta =
			json_loadb(files->bytes[i], files->sizes[i], JSON_REJECT_DUPLICATES, NULL);
		if (json_is_object(bundle->meta))
			view_rank(views, bundle);
		json_decref(bundle->meta);
		bundle->meta = NULL;
	}
	if (!views->n)
		view_rank(views, bundle);
}

static json_t *read_finding(const struct fuzz_files *files, size_t index)
{
	json_t *list =
		json_loadb(files->bytes[index], files->sizes[index], JSON_REJECT_DUPLICATES, NULL);
	json_t *finding = json_incref(json_array_get(list, 0));

	json_decref(list);
	return finding;
}

static void add_files(struct bundle *bundle, struct fuzz_files *files)
{
	for (size_t i = 0; i < files->n; i++) {
		if (begins_with(files, i, "culprit:")) {
			bundle_set_printed(bundle, files->bytes[i], files->sizes[i]);
			files->bytes[i] = NULL;
			files->sizes[i] = 0;
		} else if (begins_with(files, i, "[")) {
			json_decref(bundle->finding);
			bundle->finding = read_finding(files, i);
		} else if (!begins_with(files, i, "{")) {
			(void)bundle_view_add(&bundle->view, files->bytes[i], files->sizes[i],
					      NULL);
		}
	}
	/* The process's own report is used if the journal is not whole. */
	bundle->n_problems = bundle->told ? 1 : 0;
	bundle->end.is_failure_lost = bundle->told && !view_failure(&bundle->view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char path[] = "./bundle <script>\033\xff";
	struct bundle *bundle = calloc(1, sizeof(*bundle));
	struct views views = {.texts = text_reports_open(), .page = html_page_open(MAX_RANKS)};
	struct fuzz_files files;

	must(bundle && views.texts && views.page);
	bundle->path = path;
	fuzz_files_read(data, size, &files);
	add_files(bundle, &files);
	if (has_bounded_scratch(&bundle->view)) {
		view_ranks(&views, bundle, &files);
		print_all(&views);
	}
	text_reports_close(views.texts);
	html_page_close(views.page);
	job_survey_free(&views.survey);
	ci_findings_free(&views.findings);
	fuzz_files_free(&files);
	json_decref(bundle->finding);
	free(bundle->told);
	free(bundle);
	return 0;
}
