/*
 * report_text.c - writes a page as lines of text. The page determines content and order.
 */
#include "report/report_page.h"

#include <string.h>

enum { LABEL_WIDTH = 16 };

static void add_label(const struct page_line *line, struct text *out)
{
	const char *label = page_label(line->id);
	if (line->id == PAGE_HEADLINE)
		return;
	text_add(out, "  ");
	if (!label)
		return;
	const char *start = out->at;
	text_add(out, line->is_first ? label : "");
	text_pad(out, start, LABEL_WIDTH);
}

const char *report_headline(const struct page *page)
{
	return page->lines[0].text;
}

void report_text(const struct page *page, struct text *out)
{
	for (uint32_t i = 0; i < page->n_lines; i++) {
		add_label(&page->lines[i], out);
		text_add(out, page->lines[i].text);
		text_add(out, "\n");
	}
}
