/*
 * page_html.c - print the frame of the page and an article for each report.
 */
#include "html/page_html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/group_label.h"
#include "brief/brief_page.h"
#include "html/html_parts.h"

/*
 * Limits: of submissions passed to the script, so that they fit in 2 MiB; of the processes that are
 * listed below an equal report; and of articles on processes of which there is nothing to report:
 * further ones count as equal.
 */
enum { MAX_WORKS = 65536, MAX_NAMES = 1000, MAX_WITHOUT = 64, HEADLINE_SIZE = 4096 };

/* A part of the list or of the body. */
struct range {
	size_t begin;
	size_t end;
};

/* Equal reports. The first failure has an article, and the others a line each below it. */
struct part {
	struct range list;
	struct range body;
	uint64_t failed_ns; /* of the article's failure; 0: not known */
	size_t n;
	size_t first;   /* index of its report in the rows */
	size_t last;    /* the same */
	size_t article; /* the same, of the article's report */
	bool is_printed;
};

/* One report. */
struct row {
	size_t part;
	size_t next; /* of the same part, if it is not the last one */
	char *name;  /* of its bundle */
};

struct html_page {
	size_t max_works; /* for each report */
	size_t n;
	size_t n_without; /* reports without a finding */
	struct row *rows;
	struct group_index index;
	struct part *parts; /* by group */
	char *title;        /* the first report's headline */
	size_t *order;      /* NULL: the order in which they were added */
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
		for (size_t index = 0; index < page->n; index++)
			free(page->rows[index].name);
		free(page->rows);
		group_index_free(&page->index);
		free(page->title);
		free(page->parts);
		free(page->order);
		free(page->head);
		free(page->list);
		free(page->body);
	}
	free(page);
}

/* The short report is open, and all else is folded. A saved text is only its lines. */
static void print_article(struct html_report *report)
{
	html_print(report->out, "<article id=\"r%u\">\n", report->number);
	html_brief(report);
	html_print(report->out, report->told ? "<details open=\"open\">" : "<details>");
	html_print(report->out, "<summary>All lines, timeline and tables</summary>\n");
	html_lines(report);
	html_timeline(report);
	html_sources(report);
	html_suspects(report);
	html_graph(report);
	html_memory(report);
	html_threads(report);
	html_print(report->out, "</details>\n</article>\n");
}

/* Write the headline for the list of reports and the page's title. */
static void write_headline(const struct html_report *report, struct text *out)
{
	if (report->told)
		text_add_foreign(out, report->told, strcspn(report->told, "\n"));
	else
		brief_headline(report->analysis->brief, out);
}

/* Add an article at the end of the list and of the body, and store where it is. */
static int add_article(struct html_page *page, struct html_report *report, struct part *part)
{
	char headline[HEADLINE_SIZE];
	struct text text = text_in(headline, sizeof(headline));
	int result = timeline_open(report->analysis->report.view, report->analysis->verdict,
				   &report->timeline);
	if (result)
		return result;
	part->list.begin = page->list_size;
	part->body.begin = page->body_size;
	write_headline(report, &text);
	if (!page->title)
		page->title = strdup(headline);
	html_print(page->list_out, "<li><a href=\"#r%u\">%s</a></li>\n", report->number, headline);
	html_sources_find(report);
	print_article(report);
	timeline_close(&report->timeline);
	if (fflush(page->list_out) || fflush(page->body_out))
		return -ENOMEM;
	part->list.end = page->list_size;
	part->body.end = page->body_size;
	return 0;
}

static int add_row(struct html_page *page, size_t part, const char *name)
{
	struct row *rows = reallocarray(page->rows, page->n + 1, sizeof(*rows));
	char *copy = strdup(name);
	if (rows)
		page->rows = rows;
	if (!rows || !copy) {
		free(copy);
		return -ENOMEM;
	}
	struct part *of = &page->parts[part];
	if (of->n++)
		rows[of->last].next = page->n;
	else
		of->first = page->n;
	of->last = page->n;
	rows[page->n++] = (struct row){.part = part, .name = copy};
	return 0;
}

/* Return the number of the part of equal reports, with a new one for the first, or SIZE_MAX. */
static size_t find_part(struct html_page *page, const struct group_label *label, bool *out_is_new)
{
	struct part *parts = reallocarray(page->parts, page->index.n + 1, sizeof(*parts));
	if (!parts)
		return SIZE_MAX;
	page->parts = parts;
	size_t number = group_index_find(&page->index, label->key, out_is_new);
	if (number != SIZE_MAX && *out_is_new)
		parts[number] = (struct part){.failed_ns = UINT64_MAX};
	return number;
}

int html_page_add(struct html_page *page, const struct analysis *analysis,
		  const struct analysis_filter *filter, const char *told)
{
	bool is_new = false;
	struct group_label label;
	group_label_make(analysis, &label);
	if (!*label.key && page->n_without++ >= MAX_WITHOUT)
		(void)snprintf(label.key, sizeof(label.key), "none");
	size_t number = find_part(page, &label, &is_new);
	struct html_report *report = number == SIZE_MAX ? NULL : calloc(1, sizeof(*report));
	if (!report)
		return -ENOMEM;
	struct part *part = &page->parts[number];
	*report = (struct html_report){.out = page->body_out,
				       .number = (unsigned)number + 1,
				       .analysis = analysis,
				       .filter = filter,
				       .told = told,
				       .max_works = page->max_works};
	int result = 0;
	if (is_new || (label.failed_ns && label.failed_ns < part->failed_ns)) {
		result = add_article(page, report, part);
		part->article = page->n;
		part->failed_ns = label.failed_ns;
	}
	free(report);
	return result ? result : add_row(page, number, label.name);
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

/* Return the part of the report at a place in reading order if no earlier place had it. */
static struct part *part_at(struct html_page *page, size_t place)
{
	size_t index = page->order ? page->order[place] : place;
	struct part *part = &page->parts[page->rows[index].part];
	if (part->is_printed)
		return NULL;
	part->is_printed = true;
	return part;
}

static void print_list(struct html_page *page, FILE *out)
{
	for (size_t place = 0; place < page->n; place++) {
		const struct part *part = part_at(page, place);
		if (part)
			fwrite(page->list + part->list.begin, 1, part->list.end - part->list.begin,
			       out);
	}
	for (size_t number = 0; number < page->index.n; number++)
		page->parts[number].is_printed = false;
}

/* List the processes whose reports equal the part's. */
static void print_others(const struct html_page *page, const struct part *part, FILE *out)
{
	size_t n = 0;
	if (part->n < 2)
		return;
	html_print(out, "<details><summary>The same in %zu more process%s</summary>\n<ul>\n",
		   part->n - 1, part->n == 2 ? "" : "es");
	for (size_t i = 0, index = part->first; i < part->n && n < MAX_NAMES; i++) {
		if (index != part->article) {
			html_print(out, "<li>%s</li>\n", page->rows[index].name);
			n++;
		}
		index = page->rows[index].next;
	}
	if (part->n - 1 > n)
		html_print(out, "<li>and %zu more</li>\n", part->n - 1 - n);
	fputs("</ul></details>\n", out);
}

static void print_body(struct html_page *page, FILE *out)
{
	bool is_folded = false;
	for (size_t place = 0; place < page->n; place++) {
		const struct part *part = part_at(page, place);
		if (part && page->order && place >= page->n_open && !is_folded) {
			fputs("<details><summary>Failures that followed</summary>\n", out);
			is_folded = true;
		}
		if (!part)
			continue;
		fwrite(page->body + part->body.begin, 1, part->body.end - part->body.begin, out);
		print_others(page, part, out);
	}
	if (is_folded)
		fputs("</details>\n", out);
}

void html_page_print(struct html_page *page, FILE *out)
{
	print_head(page, out);
	print_job(page, out);
	if (page->index.n > 1) {
		fputs("<nav aria-label=\"Reports\"><ol>\n", out);
		print_list(page, out);
		fputs("</ol></nav>\n", out);
	}
	print_body(page, out);
	html_print(out, "</main>\n<footer>culprit %s</footer>\n<script>", CULPRIT_VERSION);
	fwrite(page_script, 1, page_script_size, out);
	fputs("</script>\n</body></html>\n", out);
}
