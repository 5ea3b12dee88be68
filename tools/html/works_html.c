/*
 * works_html.c - print the data of the page's script in a hidden element. "works" has six numbers
 * for each submission: its number and its time in microseconds (both as differences from the
 * previous one), lane, name, state, suspect. "edges" has four: two submissions and their lanes. Two
 * lists have the names and states. All of it is the page's text, escaped like any other.
 */
#include "html/html_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/report_names.h"

enum { MAX_NAMES = 1024, MAX_EDGES = 4096, NS_PER_MICROSECOND = 1000 };

/* Submissions with an equal key have the same name. */
struct name_key {
	uint8_t work;
	uint32_t call;
	uint64_t thing; /* kernel ID or graph handle */
};

struct names {
	struct name_key *keys;
	struct journal_record *records; /* the first submission with each key */
	uint32_t n;
};

static struct name_key key_of(const struct journal_record *record)
{
	struct name_key key = {.work = record->work, .call = record->call};
	if (record->work == WORK_KERNEL)
		key = (struct name_key){.work = record->work, .thing = record->launch.function};
	if (record->work == WORK_GRAPH)
		key = (struct name_key){.work = record->work, .thing = record->graph.handle};
	return key;
}

/* Search from the end: a loop repeats the few names that were found last. */
static uint32_t find_name(const struct names *names, struct name_key key)
{
	for (uint32_t i = names->n; i > 0; i--)
		if (names->keys[i - 1].work == key.work && names->keys[i - 1].call == key.call &&
		    names->keys[i - 1].thing == key.thing)
			return i - 1;
	return names->n;
}

static void print_name(const struct html_report *report, const struct journal_record *record)
{
	char name[HTML_SHORT_SIZE];
	struct text text = text_in(name, sizeof(name));
	if (record->work == WORK_GRAPH)
		text_addf(&text, "graph 0x%" PRIx64, record->graph.handle);
	else
		report_work_name(&report->analysis->report, record, true, &text);
	html_print(report->out, "<li>%s</li>\n", name);
}

/* Return the index of the submission's name, added if new; the last index if the table is full. */
static uint32_t add_name(struct names *names, const struct journal_record *record)
{
	struct name_key key = key_of(record);
	uint32_t found = find_name(names, key);
	if (found < names->n)
		return found;
	if (names->n == MAX_NAMES)
		return MAX_NAMES - 1;
	names->keys[names->n] = key;
	names->records[names->n++] = *record;
	return found;
}

static void print_work(const struct html_report *report, struct names *names, size_t index,
		       size_t first)
{
	const struct timeline_work *work = &report->timeline.works[index];
	static const struct timeline_work nothing;
	const struct timeline_work *before = index > first ? work - 1 : &nothing;
	struct journal_record record = {.sequence = work->sequence};
	(void)timeline_record(&report->timeline, work, &record);
	fprintf(report->out, "%" PRIu64 ",%" PRId64 ",%" PRIu32 ",%" PRIu32 ",%u,%u,\n",
		work->sequence - before->sequence,
		(int64_t)(work->time_ns / NS_PER_MICROSECOND) -
			(int64_t)(before->time_ns / NS_PER_MICROSECOND),
		work->lane, add_name(names, &record), work->state, work->suspect);
}

static void print_works(const struct html_report *report, struct names *names, size_t first)
{
	html_print(report->out, "<pre class=\"works\">");
	for (size_t i = first; i < report->timeline.n_works; i++)
		print_work(report, names, i, first);
	html_print(report->out, "</pre>\n<ol class=\"names\">\n");
	for (uint32_t i = 0; i < names->n; i++)
		print_name(report, &names->records[i]);
	html_print(report->out, "</ol>\n<ol class=\"states\">\n");
	for (int state = 0; state < N_TIMELINE_STATES; state++)
		html_print(report->out, "<li class=\"%s\">%s</li>\n",
			   html_state_class((enum timeline_state)state),
			   timeline_state_text((enum timeline_state)state));
	html_print(report->out, "</ol>\n");
}

static void print_edges(const struct html_report *report)
{
	const struct timeline *timeline = &report->timeline;
	size_t first = timeline->n_edges > MAX_EDGES ? timeline->n_edges - MAX_EDGES : 0;
	html_print(report->out, "<pre class=\"edges\">");
	for (size_t i = first; i < timeline->n_edges; i++)
		fprintf(report->out, "%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",\n",
			timeline->edges[i].from, timeline->edges[i].to,
			timeline->edges[i].from_lane, timeline->edges[i].to_lane);
	html_print(report->out, "</pre>\n");
}

void html_works(const struct html_report *report, const struct lanes_window *shown)
{
	size_t n = report->timeline.n_works;
	size_t first = n > report->max_works ? n - report->max_works : 0;
	struct names names = {.keys = calloc(MAX_NAMES, sizeof(names.keys[0])),
			      .records = calloc(MAX_NAMES, sizeof(names.records[0]))};
	if (names.keys && names.records) {
		html_print(
			report->out,
			"<div hidden=\"hidden\" class=\"data\" data-report=\"%u\" "
			"data-first=\"%zu\" "
			"data-from=\"%zu\" data-to=\"%zu\" data-failed=\"%ju\" data-word=\"%s\">\n",
			report->number, first, shown->first, shown->last,
			(uintmax_t)(report->analysis->verdict->failure.time_ns /
				    NS_PER_MICROSECOND),
			html_suspect_label(report));
		print_works(report, &names, first);
		print_edges(report);
		html_print(report->out, "</div>\n");
	}
	free(names.keys);
	free(names.records);
}
