/*
 * fingerprint.c - collect the parts of a report that are the same in every run.
 */
#include "analysis/fingerprint.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_parts.h"

enum { MAX_LOCATIONS = 3 };

static void add_string(struct text *text, struct page_string string)
{
	text_add_foreign(text, string.bytes, string.length);
}

/* Return the part after the last slash. */
static struct page_string base_name(struct page_string path)
{
	size_t start = path.length;
	while (start > 0 && path.bytes[start - 1] != '/')
		start--;
	return start ? (struct page_string){path.bytes + start, path.length - start} : path;
}

static void add_location(struct text *text, const struct page_location *location)
{
	struct page_string file = location->file.length ? location->file : location->module;
	text_add(text, " | ");
	add_string(text, base_name(file));
	if (location->function.length) {
		text_add(text, " ");
		add_string(text, location->function);
	}
	if (location->first_line && location->line >= location->first_line)
		text_addf(text, "+%" PRIu32, location->line - location->first_line);
}

/* Append the code locations of the first line with this id. */
static void add_locations(const struct page *page, enum page_id id, struct text *text)
{
	for (uint32_t index = 0; index < page->n_lines; index++) {
		const struct page_line *line = &page->lines[index];
		if (line->id != id)
			continue;
		for (uint32_t i = 0; i < line->n_locations && i < MAX_LOCATIONS; i++)
			add_location(text, &page->locations[line->first_place + i]);
		return;
	}
}

/* Append the single suspect, or the single line that launched all suspects. */
static void add_culprit(const struct analysis *analysis, bool has_kernel, struct text *text)
{
	const struct journal_record *record = &analysis->verdict->suspects[0].record;
	text_addf(text, " %s", report_work_label(record->work));
	if (has_kernel && record->work == WORK_KERNEL) {
		text_add(text, " ");
		report_work_name(&analysis->report, record, true, text);
	}
	add_locations(analysis->page, PAGE_LAUNCHED_FROM, text);
}

static void add_observer(const struct analysis *analysis, struct text *text)
{
	size_t length = 0;
	const char *call =
		view_string(analysis->report.view, analysis->verdict->failure.call, &length);
	text_add(text, " seen by ");
	text_add_foreign(text, call, length);
	add_locations(analysis->page, PAGE_SEEN_BY, text);
}

/* Append "refused 1 cuLaunchKernel". Sizes may differ from run to run. */
static void add_rejection(const struct analysis *analysis, struct text *text)
{
	const struct rejection_row *row = analysis->rejection.row;
	size_t length = 0;
	const char *call = view_string(analysis->report.view, row->call, &length);
	text_addf(text, "refused %" PRId32 " ", row->result);
	text_add_foreign(text, call, length);
}

void fingerprint_of(const struct analysis *analysis, struct fingerprint *out)
{
	const struct verdict *verdict = analysis->verdict;
	struct text text = text_in(out->of, sizeof(out->of));
	bool is_kernel = true;
	bool is_one = verdict->n_suspects == 1 ||
		      (verdict->n_suspects > 1 &&
		       report_suspects_line(&analysis->report, &is_kernel) != LINE_NONE);
	out->id[0] = '\0';
	if (analysis->finding == FINDING_NONE)
		return;
	if (analysis->finding == FINDING_HANG)
		text_add(&text, "hang");
	else if (analysis->finding == FINDING_UNFINISHED)
		text_add(&text, "unfinished");
	else if (analysis->finding == FINDING_REJECTION)
		add_rejection(analysis, &text);
	else
		text_addf(&text, "%" PRId32, verdict->failure.code);
	if (analysis->finding == FINDING_REJECTION)
		add_locations(analysis->page, PAGE_SEEN_BY, &text);
	else if (is_one)
		add_culprit(analysis, is_kernel, &text);
	else if (analysis->finding == FINDING_UNFINISHED)
		add_locations(analysis->page, PAGE_HOST_AT, &text);
	else
		add_observer(analysis, &text);
	snprintf(out->id, sizeof(out->id), "%016" PRIx64, hash_string(out->of));
}
