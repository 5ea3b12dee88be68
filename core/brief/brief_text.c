/*
 * brief_text.c - lay out the lines: the title's line, the user's line with its source, and rows
 * with labels.
 */
#include "brief/brief_page.h"

#include <inttypes.h>
#include <string.h>

enum { MIN_DIGITS = 4, LABEL_GAP = 2 };

static void add_line_of(const struct page *brief, enum page_id id, const char *before,
			const char *after, struct text *out)
{
	const struct page_line *line = page_find_line(brief, id);
	if (!line)
		return;
	text_add(out, before);
	text_add(out, line->text);
	text_add(out, after);
}

void brief_headline(const struct page *brief, struct text *out)
{
	add_line_of(brief, PAGE_TITLE, "", "", out);
	add_line_of(brief, PAGE_CERTAINTY, " [", "]", out);
}

/* Two spaces separate the verdict: terminal.c in the tools puts it at the right edge. */
static void add_title(const struct page *brief, struct text *out)
{
	add_line_of(brief, PAGE_TITLE, "", "", out);
	add_line_of(brief, PAGE_ERROR, " (", ")", out);
	add_line_of(brief, PAGE_CERTAINTY, "  ", "", out);
	text_add(out, "\n");
}

/* Append "     5 | ", or the bar alone for line 0. */
static void add_gutter(uint32_t line, int width, struct text *out)
{
	if (line)
		text_addf(out, "  %*" PRIu32 " | ", width, line);
	else
		text_addf(out, "  %*s | ", width, "");
}

static void add_place(const struct page *brief, const struct brief_source *source, struct text *out)
{
	const struct page_line *at = page_find_line(brief, PAGE_AT);
	const struct page_line *submitted = page_find_line(brief, PAGE_SUBMITTED);
	if (!at)
		return;
	text_add(out, "  --> ");
	text_add(out, at->text);
	text_add(out, "\n");
	if (source && source->text) {
		add_gutter(source->line, MIN_DIGITS, out);
		text_add(out, source->text);
		text_add(out, "\n");
	}
	if (!submitted)
		return;
	add_gutter(0, MIN_DIGITS, out);
	text_add(out, submitted->text);
	text_add(out, "\n");
}

static size_t find_width(const struct page *brief)
{
	size_t width = 0;
	for (uint32_t i = 0; i < brief->n_lines; i++) {
		const char *label = page_label(brief->lines[i].id);
		size_t length = label ? strlen(label) : 0;
		width = length > width ? length : width;
	}
	return width + LABEL_GAP;
}

static void add_row(const struct page_line *line, size_t width, struct text *out)
{
	const char *label = page_label(line->id);
	if (!label)
		return;
	text_add(out, "  ");
	const char *start = out->at;
	text_add(out, line->is_first ? label : "");
	text_pad(out, start, width);
	text_add(out, line->text);
	text_add(out, "\n");
}

void brief_text(const struct page *brief, const struct brief_source *source, struct text *out)
{
	size_t width = find_width(brief);
	add_title(brief, out);
	add_place(brief, source, out);
	for (uint32_t i = 0; i < brief->n_lines; i++)
		add_row(&brief->lines[i], width, out);
}
