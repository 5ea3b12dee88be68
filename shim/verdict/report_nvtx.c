/*
 * report_nvtx.c - the lines about the NVTX ranges in which a suspect was submitted.
 */
#include <inttypes.h>

#include "nvtx_view.h"
#include "report_lines.h"

/* "[domain] text"; "?" for a range whose row is overwritten. */
static void add_range(const struct report *report, const struct record_nvtx *range,
		      struct text *out)
{
	size_t length;
	const char *domain;

	if (!range) {
		text_add(out, "?");
		return;
	}
	domain = view_string(report->view, range->domain, &length);
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

void add_nvtx(const struct report *report, const struct submission *submission, struct text *out)
{
	const char *label = "nvtx";
	struct nvtx_ranges ranges;

	if (!view_nvtx(report->view, submission->slot, &submission->record, &ranges))
		return;
	if (ranges.n_open[NVTX_OF_THREAD] > 0) {
		begin_line(out, label);
		add_ranges(report, submission, &ranges, NVTX_OF_THREAD, " > ", out);
		end_line(out);
		label = "";
	}
	if (ranges.n_open[NVTX_OF_PROCESS] > 0) {
		begin_line(out, label);
		text_add(out, "in the process: ");
		add_ranges(report, submission, &ranges, NVTX_OF_PROCESS, ", ", out);
		end_line(out);
	}
	if (ranges.n_unkept > 0) {
		begin_line(out, "");
		text_addf(out, "and %" PRIu32 " more\n", ranges.n_unkept);
	}
}
