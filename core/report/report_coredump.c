/*
 * report_coredump.c - evidence from a GPU core dump.
 */
#include "report/report_parts.h"

#include <inttypes.h>
#include <string.h>

/* The kernel that the driver ran for a copy or memset has no function in the journal. */
static void add_grid_match(const struct report *report, const struct evidence *evidence,
			   struct text *out)
{
	const struct verdict *verdict = report->verdict;
	uint8_t work = verdict->suspects[0].record.work;
	text_add(out, "core dump: ");
	if (work == WORK_COPY || work == WORK_MEMSET) {
		text_add(out, "the addresses that ");
		report_gpu_function(report, verdict->coredump->grids[0].kernel, out);
		text_add(out, " was given are those of ");
	} else {
		text_add(out, "function, parameters and grid match ");
	}
	if (evidence->sequence != 0)
		text_addf(out, "#%" PRIu64, evidence->sequence);
	else
		text_add_count(out, evidence->count, "submission");
}

/* Without a certain match: append the kernel, if there is only one, and how many can be it. */
static void add_kernel_match(const struct report *report, const struct evidence *evidence,
			     struct text *out)
{
	const struct gpu_fault *fault = report->verdict->coredump;
	bool is_one = fault && fault->n_grids + fault->n_locations == 1;
	text_add(out, "core dump: ");
	if (is_one)
		report_gpu_function(report,
				    fault->n_grids == 1 ? fault->grids[0].kernel
							: fault->locations[0].code.function,
				    out);
	else
		text_add(out, "more than one kernel");
	text_add(out, " faulted; ");
	text_add_count(out, evidence->count, "submission");
	text_add(out, " can be it");
}

void report_coredump_evidence(const struct report *report, const struct evidence *evidence,
			      struct text *out)
{
	switch (evidence->kind) {
	case EVIDENCE_COREDUMP_GRID:
		add_grid_match(report, evidence, out);
		break;
	case EVIDENCE_COREDUMP_KERNEL:
		add_kernel_match(report, evidence, out);
		break;
	case EVIDENCE_COREDUMP_PASSED:
		text_addf(out,
			  "core dump: the driver let work behind #%" PRIu64 " run all the same",
			  evidence->sequence);
		break;
	case EVIDENCE_COREDUMP_MISSING:
		text_add(out, "weaker: no GPU core dump was to be had; meta.json says why");
		break;
	case EVIDENCE_COREDUMP_UNMATCHED:
		text_add(out, "weaker: no submission fits what the core dump says");
		break;
	default:
		text_add(out, "weaker: the core dump is not of this failure");
		break;
	}
}
