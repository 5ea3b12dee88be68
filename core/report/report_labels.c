/*
 * report_labels.c - labels for the parts of a verdict: classes, reasons, kinds of work, streams,
 * devices and threads.
 */
#include "report/report_labels.h"

#include <inttypes.h>

#include "base/failure_class.h"

const char *report_verdict_label(enum verdict_class class)
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
		[UNKNOWN_NO_FAILURE] = "no call seen by culprit reported a failure",
		[UNKNOWN_NOTHING_UNFINISHED] = "no unfinished work was seen that can raise it",
		[UNKNOWN_HARDWARE] = "the hardware failed, whatever it was working on",
		[UNKNOWN_RECORDS_LOST] = "the unfinished work is no longer in the journal",
		[UNKNOWN_BAD_BUNDLE] = "the bundle contradicts itself",
		[UNKNOWN_NO_MEMORY] = "the process had no memory to look for it",
	};

	return texts[reason];
}

const char *report_lead_text(enum suspect_lead lead)
{
	static const char *const texts[N_SUSPECT_LEADS] = {
		[LEAD_KIND] = "the others are not kernels",
		[LEAD_FAULT] = "the fault was in its code or at its memory, as far as is known",
		[LEAD_MARKERS] = "the others come after side markers that have not landed",
		[LEAD_TRAP] = "its code has a trap",
		[LEAD_COUNTERS] = "the driver's counters say the most about it",
		[LEAD_NOVEL] = "work like it had finished least often before",
		[LEAD_BEGIN] = "it started when the culprit must have started",
		[LEAD_ANOMALY] = "it is unlike the launches before",
	};

	return texts[lead];
}

const char *report_lead_label(enum suspect_lead lead)
{
	static const char *const words[N_SUSPECT_LEADS] = {
		[LEAD_KIND] = "kind",   [LEAD_TRAP] = "trap",       [LEAD_COUNTERS] = "words",
		[LEAD_NOVEL] = "novel", [LEAD_BEGIN] = "begin",     [LEAD_ANOMALY] = "unusual",
		[LEAD_FAULT] = "fault", [LEAD_MARKERS] = "markers",
	};

	return words[lead];
}

const char *report_work_label(uint8_t work)
{
	static const char *const words[] = {
		[WORK_KERNEL] = "launch", [WORK_GRAPH] = "graph_launch",
		[WORK_COPY] = "copy",     [WORK_MEMSET] = "memset",
		[WORK_MEMOP] = "memop",   [WORK_HOST_FUNC] = "host_func",
	};

	return work >= WORK_KERNEL && work <= WORK_HOST_FUNC ? words[work] : "work";
}

void report_add_string(const struct report *report, uint32_t id, struct text *out)
{
	size_t length = 0;
	const char *string = view_string(report->view, id, &length);
	text_add_foreign(out, string, length);
}

const char *report_work_noun(uint8_t work)
{
	static const char *const nouns[] = {
		[WORK_KERNEL] = "launch",
		[WORK_GRAPH] = "graph launch",
		[WORK_COPY] = "copy",
		[WORK_MEMSET] = "memset",
		[WORK_MEMOP] = "stream operation",
		[WORK_HOST_FUNC] = "host function",
	};
	return work >= WORK_KERNEL && work <= WORK_HOST_FUNC ? nouns[work] : "submission";
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
	size_t length = 0;
	if (!context) {
		text_add(out, "device ?");
		return;
	}
	text_addf(out, "device %" PRIu32, context->device);
	view_string(report->view, context->device_name, &length);
	if (length > 0) {
		text_add(out, " (");
		report_add_string(report, context->device_name, out);
		text_add(out, ")");
	}
}

void report_thread_label(const struct report *report, uint32_t tid, struct text *out)
{
	const struct thread_row *thread = view_thread(report->view, tid);
	text_addf(out, "thread %" PRIu32, tid);
	if (thread && thread->name != 0) {
		text_add(out, " \"");
		report_add_string(report, thread->name, out);
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

const char *report_row_noun(enum journal_file file)
{
	static const char *const nouns[N_JOURNAL_FILES] = {
#define JOURNAL_FILE(number, name, file, row, noun) [JOURNAL_##name] = (noun),
#include "base/journal_files.def"
#undef JOURNAL_FILE
	};
	return (size_t)file < N_JOURNAL_FILES && nouns[file] ? nouns[file] : "row";
}

const char *report_weak_condition(enum evidence_kind kind)
{
	switch (kind) {
	case EVIDENCE_COREDUMPS:
		return "GPU core dumps are on: the driver may hide an error while it writes one";
	case EVIDENCE_CHECKPOINT:
		return "the process was restored from a checkpoint, and what a driver keeps "
		       "through one is not known";
	case EVIDENCE_CHECKS:
		return "a check of --nan, --checksums or --inspect-mode async may have failed "
		       "instead";
	case EVIDENCE_ALL_CLEARED:
		return "the evidence cleared all work that culprit saw: other work may have failed";
	case EVIDENCE_FAULT_REFUSED:
		return "the driver's report of the fault contradicts the other evidence: not used";
	case EVIDENCE_UNSEEN_LAUNCH:
		return "the driver has launch calls that culprit does not know";
	default:
		return "the GPU is shared by MPS: another process's failure is reported here too";
	}
}
