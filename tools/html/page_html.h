/*
 * page_html.h - print reports as one HTML file. It loads nothing from elsewhere, works from disk
 * and without scripts, and suits screen readers, paper, and light and dark displays. It shows the
 * same report as the text; its lanes are those of the timeline.
 */
#ifndef CULPRIT_TOOLS_PAGE_HTML_H
#define CULPRIT_TOOLS_PAGE_HTML_H

#include <stdio.h>

#include "analysis/analysis.h"

struct html_page;

/*
 * Start a page. The `n_reports` to come share the space for the script's data. Return NULL if out
 * of memory; the caller releases the page with html_page_close().
 */
struct html_page *html_page_open(size_t n_reports);

/*
 * Add the report of one bundle. Equal reports have one article, that of the first failure, and
 * below it a line each. `told` is its saved text if that is to be shown instead of the analysis's
 * own, else NULL. `filter` redacts source lines; NULL: none. Return 0 or -ENOMEM.
 */
int html_page_add(struct html_page *page, const struct analysis *analysis,
		  const struct analysis_filter *filter, const char *told);

/*
 * Set the order of the reports on the page: `n` indexes from 0, in the order in which they were
 * added. Reports after the first `n_open` are folded. `head` is text to print above them all, ""
 * for none; it is copied. Return 0 or -ENOMEM.
 */
int html_page_arrange(struct html_page *page, const size_t *order, size_t n, size_t n_open,
		      const char *head);

/* Print the page; check `out` with ferror(). */
void html_page_print(struct html_page *page, FILE *out);
void html_page_close(struct html_page *page);

#endif
