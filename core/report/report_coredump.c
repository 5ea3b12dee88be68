/*
 * report_coredump.c - text about the contents of a GPU core dump: places on the device, evidence.
 */
#include "report/report_parts.h"

#include <inttypes.h>
#include <string.h>

#include "base/short_name.h"
#include "coredump/gpu_exceptions.h"

static void add_function(const struct report *report, const char *mangled, struct text *out)
{
	const struct symbol_source *symbols = report->symbols;
	const char *readable =
		symbols && symbols->demangle ? symbols->demangle(symbols->state, mangled) : NULL;
	if (*mangled == '\0')
		text_add(out, "an unknown function");
	else
		short_name_add_kernel(readable ? readable : mangled, out);
}

static void add_index(const char *what, const uint32_t index[3], struct text *out)
{
	text_addf(out, "%s (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", what, index[0], index[1],
		  index[2]);
}

void report_place(const struct report *report, const struct gpu_place *place, struct text *out)
{
	const struct gpu_code *code = &place->code;
	const char *slash = strrchr(code->line.file, '/');
	const char *file = slash ? slash + 1 : code->line.file;
	if (*file != '\0') {
		text_add_foreign(out, file, strlen(file));
		text_addf(out, ":%" PRIu32, code->line.line);
	}
	if (*file == '\0' || !code->is_kernel) {
		text_add(out, *file == '\0' ? "" : " ");
		add_function(report, code->function, out);
	}
	if (place->has_thread) {
		add_index(", block", place->block, out);
		add_index(" thread", place->thread, out);
	}
	text_addf(out, ": %s", gpu_exception_text(place->exception));
}

/* The kernel that the driver ran for a copy or memset has no function in the journal. */
static void add_grid_match(const struct report *report, const struct evidence *evidence,
			   struct text *out)
{
	const struct verdict *verdict = report->verdict;
	uint8_t work = verdict->suspects[0].record.work;
	text_add(out, "core dump: ");
	if (work == WORK_COPY || work == WORK_MEMSET) {
		text_add(out, "the addresses that ");
		add_function(report, verdict->coredump->grids[0].kernel, out);
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
	bool is_one = fault && fault->n_grids + fault->n_places == 1;
	text_add(out, "core dump: ");
	if (is_one)
		add_function(report,
			     fault->n_grids == 1 ? fault->grids[0].kernel
						 : fault->places[0].code.function,
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
