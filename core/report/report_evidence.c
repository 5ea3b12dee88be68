/*
 * report_evidence.c - evidence as text. report_coredump.c has the phrases about core dumps.
 */
#include "report/report_evidence.h"

#include <inttypes.h>

#include "progress/driver_counters.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_parts.h"

const char *report_evidence_label(enum evidence_kind kind)
{
	static const char *const words[N_EVIDENCE_KINDS] = {
		[EVIDENCE_SYNC] = "sync",
		[EVIDENCE_PASSED_WAIT] = "passed_wait",
		[EVIDENCE_MARKER] = "marker",
		[EVIDENCE_MARKER_INLINE] = "marker_inline",
		[EVIDENCE_STREAM_ORDER] = "stream_order",
		[EVIDENCE_EVENT_ORDER] = "event_order",
		[EVIDENCE_LEGACY_ORDER] = "legacy_order",
		[EVIDENCE_CLASS] = "class",
		[EVIDENCE_CODE] = "code",
		[EVIDENCE_MEMORY] = "memory",
		[EVIDENCE_ONLY_SUSPECT] = "only_suspect",
		[EVIDENCE_OVERLAP] = "overlap",
		[EVIDENCE_COREDUMPS] = "coredumps",
		[EVIDENCE_UNSEEN_LAUNCH] = "unseen_launch",
		[EVIDENCE_RECORDS_LOST] = "records_lost",
		[EVIDENCE_MARKERS_SPARSE] = "markers_sparse",
		[EVIDENCE_MARKERS_LAG] = "markers_lag",
		[EVIDENCE_MARKERS_REFUSED] = "markers_refused",
		[EVIDENCE_UNPLACED] = "unplaced",
		[EVIDENCE_REJECTED] = "refused",
		[EVIDENCE_COREDUMP_GRID] = "coredump_grid",
		[EVIDENCE_COREDUMP_KERNEL] = "coredump_kernel",
		[EVIDENCE_COREDUMP_PASSED] = "coredump_passed",
		[EVIDENCE_COREDUMP_UNMATCHED] = "coredump_unmatched",
		[EVIDENCE_COREDUMP_OTHER] = "coredump_other",
		[EVIDENCE_COREDUMP_MISSING] = "coredump_missing",
		[EVIDENCE_DRIVER_STARTED] = "driver_begun",
		[EVIDENCE_DRIVER_STOPPED] = "driver_stopped",
		[EVIDENCE_DRIVER_OVER] = "driver_ended",
		[EVIDENCE_DRIVER_ORDER] = "driver_order",
		[EVIDENCE_DRIVER_SILENT] = "driver_silent",
		[EVIDENCE_DRIVER_REFUSED] = "driver_refused",
		[EVIDENCE_CHECKPOINT] = "checkpoint",
		[EVIDENCE_SHARED] = "shared_gpu",
		[EVIDENCE_CHECKS] = "checks",
		[EVIDENCE_BYPASSED] = "bypassed",
		[EVIDENCE_UNSEEN_WORK] = "unseen_work",
		[EVIDENCE_ALL_CLEARED] = "all_cleared",
		[EVIDENCE_FAULT_CODE] = "fault_code",
		[EVIDENCE_FAULT_NEAREST] = "fault_nearest",
		[EVIDENCE_FAULT_PAGE] = "fault_page",
		[EVIDENCE_FAULT_TIME] = "fault_time",
		[EVIDENCE_FAULT_ADDRESS] = "fault_address",
		[EVIDENCE_FAULT_LATE] = "fault_late",
		[EVIDENCE_FAULT_REFUSED] = "fault_refused",
	};
	return words[kind];
}

/* Append "stream 0x0 finished #69", by number if its record is there, else by stream ordinal. */
static void add_finished(const struct report *report, const struct evidence *evidence,
			 struct text *out)
{
	const struct stream_row *row = view_stream(report->view, evidence->stream);
	uint64_t before = row ? view_live(&row->before) : 0;
	report_stream_label(report, evidence->stream, out);
	if (evidence->sequence != 0) {
		text_addf(out, " finished #%" PRIu64, evidence->sequence);
		return;
	}
	text_add(out, " finished its first ");
	text_add_count(out, evidence->ordinal - (before < evidence->ordinal ? before : 0),
		       "submission");
}

static void add_ordered(const struct report *report, const struct evidence *evidence,
			const char *what, struct text *out)
{
	text_add_count(out, evidence->count, "submission");
	text_add(out, " of ");
	report_stream_label(report, evidence->stream, out);
	text_add(out, what);
}

/* Stream order proves no more than the markers do, except in an exact verdict, which needs none. */
static const char *behind_marker(const struct report *report)
{
	return report->verdict->class == VERDICT_EXACT ? " cannot have started"
						       : " after a marker that has not come";
}

/* Append the name of the file, without its folder. */
static void add_module(const struct report *report, uint32_t path, struct text *out)
{
	size_t length = 0;
	const char *string = view_string(report->view, path, &length);
	size_t at = length;
	while (at > 0 && string[at - 1] != '/')
		at--;
	if (at < length)
		text_add_foreign(out, string + at, length - at);
	else
		text_add(out, "a module");
}

static const char *unseen(uint64_t how)
{
	switch (how) {
	case FAILURE_UNSEEN_BETWEEN:
		return "a kernel between two launches of a stream";
	case FAILURE_UNSEEN_NEWEST:
		return "the newest submission of a stream";
	default:
		return "the kernels of a stream";
	}
}

static void add_bypassing(const struct report *report, uint32_t path, struct text *out)
{
	if (path) {
		add_module(report, path, out);
		text_add(out, " calls the driver directly (RTLD_DEEPBIND?): its work was not seen");
	} else {
		text_add(out, "the heap has addresses of driver functions: calls by them were not "
			      "seen");
	}
}

static void add_fault_doubt(const struct evidence *evidence, struct text *out)
{
	if (evidence->kind == EVIDENCE_FAULT_LATE) {
		text_add_count(out, evidence->count, "finished submission");
		text_add(out, " may have raised it: such a kernel can seem to succeed");
		return;
	}
	text_add(out, "only the fault's address, which follows from the suspect's arguments, "
		      "speaks against ");
	text_add_count(out, evidence->count, "other unfinished submission");
}

static void add_unplaced(const struct evidence *evidence, struct text *out)
{
	if (evidence->count > 0)
		text_add_count(out, evidence->count, "submission");
	else
		text_add(out, "work");
	text_add(out, " of unknown stream or order");
}

static void add_weakness(const struct report *report, const struct evidence *evidence,
			 struct text *out)
{
	text_add(out, "weaker: ");
	switch (evidence->kind) {
	case EVIDENCE_COREDUMPS:
	case EVIDENCE_CHECKPOINT:
	case EVIDENCE_CHECKS:
	case EVIDENCE_SHARED:
	case EVIDENCE_ALL_CLEARED:
	case EVIDENCE_FAULT_REFUSED:
	case EVIDENCE_UNSEEN_LAUNCH:
		text_add(out, report_weak_condition(evidence->kind));
		break;
	case EVIDENCE_BYPASSED:
		add_bypassing(report, evidence->call, out);
		break;
	case EVIDENCE_UNSEEN_WORK:
		text_addf(out, "driver progress: culprit did not see %s", unseen(evidence->count));
		break;
	case EVIDENCE_FAULT_ADDRESS:
	case EVIDENCE_FAULT_LATE:
		add_fault_doubt(evidence, out);
		break;
	case EVIDENCE_RECORDS_LOST:
		text_add_count(out, evidence->count, "unfinished submission");
		text_add(out, " not in the journal");
		break;
	case EVIDENCE_MARKERS_SPARSE:
		text_add(out, "no marker tells apart ");
		add_ordered(report, evidence, "", out);
		break;
	case EVIDENCE_MARKERS_REFUSED:
		text_add(out, "the driver refused markers on ");
		report_stream_label(report, evidence->stream, out);
		text_addf(out, " (CUresult %" PRIu64 ")", evidence->count);
		break;
	case EVIDENCE_REJECTED:
		text_add(out, "the error came from the call itself of ");
		text_add_count(out, evidence->count, "suspect");
		text_add(out, ", which may never have run");
		break;
	case EVIDENCE_UNPLACED:
		add_unplaced(evidence, out);
		break;
	case EVIDENCE_MARKERS_LAG:
		text_add(out, "only side markers, which may be late, hold back ");
		text_add_count(out, evidence->count, "suspect");
		break;
	default:
		text_add(out, report_evidence_label(evidence->kind));
	}
}

/* Append "stream 0x0 had started #70 and nothing after it (counter verified 14 times)". */
static void add_started(const struct report *report, const struct evidence *evidence,
			struct text *out)
{
	bool is_stopped = evidence->kind == EVIDENCE_DRIVER_STOPPED;
	report_stream_label(report, evidence->stream, out);
	if (evidence->sequence != 0)
		text_addf(out, " had started #%" PRIu64 "%s", evidence->sequence,
			  is_stopped ? " and nothing after it" : "");
	else
		text_add(out, is_stopped ? " had started nothing more"
					 : " had not started all that was submitted");
	if (evidence->count > 0) {
		text_add(out, " (counter verified ");
		text_add_count(out, evidence->count, "time");
		text_add(out, ")");
	}
}

static const char *contradicted(uint64_t trouble)
{
	static const char *const words[N_COUNTERS_TROUBLES] = {
		[COUNTERS_NO_TROUBLE] = "what is known",
		[COUNTERS_NOT_TRUSTED] = "what was seen while the process ran",
		[COUNTERS_AGAINST_DONE] = "work that is known to be finished",
		[COUNTERS_AGAINST_ORDER] = "the order of a stream",
		[COUNTERS_AGAINST_COUNTERS] = "itself",
		[COUNTERS_AGAINST_WAIT] = "a wait that was not over",
		[COUNTERS_AGAINST_FAILURE] = "the failure: it leaves nobody",
	};
	return words[trouble < N_COUNTERS_TROUBLES ? trouble : COUNTERS_NO_TROUBLE];
}

/* Return false and append nothing unless the kind is an EVIDENCE_DRIVER_... one. */
static bool add_driver_evidence(const struct report *report, const struct evidence *evidence,
				struct text *out)
{
	switch (evidence->kind) {
	case EVIDENCE_DRIVER_STARTED:
	case EVIDENCE_DRIVER_STOPPED:
		text_add(out, "driver progress: ");
		add_started(report, evidence, out);
		break;
	case EVIDENCE_DRIVER_OVER:
		text_addf(out, "driver progress: #%" PRIu64 " of ", evidence->sequence);
		report_stream_label(report, evidence->stream, out);
		text_add(out, " had finished, which does not clear it");
		break;
	case EVIDENCE_DRIVER_ORDER:
		text_add(out, "driver progress: ");
		text_add_count(out, evidence->count, "submission");
		text_add(out, " of ");
		report_stream_label(report, evidence->stream, out);
		text_add(out, " not started, after unfinished work");
		break;
	case EVIDENCE_DRIVER_SILENT:
		text_add(out,
			 "weaker: the driver's counters cleared the others and show no suspect "
			 "at work");
		break;
	case EVIDENCE_DRIVER_REFUSED:
		text_addf(out, "weaker: the driver's counters contradict %s: not used",
			  contradicted(evidence->count));
		break;
	default:
		return false;
	}
	return true;
}

/* Append why so many submissions cannot have raised the code. */
static void add_unable(const struct evidence *evidence, struct text *out)
{
	if (evidence->kind == EVIDENCE_CODE) {
		text_add(out, "cannot assert: the code of ");
		text_add_count(out, evidence->count, "unfinished launch");
		text_add(out, " has no call of __assertfail");
	} else if (evidence->kind == EVIDENCE_MEMORY) {
		text_add(out, "allocated memory: ");
		text_add_count(out, evidence->count, "unfinished submission");
		text_add(out, " touched nothing outside");
	} else {
		text_add(out, "error class: ");
		text_add_count(out, evidence->count, "unfinished submission");
		text_add(out, " cannot have raised it");
	}
}

/* Append "fault: the GPU stopped in gather + 0x30: ...". Return false for other kinds. */
static bool add_fault(const struct report *report, const struct evidence *evidence,
		      struct text *out)
{
	if (evidence->kind == EVIDENCE_FAULT_PAGE || evidence->kind == EVIDENCE_FAULT_TIME) {
		bool is_page = evidence->kind == EVIDENCE_FAULT_PAGE;
		text_add(out,
			 is_page ? "fault: not in the memory of " : "fault: before the start of ");
		text_add_count(out, evidence->count, "unfinished submission");
		return true;
	}
	if (evidence->kind != EVIDENCE_FAULT_CODE && evidence->kind != EVIDENCE_FAULT_NEAREST)
		return false;
	text_add(out, "fault: the GPU stopped in ");
	if (evidence->call) {
		report_function_name(report, evidence->call, out);
		text_addf(out, " + 0x%" PRIx64, evidence->ordinal);
	} else {
		text_add(out, "several kernels");
	}
	if (evidence->kind == EVIDENCE_FAULT_NEAREST) {
		text_add(out, ", or in code after it");
		return true;
	}
	text_add(out, ": ");
	text_add_count(out, evidence->count, "other unfinished submission");
	text_add(out, " cleared");
	return true;
}

void report_evidence_text(const struct report *report, const struct evidence *evidence,
			  struct text *out)
{
	switch (evidence->kind) {
	case EVIDENCE_SYNC:
		report_add_string(report, evidence->call, out);
		text_add(out, " returned: ");
		add_finished(report, evidence, out);
		break;
	case EVIDENCE_PASSED_WAIT:
		text_add(out, "work after a wait has run: ");
		add_finished(report, evidence, out);
		break;
	case EVIDENCE_MARKER:
	case EVIDENCE_MARKER_INLINE:
		text_add(out, evidence->kind == EVIDENCE_MARKER ? "marker: "
								: "marker in the stream itself: ");
		add_finished(report, evidence, out);
		break;
	case EVIDENCE_STREAM_ORDER:
		text_add(out, "stream order: ");
		add_ordered(report, evidence, behind_marker(report), out);
		break;
	case EVIDENCE_EVENT_ORDER:
	case EVIDENCE_LEGACY_ORDER:
		text_add(out, evidence->kind == EVIDENCE_EVENT_ORDER ? "event order: "
								     : "legacy stream's barrier: ");
		add_ordered(report, evidence, " not started, after unfinished work", out);
		break;
	case EVIDENCE_CLASS:
	case EVIDENCE_CODE:
	case EVIDENCE_MEMORY:
		add_unable(evidence, out);
		break;
	case EVIDENCE_ONLY_SUSPECT:
		text_add(out, "nothing else was unfinished in the process");
		break;
	case EVIDENCE_OVERLAP:
		text_add(out, "programmatic launches: ");
		add_ordered(report, evidence, " may have started early", out);
		break;
	case EVIDENCE_COREDUMP_GRID:
	case EVIDENCE_COREDUMP_KERNEL:
	case EVIDENCE_COREDUMP_PASSED:
	case EVIDENCE_COREDUMP_UNMATCHED:
	case EVIDENCE_COREDUMP_OTHER:
	case EVIDENCE_COREDUMP_MISSING:
		report_coredump_evidence(report, evidence, out);
		break;
	default:
		if (!add_driver_evidence(report, evidence, out) &&
		    !add_fault(report, evidence, out))
			add_weakness(report, evidence, out);
		break;
	}
}
