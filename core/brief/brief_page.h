/*
 * brief_page.h - the short report, which answers four questions: what happened, where in the user's
 * code, how sure that is, and what to do next. Everything else is in the full page.
 */
#ifndef CULPRIT_BRIEF_PAGE_H
#define CULPRIT_BRIEF_PAGE_H

#include "report/page.h"

/*
 * Fill `out` from a full page. Its lines have the ids from PAGE_TITLE on, PAGE_FAULT, PAGE_NODES
 * and PAGE_HELP; the title comes first. The strings of places point into `full`, which must outlive
 * it. Any thread.
 */
void brief_page(const struct page *full, struct page *out);

/* Return the first line with this id, or NULL. */
const struct page_line *brief_find_line(const struct page *brief, enum page_id id);

#endif
