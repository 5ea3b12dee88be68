/*
 * analysis.c - runs the attribution on a bundle that was read from disk.
 */
#include "analysis/analysis.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/readings.h"
#include "analysis/used_gpus.h"
#include "attribution/attribution.h"
#include "attribution/unfinished.h"
#include "brief/brief_page.h"
#include "bundle/bundle_code.h"
#include "bundle/bundle_meta.h"
#include "fault/fault_story.h"
#include "report/report_labels.h"
#include "report/report_page.h"
#include "report/report_runtime_frames.h"

enum { CODE_ASSERT = 710, CODE_LAUNCH_FAILED = 719 }; /* CUDA_ERROR_... */

/* True if the fault's program counters can clear work, should the sizes of code be known. */
static bool needs_sizes(const struct bundle_view *view, const struct verdict *verdict)
{
	struct fault_story story;
	fault_story_read(view, &story);
	return !verdict->coredump &&
	       fault_story_clears(&story, verdict->failure.code, verdict->failure.flags);
}

/*
 * True if it matters which of several suspects can assert or trap. Reading their code may take
 * seconds.
 */
static bool needs_code(const struct bundle_view *view, const struct verdict *verdict)
{
	if (needs_sizes(view, verdict))
		return true;
	if (verdict->class == VERDICT_EXACT)
		return false;
	return (verdict->failure.code == CODE_ASSERT && verdict->n_suspects > 0) ||
	       (verdict->failure.code == CODE_LAUNCH_FAILED && verdict->n_suspects > 1);
}

static int judge_failure(const struct bundle *bundle, void *scratch, size_t size,
			 struct verdict *out)
{
	const struct bundle_view *view = &bundle->view;
	struct attribution_facts facts = {.coredump = bundle->coredump ? &bundle->coredump->fault
								       : NULL};
	uint8_t *code = NULL;
	struct code_size *sizes = NULL;
	int result = attribute_with_facts(view, &facts, scratch, size, out);
	if (!result && needs_code(view, out)) {
		facts.n_functions = bundle_code_read(view, &code, &sizes);
		facts.code = code;
		facts.sizes = (struct code_sizes){.of = sizes, .n = facts.n_functions};
		result = attribute_with_facts(view, &facts, scratch, size, out);
	}
	bundle_code_free(code, sizes, facts.n_functions);
	return result;
}

static int find_verdict(const struct bundle *bundle, const struct hang_claim *hang,
			struct verdict *out)
{
	const struct bundle_view *view = &bundle->view;
	bool has_failed = view_failure(view);
	size_t size = has_failed ? attribution_scratch(view) : unfinished_scratch(view);
	void *scratch = malloc(size ? size : 1);
	if (!scratch)
		return -ENOMEM;
	int result = has_failed ? judge_failure(bundle, scratch, size, out)
				: unfinished_find(view, hang, scratch, size, out);
	free(scratch);
	return result;
}

/* Return how sure the process was, from its own headline. */
static enum verdict_class told_class(const struct bundle *bundle)
{
	static const char before[] = "\xe2\x80\x94 "; /* the dash of the headline */
	const char *word = bundle->told
				   ? memmem(bundle->told, bundle->told_size, before, strlen(before))
				   : NULL;
	for (enum verdict_class class = VERDICT_EXACT; word && class > VERDICT_UNKNOWN; class --) {
		const char *wanted = report_verdict_label(class);
		size_t left = bundle->told_size - (size_t)(word - bundle->told) - strlen(before);
		if (left > strlen(wanted) && !memcmp(word + strlen(before), wanted, strlen(wanted)))
			return class;
	}
	return VERDICT_UNKNOWN;
}

/* If the journal is not whole, the process's own report is better, except for source lines. */
static bool knew_better(const struct bundle *bundle, const struct verdict *verdict)
{
	return bundle->told && bundle->told_size &&
	       (bundle->end.is_failure_lost ||
		(bundle->n_problems && told_class(bundle) > verdict->class));
}

/* The modules' files are found by their paths, which the filter may remove. */
static int filter(const struct analysis_filter *filter, struct analysis *analysis)
{
	struct bundle *bundle = analysis->bundle;
	if (!filter)
		return 0;
	int result = symbols_filter(analysis->symbols, &bundle->view, filter->mask, filter->state);
	return result ? result : filter->apply(filter->state, bundle);
}

/*
 * Index the allocations for the suspects' pointers. Without memory for it, they are looked up row
 * by row.
 */
static void index_memory(struct analysis *analysis)
{
	struct bundle_view *view = &analysis->bundle->view;
	if (analysis->verdict->n_suspects == 0 ||
	    view->tables[JOURNAL_RANGES].n_rows < MEMORY_INDEX_MIN)
		return;
	analysis->memory_scratch = calloc(1, memory_index_scratch(view));
	if (!analysis->memory_scratch)
		return;
	memory_index_make(view, analysis->memory_scratch, &analysis->memory_index);
	view->memory_index = &analysis->memory_index;
}

/*
 * Find the line at which the GPU stopped, and what the instruction there accesses. The paths are
 * masked as those of symbols are.
 */
static void find_device_line(const struct analysis_filter *wanted, struct analysis *analysis)
{
	struct code_line *line = &analysis->device_line;
	const struct code_location *place = &analysis->verdict->fault_code;
	struct code_instruction instruction = {.architecture = 0};
	if (!place->function)
		return;
	bool has_line = bundle_code_line(&analysis->bundle->view, place->function,
					 place->pc - place->start, line, &instruction);
	analysis->verdict->fault_access = instruction.access;
	if (!has_line)
		return;
	if (wanted)
		wanted->mask(wanted->state, line->strings, line->size);
	analysis->verdict->fault_lines = line->lines;
	analysis->verdict->n_fault_lines = line->n;
}

/* A hang is known from the record of the run that saw it, left work from the last snapshot. */
static int judge(struct analysis *out)
{
	const struct bundle *bundle = out->bundle;
	bool is_hung =
		!bundle->end.is_failure_lost && finding_read_hang(bundle->finding, &out->hang);
	bool has_claim = is_hung || (!view_failure(&bundle->view) && !bundle->end.is_failure_lost &&
				     left_work_find(out->bundle, &out->hang));
	int result = find_verdict(bundle, has_claim ? &out->hang : NULL, out->verdict);
	if (view_failure(&bundle->view))
		out->finding = FINDING_FAILURE;
	else if (is_hung && out->verdict->hang)
		out->finding = FINDING_HANG;
	else if (finding_is_rejection(bundle->finding) &&
		 last_rejection_find(&bundle->view, &out->rejection))
		out->finding = FINDING_REJECTION;
	else if (finding_is_unfinished(bundle->finding) && out->verdict->n_unfinished)
		out->finding = FINDING_UNFINISHED;
	return result;
}

static_assert(HARDWARE_MAX_LINES <= (int)REPORT_MAX_HARDWARE_LINES, "all lines are shown");

static void find_hardware(struct analysis *analysis)
{
	const struct bundle *bundle = analysis->bundle;
	if (!bundle->hardware)
		return;
	struct hardware_span span = used_gpus_span(bundle);
	hardware_story_find(bundle->hardware, &span, &analysis->hardware);
	struct report_hardware *lines = &analysis->hardware_lines;
	lines->n_lines = analysis->hardware.n_lines;
	for (uint32_t i = 0; i < lines->n_lines; i++)
		lines->lines[i] = analysis->hardware.lines[i];
}

int analysis_open(struct bundle *bundle, unsigned wait_seconds,
		  const struct analysis_filter *wanted, struct analysis *out)
{
	int result = -ENOMEM;
	memset(out, 0, sizeof(*out));
	out->bundle = bundle;
	out->symbols = symbols_open(wait_seconds);
	out->verdict = calloc(1, sizeof(*out->verdict));
	out->page = calloc(1, sizeof(*out->page));
	out->brief = calloc(1, sizeof(*out->brief));
	if (out->symbols && out->verdict && out->page && out->brief)
		result = judge(out);
	/* Filter after the verdict: it may rest on data that the report must not show. */
	if (!result)
		result = filter(wanted, out);
	if (!result && out->finding == FINDING_REJECTION)
		(void)last_rejection_find(&bundle->view, &out->rejection);
	if (result) {
		analysis_close(out);
		return result;
	}
	const struct failure_row *failure = view_failure(&bundle->view);
	process_describe(bundle->meta, failure ? failure->time_ns : 0, &out->process);
	out->process.report.end = bundle->end;
	out->process.report.end.is_finding = out->finding == FINDING_UNFINISHED;
	out->source = symbols_source(out->symbols);
	out->report = (struct report){
		.view = &bundle->view,
		.verdict = out->verdict,
		.symbols = &out->source,
		.bundle_path = bundle->path,
		.directory = bundle_meta_text(bundle->meta, "directory"),
		.process = &out->process.report,
		.hardware = &out->hardware_lines,
		.rejection = out->finding == FINDING_REJECTION ? &out->rejection : NULL};
	find_device_line(wanted, out);
	find_hardware(out);
	out->is_told = knew_better(bundle, out->verdict);
	index_memory(out);
	report_page(&out->report, out->page);
	brief_page(out->page, out->brief);
	return 0;
}

void analysis_close(struct analysis *analysis)
{
	if (analysis->memory_scratch)
		analysis->bundle->view.memory_index = NULL;
	free(analysis->memory_scratch);
	code_line_free(&analysis->device_line);
	symbols_close(analysis->symbols);
	free(analysis->verdict);
	free(analysis->page);
	free(analysis->brief);
	memset(analysis, 0, sizeof(*analysis));
}

int32_t analysis_code(const struct analysis *analysis)
{
	return analysis->finding == FINDING_REJECTION ? analysis->rejection.row->result
						      : analysis->verdict->failure.code;
}

void analysis_add_name(const struct analysis *analysis, struct text *out)
{
	const struct bundle_view *view = analysis->report.view;
	const struct rejection_row *row = analysis->rejection.row;
	size_t length = 0;
	if (analysis->finding == FINDING_HANG) {
		text_add(out, "GPU_HANG");
	} else if (analysis->finding == FINDING_UNFINISHED) {
		text_add(out, "GPU_UNFINISHED");
	} else if (analysis->finding != FINDING_REJECTION) {
		report_failure_name(&analysis->report, out);
	} else if (view_rejection_is_memory(view, row)) {
		text_add(out, "CUDA_ERROR_OUT_OF_MEMORY");
	} else {
		const char *what = view_string(view, row->what, &length);
		text_add(out, "refused ");
		text_add_foreign(out, what, length);
	}
}

enum page_id analysis_location_line(const struct analysis *analysis)
{
	if (analysis->finding == FINDING_UNFINISHED && !analysis->verdict->n_suspects)
		return PAGE_HOST_AT;
	return analysis->finding == FINDING_REJECTION ? PAGE_SEEN_BY : PAGE_LAUNCHED_FROM;
}

bool analysis_has_failure(const struct analysis *analysis)
{
	return view_failure(analysis->report.view) != NULL;
}

bool analysis_is_open(const struct analysis *analysis)
{
	const struct report_end *end = &analysis->bundle->end;
	return (analysis->finding == FINDING_NONE || analysis->finding == FINDING_UNFINISHED) &&
	       !analysis->is_told &&
	       (analysis->verdict->n_unfinished || end->kind == REPORT_RUNS ||
		end->is_failure_lost);
}

/*
 * Ignore changes of system libraries: they change with every update, and their lines matter little.
 */
static const char *find_missed(const struct analysis *analysis, uint32_t id, const char *path)
{
	const char *given_up = symbols_module_given_up(analysis->symbols, id);
	if (given_up)
		return given_up;
	return symbols_module_has_changed(analysis->symbols, id) &&
			       !report_is_runtime_frame(path, NULL)
		       ? symbols_module_problem(analysis->symbols, id)
		       : NULL;
}

bool analysis_next_module(const struct analysis *analysis, uint32_t *place,
			  struct analysis_module *out)
{
	const struct bundle_view *view = analysis->report.view;
	if (*place >= view->tables[JOURNAL_MODULES].n_rows || *place == UINT32_MAX)
		return false;
	out->id = view_id_at(view, JOURNAL_MODULES, ++*place);
	const struct module_row *module = view_module(view, out->id);
	out->path = view_string(view, module ? module->path : 0, NULL);
	out->missed = find_missed(analysis, out->id, out->path);
	return true;
}
