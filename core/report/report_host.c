/*
 * report_host.c - the calls that threads were in are in the table of waits.
 */
#include "report/report_parts.h"

#include <inttypes.h>

#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_stack.h"
#include "view/record_walk.h"

enum { MAX_FRAMES = 8 };

static const struct wait_row *find_longest(const struct bundle_view *view)
{
	const struct wait_row *longest = NULL;
	uint64_t n_rows = view->tables[JOURNAL_WAITS].n_rows;
	for (uint32_t id = 1; id <= n_rows && id != 0; id++) {
		const struct wait_row *row = view_wait(view, id);
		if (row && row->since_ns && row->stack &&
		    (!longest || row->since_ns < longest->since_ns))
			longest = row;
	}
	return longest;
}

static bool find_newest(const struct bundle_view *view, struct journal_record *out)
{
	*out = (struct journal_record){.sequence = 0};
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk))
		if (walk.record.kind == RECORD_SUBMISSION && walk.record.sequence > out->sequence)
			*out = walk.record;
	return out->sequence;
}

bool report_find_host(const struct bundle_view *view, struct host_position *out)
{
	const struct wait_row *wait = find_longest(view);
	*out = (struct host_position){.stack = 0};
	if (wait) {
		out->stack = wait->stack;
		out->call = wait->call;
		out->stream = wait->stream;
		return true;
	}
	if (!find_newest(view, &out->newest))
		return false;
	out->stack = out->newest.stack;
	out->sequence = out->newest.sequence;
	return true;
}

void report_add_host_deed(const struct report *report, const struct host_position *host,
			  struct text *out)
{
	if (host->call) {
		text_add(out, "was in ");
		report_add_string(report, host->call, out);
		if (!host->stream)
			return;
		text_add(out, " on ");
		report_stream_label(report, host->stream, out);
		return;
	}
	text_addf(out, "had last submitted #%" PRIu64 ", ", host->sequence);
	report_work_name(report, &host->newest, true, out);
}

void report_add_host(struct page *page)
{
	struct host_position host;
	if (!report_find_host(page->report.view, &host))
		return;
	/* If a suspect is named, the newest submission says no more. */
	if (!host.call && page->report.verdict->n_suspects)
		return;
	page_begin(page, PAGE_HOST_AT);
	page_set_subject(page, PAGE_OF_STACK, host.stack);
	report_add_host_deed(&page->report, &host, &page->text);
	text_add(&page->text, ", from ");
	report_add_stack(page, host.stack, MAX_FRAMES);
	page_end(page);
}
