/*
 * report_nvtx.c - lines about the NVTX ranges in which a suspect was submitted.
 */
#include "report/report_parts.h"

#include <inttypes.h>

#include "view/nvtx_view.h"

/* Append "[domain] text"; "?" for a range whose row was overwritten. */
static void add_range(const struct report *report, const struct record_nvtx *range,
		      struct text *out)
{
	if (!range) {
		text_add(out, "?");
		return;
	}
	size_t length = 0;
	const char *domain = view_string(report->view, range->domain, &length);
	if (length > 0) {
		text_add(out, "[");
		text_add_foreign(out, domain, length);
		text_add(out, "] ");
	}
	if (range->text_size > 0)
		text_add_foreign(out, range->text, range->text_size);
	else
		text_add(out, "(no text)");
	if (range->is_cut)
		text_add(out, "...");
}

static void add_ranges(const struct report *report, const struct submission *submission,
		       const struct nvtx_ranges *ranges, enum nvtx_scope scope,
		       const char *separator, struct text *out)
{
	struct record_nvtx range;
	for (uint32_t i = 0; i < ranges->n_open[scope]; i++) {
		bool is_here =
			view_nvtx_range(report->view, submission->slot, ranges, scope, i, &range);
		text_add(out, i > 0 ? separator : "");
		add_range(report, is_here ? &range : NULL, out);
	}
}

void report_add_nvtx(struct page *page, const struct submission *submission)
{
	const struct report *report = &page->report;
	bool is_labelled = false;
	struct nvtx_ranges ranges;
	if (!view_nvtx(report->view, submission->slot, &submission->record, &ranges))
		return;
	if (ranges.n_open[NVTX_OF_THREAD] > 0) {
		page_begin(page, PAGE_NVTX);
		add_ranges(report, submission, &ranges, NVTX_OF_THREAD, " > ", &page->text);
		page_end(page);
		is_labelled = true;
	}
	if (ranges.n_open[NVTX_OF_PROCESS] > 0) {
		(is_labelled ? page_below : page_begin)(page, PAGE_NVTX);
		text_add(&page->text, "in the process: ");
		add_ranges(report, submission, &ranges, NVTX_OF_PROCESS, ", ", &page->text);
		page_end(page);
	}
	if (ranges.n_unkept > 0)
		page_add_more(page, PAGE_NVTX, ranges.n_unkept);
}
