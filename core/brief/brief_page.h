/*
 * brief_page.h - the short report, which answers four questions: what happened, where in the user's
 * code, how sure that is, and what to do next. Everything else is in the full page.
 */
#ifndef CULPRIT_BRIEF_PAGE_H
#define CULPRIT_BRIEF_PAGE_H

#include "base/text.h"
#include "report/page.h"

/*
 * Fill `out` from a full page. Its lines have the ids from PAGE_TITLE on, PAGE_FAULT, PAGE_NODES
 * and PAGE_HELP; the title comes first. The strings of places point into `full`, which must outlive
 * it. Any thread.
 */
void brief_page(const struct page *full, struct page *out);

/* brief_text.c: a short report as lines of text. */

/* A line of source, for the user's line. `text` is NULL if it is not known. */
struct brief_source {
	const char *text; /* printable */
	uint32_t line;
};

/*
 * Append "error[700]: illegal memory access: gather read freed memory  [exact]": one line without
 * the process, so that it is the same in every run. No newline. Any thread.
 */
void brief_headline(const struct page *brief, struct text *out);

/* Append all lines of a page made by brief_page(), each with a newline. Any thread. */
void brief_text(const struct page *brief, const struct brief_source *source, struct text *out);

#endif
