/*
 * report_nan.c - words for a story of nan_story.h.
 */
#include "report/report_nan.h"

#include <inttypes.h>

#include "checks/check_rows.h"
#include "report/report_names.h"
#include "report/report_stack.h"

const char *report_nan_type(uint32_t type)
{
	static const char *const words[N_CHECK_TYPES] = {
		[CHECK_F32] = "f32",   [CHECK_F64] = "f64",   [CHECK_F16] = "f16",
		[CHECK_BF16] = "bf16", [CHECK_I32] = "i32",   [CHECK_I64] = "i64",
		[CHECK_U8] = "u8",     [CHECK_E4M3] = "e4m3", [CHECK_E5M2] = "e5m2",
	};
	return type < N_CHECK_TYPES && words[type] ? words[type] : "values";
}

static void add_launch_name(const struct report *report, const struct check_row *row,
			    struct text *out)
{
	const struct function_row *function = view_function(report->view, row->function);
	text_addf(out, "#%" PRIu64 " ", row->sequence);
	if (function)
		report_function_name(report, function->name, out);
	else
		text_add(out, "a kernel");
}

void report_nan_launch(const struct report *report, const struct check_row *row, struct text *out)
{
	add_launch_name(report, row, out);
	text_add(out, " at ");
	report_stack(report, row->stack, 1, out);
}

void report_nan_argument(uint32_t parameter, uint32_t offset, struct text *out)
{
	text_addf(out, "argument %" PRIu32, parameter);
	if (offset)
		text_addf(out, " + %" PRIu32, offset);
}

/* Append "#4 layers::divide<float>", or "node 1 layers::divide<float>". */
static void add_name(const struct report *report, struct nan_location location, struct text *out)
{
	if (!location.is_node) {
		add_launch_name(report, view_check(report->view, location.row), out);
		return;
	}
	const struct graph_check_row *row = view_graph_check(report->view, location.row);
	const struct graph_node_row node = {.work = WORK_KERNEL, .function = row->function};
	text_addf(out, "node %" PRIu32 " ", row->node);
	report_node_name(report, &node, true, out);
}

static uint32_t stack_of(const struct report *report, struct nan_location location)
{
	return location.is_node ? view_graph_check(report->view, location.row)->stack
				: view_check(report->view, location.row)->stack;
}

/* Append which replay of the graph it was: " in replay 3, #9". */
static void add_replay(const struct report *report, struct nan_location location, struct text *out)
{
	const struct graph_check_row *row = view_graph_check(report->view, location.row);
	if (!location.is_node || !row)
		return;
	text_addf(out, " in replay %" PRIu32, row->replay);
	if (location.sequence)
		text_addf(out, ", #%" PRIu64, location.sequence);
	else
		text_addf(out, " of graph 0x%" PRIx64, row->handle);
}

static void add_kernel(const struct report *report, struct nan_location location, struct text *out)
{
	add_name(report, location, out);
	text_add(out, " at ");
	report_stack(report, stack_of(report, location), 1, out);
}

static void add_argument(const struct report *report, struct nan_location location,
			 struct text *out)
{
	const struct check_row *row = view_check(report->view, location.row);
	const struct graph_check_row *node = view_graph_check(report->view, location.row);
	if (location.is_node)
		report_nan_argument(node->parameter, node->offset, out);
	else
		report_nan_argument(row->parameter, row->offset, out);
}

/* Append "1 NaN among 256 f32?, the first at [0]". */
static void add_values(const struct nan_values *values, struct text *out)
{
	const struct check_result *result = values->result;
	if (result->n_nan)
		text_addf(out, "%" PRIu64 " NaN", result->n_nan);
	if (values->n > result->n_nan)
		text_addf(out, "%s%" PRIu64 " infinite", result->n_nan ? " and " : "",
			  values->n - result->n_nan);
	text_addf(out, " among %" PRIu64 " %s%s, the first at [%" PRIu64 "]", result->n,
		  report_nan_type(result->type), result->flags & CHECK_TYPE_WAS_GUESSED ? "?" : "",
		  values->first);
}

/* True if only a part of an argument of the same launch was checked. */
static bool is_cut(const struct bundle_view *view, struct nan_location location)
{
	const struct check_row *row = location.is_node ? NULL : view_check(view, location.row);
	if (!row || row->index >= location.row)
		return false;
	uint32_t first = location.row - row->index;
	uint32_t n = check_rows_count(view, first);
	for (uint32_t id = first; id < first + n; id++)
		if (view_check(view, id)->flags & CHECK_ROW_CUT)
			return true;
	return false;
}

const char *report_nan_label(const struct nan_story *story)
{
	bool is_sure = nan_story_is_sure(story);
	return story->origin == NAN_NONE      ? NULL
	       : story->origin == NAN_BROUGHT ? "already_there"
	       : is_sure                      ? "made"
					      : "probably_made";
}

/* Append "made by #4 layers::divide<float> at ". */
static void add_beginning(const struct report *report, const struct nan_story *story,
			  struct text *out)
{
	bool is_sure = nan_story_is_sure(story);
	text_add(out, story->origin == NAN_BROUGHT ? "already there before "
		      : is_sure                    ? "made by "
						   : "probably made by ");
	add_name(report, story->first, out);
	text_add(out, " at ");
}

void report_nan_origin(const struct report *report, const struct nan_story *story, struct text *out)
{
	add_beginning(report, story, out);
	report_stack(report, stack_of(report, story->first), 1, out);
	add_replay(report, story->first, out);
}

void report_nan_sample(const struct graph_check_row *row, struct text *out)
{
	text_addf(out, ", but only %.3g of %.3g MiB were read", row->kib_read / 1024.,
		  row->kib_given / 1024.);
}

/* Append what may have written a value that no checked kernel is seen to have written. */
static void add_writer(const struct report *report, struct nan_location place, struct text *out)
{
	const struct graph_check_row *row =
		place.is_node ? view_graph_check(report->view, place.row) : NULL;
	text_add(out, row && (row->flags & GRAPH_CHECK_IS_SAMPLED)
			      ? "; a copy, an unchecked kernel, or a kernel checked only in part "
				"wrote it"
			      : "; a copy or an unchecked kernel wrote it");
}

void report_nan_values(const struct report *report, const struct nan_story *story, struct text *out)
{
	bool is_after = story->origin != NAN_BROUGHT;
	struct nan_values values = nan_values_at(report->view, story->first, is_after);
	add_argument(report, story->first, out);
	text_add(out, ": ");
	add_values(&values, out);
	if (story->origin == NAN_MADE)
		text_add(out, "; none of the checked arguments had any before");
	if (story->origin == NAN_MADE && story->has_company)
		text_add(out, ", unless a node on another branch wrote there meanwhile");
	if (story->origin == NAN_MADE && story->is_sampled)
		report_nan_sample(view_graph_check(report->view, story->first.row), out);
	if (story->origin == NAN_BROUGHT)
		add_writer(report, story->first, out);
	if (story->other.row) {
		text_add(out, "; ");
		add_argument(report, story->other, out);
		text_add(out, ", which was also written, had some before");
	}
	if (is_cut(report->view, story->first))
		text_add(out, "; not all of the arguments' memory was checked");
}

void report_nan_links(const struct report *report, const struct nan_story *story, struct text *out)
{
	uint64_t n = story->n_links < NAN_MAX_LINKS ? story->n_links : NAN_MAX_LINKS;
	struct nan_location last = story->first;
	text_add(out, "passed on by ");
	for (uint64_t i = 0; i < n; i++) {
		struct nan_location location = story->links[i];
		text_add(out, i ? ", " : "");
		add_kernel(report, location, out);
		if (!last.is_node || last.sequence != location.sequence)
			add_replay(report, location, out);
		last = location;
	}
	if (story->n_links > n)
		text_addf(out, ", and %" PRIu64 " more", story->n_links - n);
}

static const char hint[] = "; this may be why it failed, but the verdict does not rest on it";

static void add_reached(const struct report *report, const struct nan_story *story,
			struct text *out)
{
	struct nan_values values = nan_values_at(report->view, story->reached, false);
	add_kernel(report, story->reached, out);
	add_replay(report, story->reached, out);
	text_add(out, ", a suspect, was given ");
	add_values(&values, out);
	text_add(out, ", in ");
	add_argument(report, story->reached, out);
	text_add(out, hint);
}

static void add_derived(const struct report *report, const struct nan_story *story,
			struct text *out)
{
	const struct journal_record *record =
		&report->verdict->suspects[story->derived_suspect].record;
	text_addf(out, "#%" PRIu64 " ", record->sequence);
	report_work_name(report, record, true, out);
	text_add(out, ", a suspect, was given memory that ");
	add_kernel(report, story->derived, out);
	text_add(out, " wrote after it was given such values");
	text_add(out, hint);
}

void report_add_nan(struct page *page)
{
	struct nan_story story;
	nan_story_find(page->report.view, page->report.verdict, &story);
	if (story.origin == NAN_NONE)
		return;
	page_begin(page, PAGE_FIRST_NAN);
	add_beginning(&page->report, &story, &page->text);
	report_add_stack(page, stack_of(&page->report, story.first), 1);
	add_replay(&page->report, story.first, &page->text);
	page_end(page);
	page_below(page, PAGE_FIRST_NAN);
	report_nan_values(&page->report, &story, &page->text);
	page_end(page);
	if (story.n_links) {
		page_below(page, PAGE_FIRST_NAN);
		report_nan_links(&page->report, &story, &page->text);
		page_end(page);
	}
	if (story.reached.row) {
		page_below(page, PAGE_FIRST_NAN);
		add_reached(&page->report, &story, &page->text);
		page_end(page);
	} else if (story.derived.row) {
		page_below(page, PAGE_FIRST_NAN);
		add_derived(&page->report, &story, &page->text);
		page_end(page);
	}
}
