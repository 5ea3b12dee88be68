/*
 * page_html.h - reports as one page: a file that asks nobody for anything, works from disk and
 * without scripts, and is read by screen and paper, light and dark. A further view of the page of
 * a report; the lanes are those of the timeline.
 */
#ifndef CULPRIT_TOOLS_PAGE_HTML_H
#define CULPRIT_TOOLS_PAGE_HTML_H

#include <stdio.h>

#include "bundle/analysis.h"

struct html_page;

/* NULL: out of memory. `n_reports` share the room that a page has for its script's data. */
struct html_page *html_page_open(size_t n_reports);

/*
 * Adds the report of one bundle. `told` are its words where these are not the analysis's, NULL
 * otherwise; `filter` goes over lines of source, NULL: nothing is left out. 0 or -ENOMEM.
 */
int html_page_add(struct html_page *page, const struct analysis *analysis,
		  const struct analysis_filter *filter, const char *told);

/*
 * The order in which reports stand on the page: numbers from 0, as they were added, `n` of them.
 * Those behind the first `n_open` are folded. `head` is text above all of them, "" for none; it is
 * copied. 0 or -ENOMEM.
 */
int html_page_arrange(struct html_page *page, const size_t *order, size_t n, size_t n_open,
		      const char *head);

/* Trouble with `out` shows there. 0 or -errno. */
int html_page_print(struct html_page *page, FILE *out);
void html_page_close(struct html_page *page);

#endif
