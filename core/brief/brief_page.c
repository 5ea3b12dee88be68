/*
 * brief_page.c - the rows in their order.
 */
#include "brief/brief_page.h"

#include <string.h>

#include "brief/brief_rows.h"
#include "brief/brief_title.h"
#include "report/last_refusal.h"

enum { MAX_HOLDERS = 3, MAX_HARDWARE = 2 };

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

static const struct page_line *find_line(const struct page *page, enum page_id id)
{
	for (uint32_t i = 0; i < page->n_lines; i++)
		if (page->lines[i].id == id)
			return &page->lines[i];
	return NULL;
}

/* Add the next command, the one for all lines, and the bundle. */
static void add_help(const struct page *full, struct page *out)
{
	static const char triage[] = "culprit triage";
	const char *path = full->report.bundle_path;
	const struct page_line *step = find_line(full, PAGE_HELP);
	bool is_triage = step && !strncmp(step->text, triage, strlen(triage));
	if (is_triage) {
		page_begin(out, PAGE_TO_BE_SURE);
		text_add(&out->text, step->text);
		page_end(out);
	}
	page_begin(out, PAGE_HELP);
	if (step && !is_triage) {
		text_add(&out->text, step->text);
		text_add(&out->text, "   \xc2\xb7   ");
	}
	text_add(&out->text, "culprit report -v");
	if (path) {
		text_add(&out->text, " ");
		text_add_foreign(&out->text, path, strlen(path));
	}
	page_end(out);
}

void brief_page(const struct page *full, struct page *out)
{
	const struct last_refusal *refusal = full->report.refusal;
	struct brief_cause cause;
	page_clear(&full->report, out);
	brief_cause_find(full, &out->launch, &cause);
	brief_add_title(full, &cause, out);
	brief_add_code(full, out);
	brief_add_cause(full, &cause, out);
	brief_add_nodes(full, out);
	brief_add_reasons(full, &cause, out);
	/* A refused allocation: how much is free, and what holds the rest. */
	if (refusal && view_refusal_is_memory(full->report.view, refusal->row))
		add_lines(full, PAGE_REFUSED, PAGE_HELD_BY, MAX_HOLDERS, out);
	/* Whether the GPU failed, and what operators do. */
	add_lines(full, PAGE_HARDWARE, PAGE_HARDWARE, MAX_HARDWARE, out);
	add_help(full, out);
}

const struct page_line *brief_find_line(const struct page *brief, enum page_id id)
{
	return find_line(brief, id);
}
