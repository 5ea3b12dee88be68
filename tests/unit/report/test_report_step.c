/*
 * test_report_step.c - which command a report ends with, for each rule.
 */
#include "report/report_parts.h"

#include "report/report_page.h"
#include "support/check.h"
#include "support/sample_bundle.h"

static struct verdict verdict;
static struct step_facts facts;

static void begin(enum verdict_class class)
{
	verdict = (struct verdict){.class = class, .n_suspects = 1, .failure.code = 700};
	facts = (struct step_facts){.verdict = &verdict, .more_records = 262144};
}

static void chooses(const char *rule)
{
	CHECK_STRING(report_step_rule(&facts), rule);
}

static void test_unknown(void)
{
	static const struct {
		enum unknown_reason reason;
		const char *rule;
	} cases[] = {
		{UNKNOWN_HARDWARE, "hardware"},         {UNKNOWN_BAD_BUNDLE, "damaged"},
		{UNKNOWN_NO_MEMORY, "no_memory"},       {UNKNOWN_RECORDS_LOST, "records"},
		{UNKNOWN_NOTHING_UNFINISHED, "unseen"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin(VERDICT_UNKNOWN);
		verdict.unknown_reason = cases[i].reason;
		chooses(cases[i].rule);
	}
	begin(VERDICT_UNKNOWN);
	verdict.unknown_reason = UNKNOWN_RECORDS_LOST;
	facts.more_records = 0; /* the ring is as long as it can be */
	chooses("triage");
}

static void test_no_failure(void)
{
	begin(VERDICT_UNKNOWN);
	verdict.unknown_reason = UNKNOWN_NO_FAILURE;
	CHECK(!report_step_rule(&facts));
	facts.is_rejection = true;
	chooses("refused");
	facts.is_rejection = false;
	verdict.n_unfinished = 3;
	chooses("unfinished");
	facts.has_ended = true;
	chooses("unfinished");
	verdict.n_suspects = 0; /* what had started is not known */
	chooses("snapshot");
	facts.has_ended = false;
	chooses("unfinished");
	verdict.hang = (const struct hang_claim *)&verdict;
	chooses("hung");
}

static void test_wider_than_exact(void)
{
	begin(VERDICT_NARROWED);
	chooses("triage");
	facts.has_address = true; /* which of them it was is more important */
	facts.relation = MEMORY_FREED;
	chooses("triage");
	verdict.evidence[verdict.n_evidence++].kind = EVIDENCE_RECORDS_LOST;
	chooses("records");
	begin(VERDICT_LIKELY);
	chooses("triage");
	verdict.has_unseen = true;
	chooses("unseen");
	begin(VERDICT_NARROWED);
	verdict.failure.code = 702;
	chooses("timeout");
}

static void test_graph(void)
{
	begin(VERDICT_EXACT);
	verdict.suspects[0].record.work = WORK_GRAPH;
	verdict.graph.n_candidates = 1;
	chooses("code");
	verdict.graph.n_candidates = 5;
	chooses("graph_markers");
	verdict.graph.n_finished = 2; /* there were markers */
	chooses("code");
	verdict.n_suspects = 2;
	verdict.graph.n_finished = 0;
	verdict.class = VERDICT_NARROWED;
	chooses("triage");
}

static void test_exact(void)
{
	begin(VERDICT_EXACT);
	chooses("code");
	facts.lacks_line = true;
	chooses("lineinfo");
	facts.lacks_line = false;
	facts.has_address = true;
	chooses("address");
	facts.is_null = true;
	chooses("null_pointer");
	facts.is_null = false;
	facts.relation = MEMORY_AFTER;
	chooses("past_end");
	facts.relation = MEMORY_FREED;
	chooses("freed");
	begin(VERDICT_EXACT);
	verdict.evidence[verdict.n_evidence++].kind = EVIDENCE_RECORDS_LOST;
	chooses("code");
	verdict.failure.code = 9999; /* a code that is not explained */
	CHECK(!report_step_rule(&facts));
}

/* Return the last line of the report. */
static const char *last_line(const struct report *report)
{
	static struct page page;
	report_page(report, &page);
	CHECK_EQUAL(page.lines[page.n_lines - 1].id, PAGE_HELP);
	return page.lines[page.n_lines - 1].text;
}

static void test_text(void)
{
	struct verdict_case *c = case_begin();
	case_launch(c, case_stream(c), 12);
	case_judge(c, 710);
	struct report_process process = {.pid = 7, .command = "./train 'a b'"};
	struct report report = {.view = &c->view, .verdict = &c->verdict, .process = &process};
	CHECK_STRING(last_line(&report), "culprit triage -- ./train 'a b'");
	process.command = NULL;
	CHECK_STRING(last_line(&report), "culprit triage -- COMMAND");
	report.process = NULL;
	CHECK_STRING(last_line(&report), "culprit triage -- COMMAND");
	c->view.is_redacted = true;
	report.process = &process;
	process.command = "./train secret";
	CHECK_STRING(last_line(&report), "culprit triage -- COMMAND");
	case_end(c);
	c = case_begin();
	case_judge(c, 214);
	report.view = &c->view;
	report.verdict = &c->verdict;
	CHECK_STRING(last_line(&report), "culprit explain 214");
	case_end(c);
}

/* A bundle's name may hold what a shell would execute. */
static void test_odd_path(void)
{
	struct verdict_case *c = case_begin();
	case_launch(c, case_stream(c), 1);
	case_judge(c, 710); /* makes the view */
	static struct verdict unfinished;
	unfinished = (struct verdict){.unknown_reason = UNKNOWN_NO_FAILURE, .n_unfinished = 1};
	struct report report = {.view = &c->view, .verdict = &unfinished};
	CHECK_STRING(last_line(&report), "culprit status");
	report.bundle_path = "./culprit-train-7";
	CHECK_STRING(last_line(&report), "culprit status ./culprit-train-7");
	report.bundle_path = "./$(reboot)";
	CHECK_STRING(last_line(&report), "culprit status");
	report.bundle_path = "-f";
	CHECK_STRING(last_line(&report), "culprit status");
	case_end(c);
}

int main(void)
{
	test_unknown();
	test_no_failure();
	test_wider_than_exact();
	test_graph();
	test_exact();
	test_text();
	test_odd_path();
	return 0;
}
