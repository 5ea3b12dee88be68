/*
 * brief_page.c - the rows in their order.
 */
#include "brief/brief_page.h"

#include <string.h>

#include "brief/brief_parts.h"
#include "report/last_rejection.h"

enum { MAX_HOLDERS = 3, MAX_HARDWARE = 2, MAX_STREAMS = 3, MAX_NAN = 4 };

/* Add the first lines `from` of the full report as lines `id`. */
static void add_lines(const struct page *full, enum page_id from, enum page_id id, uint32_t max,
		      struct page *out)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < full->n_lines && n < max; i++) {
		const struct page_line *line = &full->lines[i];
		if (line->id != from)
			continue;
		(n++ ? page_below : page_begin)(out, id);
		text_add(&out->text, line->text);
		page_end(out);
	}
}

/* Add a line that also names the command for all lines, and the bundle. */
static void add_last(const struct page *full, const char *step, struct page *out)
{
	const char *path = full->report.bundle_path;
	page_begin(out, PAGE_HELP);
	if (step) {
		text_add(&out->text, step);
		text_add(&out->text, "   \xc2\xb7   ");
	}
	text_add(&out->text, "culprit report -v");
	if (path) {
		text_add(&out->text, " ");
		text_add_foreign(&out->text, path, strlen(path));
	}
	page_end(out);
}

/* Add the next command, and what it needs to be followed by. */
static void add_help(const struct page *full, struct page *out)
{
	static const char triage[] = "culprit triage";
	const struct page_line *step = page_find_line(full, PAGE_HELP);
	bool is_triage = step && !strncmp(step->text, triage, strlen(triage));
	if (is_triage) {
		page_begin(out, PAGE_TO_BE_SURE);
		text_add(&out->text, step->text);
		page_end(out);
	}
	add_last(full, step && !is_triage ? step->text : NULL, out);
	if (step && step + 1 < full->lines + full->n_lines && step[1].id == PAGE_HELP) {
		page_below(out, PAGE_HELP);
		text_add(&out->text, step[1].text);
		page_end(out);
	}
}

/* Add the lines about a refused allocation that name who holds memory, without their label. */
static void add_holders(const struct page *full, struct page *out)
{
	static const char label[] = "held by         ";
	const size_t width = sizeof(label) - 1;
	bool is_among = false;
	uint32_t n = 0;
	for (uint32_t i = 0; i < full->n_lines && n < MAX_HOLDERS; i++) {
		const struct page_line *line = &full->lines[i];
		if (line->id != PAGE_REJECTED || strlen(line->text) < width)
			continue;
		is_among = !strncmp(line->text, label, width) ||
			   (is_among && strspn(line->text, " ") >= width);
		if (!is_among)
			continue;
		(n++ ? page_below : page_begin)(out, PAGE_HELD_BY);
		text_add(&out->text, line->text + width);
		page_end(out);
	}
}

void brief_page(const struct page *full, struct page *out)
{
	const struct last_rejection *rejection = full->report.rejection;
	struct brief_cause cause;
	page_clear(&full->report, out);
	brief_cause_find(full, &out->launch, &cause);
	brief_add_title(full, &cause, out);
	brief_add_code(full, out);
	brief_add_cause(full, &cause, out);
	brief_add_nodes(full, out);
	brief_add_reasons(full, &cause, out);
	if (rejection && view_rejection_is_memory(full->report.view, rejection->row))
		add_holders(full, out);
	if (full->report.verdict->n_suspects && !rejection)
		add_lines(full, PAGE_HOST_AT, PAGE_HOST_AT, 1, out);
	if (full->report.verdict->unknown_reason == UNKNOWN_NO_FAILURE && !rejection &&
	    !full->report.verdict->hang)
		add_lines(full, PAGE_IN_FLIGHT, PAGE_IN_FLIGHT, MAX_STREAMS, out);
	add_lines(full, PAGE_FIRST_NAN, PAGE_FIRST_NAN, MAX_NAN, out);
	/* Whether the GPU failed, and what operators do. */
	add_lines(full, PAGE_HARDWARE, PAGE_HARDWARE, MAX_HARDWARE, out);
	add_help(full, out);
}
