/*
 * report.c - the words of a report: labels of things, phrases of evidence. Arguments are in
 * report_arguments.c, stacks and names of code in report_code.c, the layout in report_text.c.
 */
#include "report.h"

#include <inttypes.h>
#include <string.h>

#include "failure_class.h"
#include "report_lines.h"

const char *report_verdict_word(enum verdict_class class)
{
	static const char *const words[] = {
		[VERDICT_UNKNOWN] = "unknown",
		[VERDICT_NARROWED] = "narrowed",
		[VERDICT_LIKELY] = "likely",
		[VERDICT_EXACT] = "exact",
	};

	return words[class];
}

const char *report_unknown_text(enum unknown_reason reason)
{
	static const char *const texts[] = {
		[UNKNOWN_NOT] = "",
		[UNKNOWN_NO_FAILURE] = "the GPU did not fail",
		[UNKNOWN_NOTHING_UNFINISHED] = "no unfinished work was seen that can raise it",
		[UNKNOWN_HARDWARE] = "the hardware failed, whatever it was working on",
		[UNKNOWN_RECORDS_LOST] = "the unfinished work is no longer in the journal",
		[UNKNOWN_BAD_BUNDLE] = "the bundle contradicts itself",
		[UNKNOWN_NO_MEMORY] = "the process had no memory to look for it",
	};

	return texts[reason];
}

/* What was not in use yet; after both only running one launch at a time tells more. */
static const char *advice_for_narrowed(const struct verdict *verdict)
{
	bool has_dump = verdict->coredump ||
			verdict->failure.flags & (FAILURE_COREDUMP_MISSING | FAILURE_COREDUMPS);

	if (!(verdict->suspects[0].record.flags & RECORD_MARKED_INLINE))
		return has_dump ? "rerun with CULPRIT_MARKERS=inline to narrow it down"
				: "rerun with CULPRIT_MARKERS=inline, or with CULPRIT_COREDUMP=on, "
				  "to narrow it down";
	return has_dump ? "rerun with CUDA_LAUNCH_BLOCKING=1 to narrow it down"
			: "rerun with CULPRIT_COREDUMP=on to narrow it down";
}

const char *report_advice(const struct verdict *verdict)
{
	if (verdict->class == VERDICT_NARROWED)
		return advice_for_narrowed(verdict);
	switch (verdict->unknown_reason) {
	case UNKNOWN_NOTHING_UNFINISHED:
		return "rerun with CULPRIT_MARKERS=inline; \"culprit doctor\" tells whether all "
		       "calls are seen";
	case UNKNOWN_HARDWARE:
		return "look for Xid messages in the kernel's log, and have the GPU checked";
	case UNKNOWN_RECORDS_LOST:
		return "rerun with CULPRIT_MARKERS=inline, or with a larger CULPRIT_RECORDS";
	case UNKNOWN_BAD_BUNDLE:
		return "rerun: this bundle was damaged after it was written";
	case UNKNOWN_NO_MEMORY:
		return "\"culprit report\" on the bundle, if there is one, tells more";
	case UNKNOWN_NOT:
	case UNKNOWN_NO_FAILURE:
		break;
	}
	return NULL;
}

const char *report_work_word(uint8_t work)
{
	static const char *const words[] = {
		[WORK_KERNEL] = "launch", [WORK_GRAPH] = "graph_launch",
		[WORK_COPY] = "copy",     [WORK_MEMSET] = "memset",
		[WORK_MEMOP] = "memop",   [WORK_HOST_FUNC] = "host_func",
	};

	return work >= WORK_KERNEL && work <= WORK_HOST_FUNC ? words[work] : "work";
}

const char *report_evidence_word(enum evidence_kind kind)
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
		[EVIDENCE_ONLY_SUSPECT] = "only_suspect",
		[EVIDENCE_OVERLAP] = "overlap",
		[EVIDENCE_COREDUMPS] = "coredumps",
		[EVIDENCE_UNSEEN_LAUNCH] = "unseen_launch",
		[EVIDENCE_RECORDS_LOST] = "records_lost",
		[EVIDENCE_MARKERS_SPARSE] = "markers_sparse",
		[EVIDENCE_MARKERS_LAG] = "markers_lag",
		[EVIDENCE_MARKERS_REFUSED] = "markers_refused",
		[EVIDENCE_UNPLACED] = "unplaced",
		[EVIDENCE_REFUSED] = "refused",
		[EVIDENCE_COREDUMP_GRID] = "coredump_grid",
		[EVIDENCE_COREDUMP_KERNEL] = "coredump_kernel",
		[EVIDENCE_COREDUMP_PASSED] = "coredump_passed",
		[EVIDENCE_COREDUMP_UNMATCHED] = "coredump_unmatched",
		[EVIDENCE_COREDUMP_OTHER] = "coredump_other",
		[EVIDENCE_COREDUMP_MISSING] = "coredump_missing",
	};

	return words[kind];
}

void report_count(struct text *out, uint64_t n, const char *noun)
{
	size_t length = strlen(noun);

	text_addf(out, "%" PRIu64 " %s", n, noun);
	if (n != 1)
		text_add(out, length > 0 && noun[length - 1] == 'h' ? "es" : "s");
}

static void add_string(const struct report *report, uint32_t id, struct text *out)
{
	size_t length;
	const char *string = view_string(report->view, id, &length);

	text_add_foreign(out, string, length);
}

void report_failure_name(const struct report *report, struct text *out)
{
	int32_t code = report->verdict->failure.code;
	const char *name = failure_name(code);

	if (name)
		text_add(out, name);
	else
		text_addf(out, "CUresult %" PRId32, code);
}

void report_stream_label(const struct report *report, uint32_t stream, struct text *out)
{
	const struct stream_row *row = view_stream(report->view, stream);

	if (!row)
		text_add(out, "no stream");
	else if (row->kind == STREAM_PER_THREAD)
		text_addf(out, "the per-thread stream of thread %" PRIu32, row->tid);
	else
		text_addf(out, "stream 0x%" PRIx64, row->handle);
}

void report_device_label(const struct report *report, uint32_t stream, struct text *out)
{
	const struct stream_row *row = view_stream(report->view, stream);
	const struct context_row *context = row ? view_context(report->view, row->context) : NULL;
	size_t length;

	if (!context) {
		text_add(out, "device ?");
		return;
	}
	text_addf(out, "device %" PRIu32, context->device);
	view_string(report->view, context->device_name, &length);
	if (length > 0) {
		text_add(out, " (");
		add_string(report, context->device_name, out);
		text_add(out, ")");
	}
}

void report_thread_label(const struct report *report, uint32_t tid, struct text *out)
{
	const struct thread_row *thread = view_thread(report->view, tid);

	text_addf(out, "thread %" PRIu32, tid);
	if (thread && thread->name != 0) {
		text_add(out, " \"");
		add_string(report, thread->name, out);
		text_add(out, "\"");
	}
}

uint64_t report_submissions_later(const struct report *report, const struct journal_record *record)
{
	uint64_t seen = report->verdict->failure.sequence;

	return seen > record->sequence ? seen - record->sequence : 0;
}

uint64_t report_ms_later(const struct report *report, const struct journal_record *record)
{
	uint64_t seen_ns = report->verdict->failure.time_ns;

	return seen_ns > record->time_ns ? (seen_ns - record->time_ns) / 1000000 : 0;
}

/* "stream 0x0 finished #69": by number if its record is there, else counted on its stream. */
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
	report_count(out, evidence->ordinal - (before < evidence->ordinal ? before : 0),
		     "submission");
}

static void add_ordered(const struct report *report, const struct evidence *evidence,
			const char *what, struct text *out)
{
	report_count(out, evidence->count, "submission");
	text_add(out, " of ");
	report_stream_label(report, evidence->stream, out);
	text_add(out, what);
}

/* What stream order proves is only as good as the markers that an exact verdict does without. */
static const char *behind_marker(const struct report *report)
{
	return report->verdict->class == VERDICT_EXACT ? " cannot have started"
						       : " behind a marker that has not come";
}

static void add_weakness(const struct report *report, const struct evidence *evidence,
			 struct text *out)
{
	text_add(out, "weaker: ");
	switch (evidence->kind) {
	case EVIDENCE_COREDUMPS:
		text_add(out, "GPU core dumps are on, and the driver may hide an error while it "
			      "writes one");
		break;
	case EVIDENCE_UNSEEN_LAUNCH:
		text_add(out, "the driver has launch calls that culprit does not know");
		break;
	case EVIDENCE_RECORDS_LOST:
		report_count(out, evidence->count, "unfinished submission");
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
	case EVIDENCE_REFUSED:
		text_add(out, "the error came from the call itself of ");
		report_count(out, evidence->count, "suspect");
		text_add(out, ", which may never have run");
		break;
	case EVIDENCE_UNPLACED:
		if (evidence->count > 0)
			report_count(out, evidence->count, "submission");
		else
			text_add(out, "work");
		text_add(out, " of unknown stream or order");
		break;
	default:
		text_add(out, "side markers may lag; without them ");
		report_count(out, evidence->count, "suspect");
		break;
	}
}

void report_evidence_text(const struct report *report, const struct evidence *evidence,
			  struct text *out)
{
	switch (evidence->kind) {
	case EVIDENCE_SYNC:
		add_string(report, evidence->call, out);
		text_add(out, " returned: ");
		add_finished(report, evidence, out);
		break;
	case EVIDENCE_PASSED_WAIT:
		text_add(out, "work behind a wait has run: ");
		add_finished(report, evidence, out);
		break;
	case EVIDENCE_MARKER:
		text_add(out, "marker: ");
		add_finished(report, evidence, out);
		break;
	case EVIDENCE_MARKER_INLINE:
		text_add(out, "marker in the stream itself: ");
		add_finished(report, evidence, out);
		break;
	case EVIDENCE_STREAM_ORDER:
		text_add(out, "stream order: ");
		add_ordered(report, evidence, behind_marker(report), out);
		break;
	case EVIDENCE_EVENT_ORDER:
		text_add(out, "event order: ");
		add_ordered(report, evidence, " not started, behind unfinished work", out);
		break;
	case EVIDENCE_LEGACY_ORDER:
		text_add(out, "legacy stream's barrier: ");
		add_ordered(report, evidence, " not started, behind unfinished work", out);
		break;
	case EVIDENCE_CLASS:
		text_add(out, "error class: ");
		report_count(out, evidence->count, "unfinished submission");
		text_add(out, " cannot have raised it");
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
		add_weakness(report, evidence, out);
		break;
	}
}
