/*
 * brief_text.h - a short report as lines of text.
 */
#ifndef CULPRIT_BRIEF_TEXT_H
#define CULPRIT_BRIEF_TEXT_H

#include "base/text.h"
#include "report/page.h"

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
