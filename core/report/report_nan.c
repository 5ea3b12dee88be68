/*
 * report_nan.c - words for a story of nan_story.h.
 */
#include "report/report_nan.h"

#include <inttypes.h>

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

void report_nan_launch(const struct report *report, const struct check_row *row, struct text *out)
{
	const struct function_row *function = view_function(report->view, row->function);
	text_addf(out, "#%" PRIu64 " ", row->sequence);
	if (function)
		report_function_name(report, function->name, out);
	else
		text_add(out, "a kernel");
	text_add(out, " at ");
	report_stack(report, row->stack, 1, out);
}

void report_nan_argument(uint32_t parameter, uint32_t offset, struct text *out)
{
	text_addf(out, "argument %" PRIu32, parameter);
	if (offset)
		text_addf(out, " + %" PRIu32, offset);
}

/* Append "1 NaN among 256 f32?, the first at [0]". */
static void add_values(const struct check_row *row, const struct check_result *result,
		       struct text *out)
{
	uint64_t first = 0;
	uint64_t n = nan_story_odd(row, result, &first);
	if (result->n_nan)
		text_addf(out, "%" PRIu64 " NaN", result->n_nan);
	if (n > result->n_nan)
		text_addf(out, "%s%" PRIu64 " infinite", result->n_nan ? " and " : "",
			  n - result->n_nan);
	text_addf(out, " among %" PRIu64 " %s%s, the first at [%" PRIu64 "]", result->n,
		  report_nan_type(result->type), result->flags & CHECK_TYPE_WAS_GUESSED ? "?" : "",
		  first);
}

void report_nan_origin(const struct report *report, const struct nan_story *story, struct text *out)
{
	const struct check_row *row = view_check(report->view, story->row);
	if (!row)
		return;
	text_add(out, story->origin == NAN_MADE      ? "made by "
		      : story->origin == NAN_PERHAPS ? "probably made by "
						     : "already there before ");
	report_nan_launch(report, row, out);
}

void report_nan_values(const struct report *report, const struct nan_story *story, struct text *out)
{
	const struct check_row *row = view_check(report->view, story->row);
	const struct check_row *other = view_check(report->view, story->other);
	if (!row)
		return;
	report_nan_argument(row->parameter, row->offset, out);
	text_add(out, ": ");
	add_values(row, story->origin == NAN_BROUGHT ? &row->before : &row->after, out);
	if (story->origin == NAN_MADE)
		text_add(out, "; none of the checked arguments had any before");
	if (story->origin == NAN_BROUGHT)
		text_add(out, "; a copy or an unchecked kernel wrote it");
	if (!other)
		return;
	text_add(out, "; ");
	report_nan_argument(other->parameter, other->offset, out);
	text_add(out, ", which was also written, had some before");
}

void report_nan_links(const struct report *report, const struct nan_story *story, struct text *out)
{
	uint64_t n = story->n_links < NAN_MAX_LINKS ? story->n_links : NAN_MAX_LINKS;
	text_add(out, "passed on by ");
	for (uint64_t i = 0; i < n; i++) {
		const struct check_row *row = view_check(report->view, story->links[i].to);
		text_add(out, i ? ", " : "");
		if (row)
			report_nan_launch(report, row, out);
	}
	if (story->n_links > n)
		text_addf(out, ", and %" PRIu64 " more", story->n_links - n);
}

void report_add_nan(struct page *page)
{
	struct nan_story story;
	nan_story_find(page->report.view, &story);
	if (story.origin == NAN_NONE)
		return;
	page_begin(page, PAGE_FIRST_NAN);
	report_nan_origin(&page->report, &story, &page->text);
	page_end(page);
	page_below(page, PAGE_FIRST_NAN);
	report_nan_values(&page->report, &story, &page->text);
	page_end(page);
	if (!story.n_links)
		return;
	page_below(page, PAGE_FIRST_NAN);
	report_nan_links(&page->report, &story, &page->text);
	page_end(page);
}
