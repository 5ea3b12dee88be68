/*
 * test_no_failure.c - what is said of unfinished work without a failure: a hang that was seen is
 * named, and nothing else is accused.
 */
#include <errno.h>
#include <stdlib.h>

#include "attribution/unfinished.h"
#include "brief/brief_page.h"
#include "report/report_page.h"
#include "support/check.h"
#include "support/verdict_case.h"

static struct page page;
static struct page brief;

static const struct verdict *find(struct verdict_case *c, const struct hang_claim *hang)
{
	builder_view(&c->builder, &c->view);
	size_t size = unfinished_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(unfinished_find(&c->view, hang, scratch, size, &c->verdict), 0);
	free(scratch);
	return &c->verdict;
}

static const char *headline(struct verdict_case *c)
{
	static const struct report_process process = {.pid = 12,
						      .end = {REPORT_KILLED, 9, false, false}};
	const struct report report = {
		.view = &c->view, .verdict = &c->verdict, .process = &process};
	report_page(&report, &page);
	return page.lines[0].text;
}

/* A process that runs may yet fail, also if all its work is finished. */
static void test_it_still_runs(void)
{
	static const struct report_process process = {.pid = 12, .end = {.kind = REPORT_RUNS}};
	struct verdict_case *c = case_begin();
	CHECK_EQUAL(find(c, NULL)->n_unfinished, 0);
	const struct report report = {
		.view = &c->view, .verdict = &c->verdict, .process = &process};
	report_page(&report, &page);
	CHECK_STRING(page.lines[0].text,
		     "culprit: no call seen by culprit has reported a failure; the process runs "
		     "on [pid 12]");
	case_end(c);
}

static bool has_line(const char *text)
{
	for (uint32_t i = 0; i < page.n_lines; i++)
		if (strstr(page.lines[i].text, text))
			return true;
	return false;
}

static struct hang_claim claim_of(uint64_t sequence)
{
	return (struct hang_claim){
		.class = VERDICT_EXACT,
		.ns = 61250000000,
		.n = 1,
		.rows = {{.sequence = sequence, .kind = STALL_RUNS, .is_proven = true}}};
}

/* True if the page describes a suspect. */
static bool has_suspect(void)
{
	for (uint32_t i = 0; i < page.n_lines; i++)
		if (page.lines[i].id == PAGE_WORK)
			return true;
	return false;
}

static void test_first_is_not_accused(void)
{
	struct verdict_case *c = case_begin();
	case_launch(c, case_stream(c), 3);
	CHECK_EQUAL(find(c, NULL)->n_suspects, 0);
	CHECK_EQUAL(c->verdict.n_unfinished, 3);
	CHECK_STRING(headline(c),
		     "culprit: no call seen by culprit reported a failure; killed by "
		     "signal 9 with 3 submissions unfinished; it is not known which of "
		     "them had started [pid 12]");
	CHECK(!has_suspect());
	case_end(c);
}

/* Its markers were read before the GPU went on: they hold nothing back. */
static void test_stale_markers_are_ignored(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	(void)case_launch_flagged(c, stream, 3, RECORD_MARKED_INLINE);
	builder_mark(&c->builder, stream, 1);
	CHECK_EQUAL(find(c, NULL)->n_suspects, 0);
	CHECK_EQUAL(c->verdict.n_unfinished, 2);
	(void)headline(c);
	CHECK(has_line("#1 done, #2-#3 may have run"));
	case_end(c);
}

static void test_only_one_is_named(void)
{
	struct verdict_case *c = case_begin();
	uint64_t first = case_launch(c, case_stream(c), 1);
	CHECK_EQUAL(find(c, NULL)->n_suspects, 1);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, first);
	CHECK(strstr(headline(c), "with 1 submission unfinished: #1 "));
	CHECK(has_suspect());
	case_end(c);
}

static void test_hang_is_named(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint64_t first = case_launch(c, stream, 3);
	(void)case_launch(c, case_stream(c), 2);
	struct hang_claim hang = claim_of(first + 1);
	hang.rows[1].sequence = first + 4; /* of an earlier claim */
	const struct verdict *verdict = find(c, &hang);
	CHECK(verdict->hang == &hang);
	CHECK_EQUAL(verdict->class, VERDICT_EXACT);
	CHECK_EQUAL(verdict->unknown_reason, UNKNOWN_NO_FAILURE);
	CHECK_EQUAL(verdict->n_suspects, 1);
	CHECK_EQUAL(verdict->suspects[0].record.sequence, first + 1);
	/* The snapshot showed it as its stream's earliest. */
	CHECK_EQUAL(verdict->n_unfinished, 4);
	CHECK_EQUAL(verdict->streams[0].stream, stream);
	CHECK_EQUAL(verdict->streams[0].done_sequence, first);
	CHECK_EQUAL(verdict->streams[1].n_suspects, 0);
	CHECK(!strncmp(headline(c), "culprit: hung — exact: launch #2, ",
		       strlen("culprit: hung — exact: launch #2, ")));
	CHECK(has_line(" had started; its stream made no progress for 61.2 s"));
	CHECK(has_line("#1 done, >>#2 culprit<<"));
	case_end(c);
}

/* The hung stream made no progress after its markers were read, so they are not stale. */
static void test_markers_of_a_hung_stream_hold(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint64_t first = case_launch_flagged(c, stream, 3, RECORD_MARKED_INLINE);
	const struct hang_claim hang = claim_of(first);
	CHECK_EQUAL(find(c, &hang)->n_streams, 1);
	CHECK_EQUAL(c->verdict.streams[0].started.n, 1);
	CHECK_EQUAL(c->verdict.streams[0].waiting.n, 2);
	case_end(c);
}

/* The marker of another stream may delay its side marker. Its inline marker still holds. */
static void test_markers_of_a_shared_side_stream(void)
{
	struct verdict_case *c = case_begin();
	uint32_t other = case_stream(c);
	uint32_t stream = case_stream(c);
	builder_stream_row(&c->builder, other)->side = 1;
	builder_stream_row(&c->builder, stream)->side = 1;
	(void)case_launch_flagged(c, other, 1, RECORD_MARKED_SIDE);
	uint64_t first = case_launch_flagged(c, stream, 1, RECORD_MARKED_SIDE);
	(void)case_launch_flagged(c, stream, 1, RECORD_MARKED_INLINE);
	(void)case_launch(c, stream, 1);
	const struct hang_claim hang = claim_of(first);
	CHECK_EQUAL(find(c, &hang)->streams[0].stream, stream);
	CHECK_EQUAL(c->verdict.streams[0].started.n, 2);
	CHECK_EQUAL(c->verdict.streams[0].waiting.n, 1);
	case_end(c);
}

/* A marker has shown that much already: its submission's number stays known. */
static void test_done_before_a_hang(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint64_t first = case_launch(c, stream, 3);
	const struct hang_claim hang = claim_of(first + 1);
	builder_mark(&c->builder, stream, 1);
	CHECK_EQUAL(find(c, &hang)->streams[0].done_sequence, first);
	(void)headline(c);
	CHECK(has_line("#1 done, >>#2 culprit<<"));
	case_end(c);
}

static void test_hang_that_ended_is_none(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint64_t first = case_launch(c, stream, 3);
	const struct hang_claim hang = claim_of(first + 1);
	builder_sync(&c->builder, stream, 2, "cuCtxSynchronize");
	CHECK(!find(c, &hang)->hang);
	CHECK_EQUAL(c->verdict.class, VERDICT_UNKNOWN);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, c->verdict.n_suspects ? first + 2 : 0);
	case_end(c);
}

static const char *title(void)
{
	for (uint32_t i = 0; i < brief.n_lines; i++)
		if (brief.lines[i].id == PAGE_TITLE)
			return brief.lines[i].text;
	return "";
}

/* The last snapshot before the end showed it. */
static void test_started_before_the_end(void)
{
	struct verdict_case *c = case_begin();
	uint64_t first = case_launch(c, case_stream(c), 3);
	uint64_t other = case_launch(c, case_stream(c), 1);
	struct hang_claim hang = claim_of(first);
	hang.is_of_end = true;
	hang.class = VERDICT_LIKELY;
	CHECK_EQUAL(find(c, &hang)->suspects[0].record.sequence, first);
	CHECK(strstr(headline(c), "killed by signal 9 with 4 submissions unfinished: #1 "));
	CHECK(has_line(" had started and not finished at the last snapshot, 61.2 s after its "
		       "launch"));
	CHECK(has_line("none known done, >>#1 had started<<"));
	brief_page(&page, &brief);
	CHECK(!strncmp(title(), "killed by signal 9 while ", strlen("killed by signal 9 while ")));
	/* Several had: none of them is accused, each is named. */
	hang.rows[hang.n++] = (struct hang_stand){.sequence = other, .kind = STALL_RUNS};
	hang.n_later = 2;
	hang.class = VERDICT_NARROWED;
	CHECK_EQUAL(find(c, &hang)->n_suspects, 0);
	CHECK(strstr(headline(c), ", #4 "));
	CHECK(has_line(" launch, and 2 submissions followed"));
	brief_page(&page, &brief);
	CHECK_STRING(title(),
		     "killed by signal 9 with 4 submissions unfinished; 2 of them had started");
	case_end(c);
}

/* Sequences of the record are foreign: the journal need not have them. */
static void test_record_is_lost(void)
{
	struct verdict_case *c = case_begin();
	case_launch(c, case_stream(c), 3);
	struct hang_claim hang = claim_of(UINT64_MAX);
	hang.n = HANG_CLAIM_MAX;
	CHECK(find(c, &hang)->hang);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, UINT64_MAX);
	CHECK_EQUAL(c->verdict.n_unfinished, 3);
	CHECK(strstr(headline(c), "hung — exact: submission #18446744073709551615, "));
	CHECK(has_line("and 56 more"));
	case_end(c);
}

/* The snapshots contradict each other: the other stream waited for what seems to hang. */
static void test_hang_that_others_had_waited_for(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t waiter = case_stream(c);
	uint64_t first = case_launch(c, stream, 1);
	builder_wait(&c->builder, CASE_TID, waiter, stream, 1);
	case_launch(c, waiter, 2);
	struct hang_claim hang = claim_of(first);
	hang.rows[hang.n++].sequence = first + 2;
	CHECK(!find(c, &hang)->hang);
	CHECK_EQUAL(c->verdict.n_unfinished, 3); /* the waiter's first is lost */
	CHECK_EQUAL(c->verdict.n_suspects, 0);
	case_end(c);
}

static void test_no_memory(void)
{
	struct verdict_case *c = case_begin();
	case_launch(c, case_stream(c), 1);
	builder_view(&c->builder, &c->view);
	uint64_t scratch[1];
	CHECK_EQUAL(unfinished_find(&c->view, NULL, scratch, sizeof(scratch), &c->verdict),
		    -ENOMEM);
	case_end(c);
}

/* A stream has finished more than it was given. */
static void test_contradictory_bundle(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, case_stream(c), 1);
	builder_mark(&c->builder, stream, 99);
	CHECK_EQUAL(find(c, NULL)->n_suspects, 0);
	CHECK_EQUAL(c->verdict.n_unfinished, 0);
	CHECK_EQUAL(c->verdict.unknown_reason, UNKNOWN_NO_FAILURE);
	case_end(c);
}

int main(void)
{
	test_first_is_not_accused();
	test_stale_markers_are_ignored();
	test_only_one_is_named();
	test_hang_is_named();
	test_markers_of_a_hung_stream_hold();
	test_markers_of_a_shared_side_stream();
	test_done_before_a_hang();
	test_hang_that_ended_is_none();
	test_started_before_the_end();
	test_record_is_lost();
	test_hang_that_others_had_waited_for();
	test_no_memory();
	test_it_still_runs();
	test_contradictory_bundle();
	return 0;
}
