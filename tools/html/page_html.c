/*
 * page_html.c - print the frame of the page and an article for each report.
 */
#include "html/page_html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "html/graph_html.h"
#include "html/html_print.h"
#include "html/lines_html.h"
#include "html/memory_html.h"
#include "html/page_assets.h"
#include "html/sources_html.h"
#include "html/suspects_html.h"
#include "html/threads_html.h"
#include "html/timeline_html.h"
#include "report/report_text.h"

/* Limit of submissions passed to the script, so that they fit in 2 MiB. */
enum { MAX_WORKS = 65536 };

/* Where a report ends in the list and in the body. It starts where the previous one ends. */
struct part {
	size_t list_end;
	size_t body_end;
};

struct html_page {
	size_t max_works; /* for each report */
	unsigned n;
	char *title; /* the first report's headline */
	struct part *parts;
	size_t *order; /* NULL: the order in which they were added */
	size_t n_open;
	char *head;
	char *list;
	size_t list_size;
	FILE *list_out;
	char *body;
	size_t body_size;
	FILE *body_out;
};

struct html_page *html_page_open(size_t n_reports)
{
	struct html_page *page = calloc(1, sizeof(*page));
	if (!page)
		return NULL;
	page->max_works = MAX_WORKS / (n_reports ? n_reports : 1);
	page->list_out = open_memstream(&page->list, &page->list_size);
	page->body_out = open_memstream(&page->body, &page->body_size);
	if (page->list_out && page->body_out)
		return page;
	html_page_close(page);
	return NULL;
}

void html_page_close(struct html_page *page)
{
	if (page && page->list_out)
		fclose(page->list_out);
	if (page && page->body_out)
		fclose(page->body_out);
	if (page) {
		free(page->title);
		free(page->parts);
		free(page->order);
		free(page->head);
		free(page->list);
		free(page->body);
	}
	free(page);
}

static void print_article(const struct html_report *report)
{
	html_print(report->out, "<article id=\"r%u\">\n", report->number);
	html_headline(report);
	html_lines(report);
	html_timeline(report);
	html_sources(report);
	html_suspects(report);
	html_graph(report);
	html_memory(report);
	html_threads(report);
	html_print(report->out, "</article>\n");
}

/* Note where the report that was added last ends. Return 0 or -ENOMEM. */
static int end_part(struct html_page *page)
{
	if (fflush(page->list_out) || fflush(page->body_out))
		return -ENOMEM;
	page->parts[page->n - 1] = (struct part){page->list_size, page->body_size};
	return 0;
}

int html_page_add(struct html_page *page, const struct analysis *analysis,
		  const struct analysis_filter *filter, const char *told)
{
	struct html_report *report = calloc(1, sizeof(*report));
	const char *headline = told ? told : report_headline(analysis->page);
	size_t length = strcspn(headline, "\n");
	struct part *parts = reallocarray(page->parts, page->n + (size_t)1, sizeof(*parts));
	int result = report && parts ? timeline_open(analysis->report.view, analysis->verdict,
						     &report->timeline)
				     : -ENOMEM;
	if (parts)
		page->parts = parts;
	if (result) {
		free(report);
		return result;
	}
	report->out = page->body_out;
	report->number = ++page->n;
	report->analysis = analysis;
	report->filter = filter;
	report->told = told;
	report->max_works = page->max_works;
	if (!page->title)
		page->title = strndup(headline, length);
	html_print(page->list_out, "<li><a href=\"#r%u\">", report->number);
	html_add_foreign(page->list_out, headline, length);
	html_print(page->list_out, "</a></li>\n");
	html_sources_find(report);
	print_article(report);
	timeline_close(&report->timeline);
	free(report);
	return end_part(page);
}

int html_page_arrange(struct html_page *page, const size_t *order, size_t n, size_t n_open,
		      const char *head)
{
	size_t *copy = n == page->n ? calloc(n + 1, sizeof(*copy)) : NULL;
	char *text = strdup(head);
	if (!copy || !text) {
		free(copy);
		free(text);
		return -ENOMEM;
	}
	memcpy(copy, order, n * sizeof(*copy));
	free(page->order);
	free(page->head);
	page->order = copy;
	page->n_open = n_open;
	page->head = text;
	return 0;
}

static void print_head(const struct html_page *page, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src '" PAGE_STYLE_HASH "'; script-src '" PAGE_SCRIPT_HASH "'; "
	      "base-uri 'none'; form-action 'none'\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
	      "<meta name=\"referrer\" content=\"no-referrer\"/>\n",
	      out);
	html_print(out, "<title>%s</title>\n<style>", page->title ? page->title : "culprit");
	fwrite(page_style, 1, page_style_size, out);
	fputs("</style>\n</head>\n<body>\n<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>"
	      "<marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
	      "markerHeight=\"7\" orient=\"auto\"><path class=\"arrow\" d=\"M0 0 L8 4 L0 8 z\">"
	      "</path></marker></defs></svg>\n<main>\n",
	      out);
}

/* Print the summary of the job's ranks, as in the text report. */
static void print_job(const struct html_page *page, FILE *out)
{
	if (!page->head || !*page->head)
		return;
	fputs("<section aria-label=\"Job\"><h2>The job</h2><pre>", out);
	for (const char *line = page->head; *line; line += strcspn(line, "\n") + 1) {
		size_t length = strcspn(line, "\n");
		html_add_foreign(out, line, length);
		fputc('\n', out);
		if (!line[length])
			break;
	}
	fputs("</pre></section>\n", out);
}

static void print_list(const struct html_page *page, FILE *out)
{
	for (unsigned place = 0; place < page->n; place++) {
		size_t index = page->order ? page->order[place] : place;
		size_t begin = index ? page->parts[index - 1].list_end : 0;
		fwrite(page->list + begin, 1, page->parts[index].list_end - begin, out);
	}
}

static void print_body(const struct html_page *page, FILE *out)
{
	for (unsigned place = 0; place < page->n; place++) {
		size_t index = page->order ? page->order[place] : place;
		size_t begin = index ? page->parts[index - 1].body_end : 0;
		if (page->order && place == page->n_open)
			fputs("<details><summary>Failures that followed</summary>\n", out);
		fwrite(page->body + begin, 1, page->parts[index].body_end - begin, out);
	}
	if (page->order && page->n_open < page->n)
		fputs("</details>\n", out);
}

void html_page_print(struct html_page *page, FILE *out)
{
	print_head(page, out);
	print_job(page, out);
	if (page->n > 1) {
		fputs("<nav aria-label=\"Reports\"><ol>\n", out);
		print_list(page, out);
		fputs("</ol></nav>\n", out);
	}
	print_body(page, out);
	html_print(out, "</main>\n<footer>culprit %s</footer>\n<script>", CULPRIT_VERSION);
	fwrite(page_script, 1, page_script_size, out);
	fputs("</script>\n</body></html>\n", out);
}
