/*
 * test_report_evidence.c - how a report states what the driver's own progress counters show.
 */
#include "report/report_evidence.h"

#include <string.h>

#include "support/check.h"
#include "support/verdict_case.h"

static void check(const struct report *report, struct evidence evidence, const char *words)
{
	char line[256];
	struct text text = text_in(line, sizeof(line));
	report_evidence_text(report, &evidence, &text);
	CHECK(strcmp(line, words) == 0);
}

/* Work that culprit did not see. */
static void check_unseen(const struct report *report)
{
	struct evidence evidence = {.kind = EVIDENCE_BYPASSED};
	check(report, evidence,
	      "weaker: the heap has addresses of driver functions: calls by them were not seen");
	evidence.call = 1u << 20; /* of a module without a name */
	check(report, evidence,
	      "weaker: a module calls the driver directly (RTLD_DEEPBIND?): its work was not seen");
	evidence.call = 0;
	evidence.kind = EVIDENCE_UNSEEN_WORK;
	evidence.count = FAILURE_UNSEEN_NEWEST;
	check(report, evidence,
	      "weaker: driver progress: culprit did not see the newest submission of a "
	      "stream");
	evidence.kind = EVIDENCE_ALL_CLEARED;
	check(report, evidence,
	      "weaker: the evidence cleared all work that culprit saw: other work may have failed");
}

/* The program counters are in several kernels. */
static void check_fault(const struct report *report)
{
	const struct evidence evidence = {.kind = EVIDENCE_FAULT_CODE, .count = 2};
	check(report, evidence,
	      "fault: the GPU stopped in several kernels: 2 other unfinished submissions cleared");
}

/* A kind without a text has its id instead. */
static void check_has_text(const struct report *report, enum evidence_kind kind)
{
	const char *word = report_evidence_label(kind);
	char line[256];
	struct text text = text_in(line, sizeof(line));
	struct evidence evidence = {.kind = kind, .count = 1};
	report_evidence_text(report, &evidence, &text);
	CHECK(word && *line);
	CHECK(strncmp(line, "weaker: ", 8) != 0 || strcmp(line + 8, word) != 0);
}

int main(void)
{
	struct verdict_case *c = case_begin();
	const struct report report = {.view = &c->view, .verdict = &c->verdict};
	struct evidence evidence = {.kind = EVIDENCE_DRIVER_STOPPED, .sequence = 70, .count = 14};
	evidence.stream = case_stream(c);
	builder_view(&c->builder, &c->view);
	check(&report, evidence,
	      "driver progress: stream 0x5000 had started #70 and nothing after it "
	      "(counter verified 14 times)");
	evidence.kind = EVIDENCE_DRIVER_STARTED;
	evidence.count = 0;
	check(&report, evidence, "driver progress: stream 0x5000 had started #70");
	evidence.kind = EVIDENCE_DRIVER_OVER;
	check(&report, evidence,
	      "driver progress: #70 of stream 0x5000 had finished, which does not clear it");
	evidence.kind = EVIDENCE_DRIVER_STOPPED;
	evidence.sequence = 0;
	check(&report, evidence, "driver progress: stream 0x5000 had started nothing more");
	evidence.kind = EVIDENCE_DRIVER_ORDER;
	evidence.count = 1;
	check(&report, evidence,
	      "driver progress: 1 submission of stream 0x5000 not started, after "
	      "unfinished work");
	evidence.kind = EVIDENCE_DRIVER_SILENT;
	check(&report, evidence,
	      "weaker: the driver's counters cleared the others and show no suspect at "
	      "work");
	evidence.kind = EVIDENCE_DRIVER_REFUSED;
	evidence.count = COUNTERS_AGAINST_ORDER;
	check(&report, evidence,
	      "weaker: the driver's counters contradict the order of a stream: not used");
	evidence.count = N_COUNTERS_TROUBLES;
	check(&report, evidence,
	      "weaker: the driver's counters contradict what is known: not used");
	evidence.kind = EVIDENCE_CHECKPOINT;
	check(&report, evidence,
	      "weaker: the process was restored from a checkpoint, and what a driver keeps through "
	      "one is not known");
	evidence.kind = EVIDENCE_SHARED;
	check(&report, evidence,
	      "weaker: the GPU is shared by MPS: another process's failure is reported here too");
	evidence.kind = EVIDENCE_CHECKS;
	check(&report, evidence,
	      "weaker: a check of --nan, --checksums or --inspect-mode async may have failed "
	      "instead");
	evidence.kind = EVIDENCE_CODE;
	evidence.count = 2;
	check(&report, evidence,
	      "cannot assert: the code of 2 unfinished launches has no call of __assertfail");
	evidence.kind = EVIDENCE_MEMORY;
	check(&report, evidence,
	      "allocated memory: 2 unfinished submissions touched nothing outside");
	check_unseen(&report);
	check_fault(&report);
	for (int kind = 0; kind < N_EVIDENCE_KINDS; kind++)
		check_has_text(&report, (enum evidence_kind)kind);
	case_end(c);
	return 0;
}
