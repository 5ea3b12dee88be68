/*
 * test_fault_alone.c - a launch that seems to have finished is not suspect if no other stream had
 * work beside it.
 */
#include "fault/fault_case.h"
#include "progress/progress.h"
#include "support/graph_builder.h"

static struct verdict_case *c;
static uint32_t stream; /* all work in it finishes */

static void judge(void)
{
	fault_add_exception(c, PC);
	fault_judge(c);
}

static bool is_graph;               /* the launch is one of a graph */
static bool is_slow;                /* a graph that takes long */
static bool has_old_wait;           /* a wait for the context before the launch */
static bool has_copy_before_wait;   /* of another stream, after the launch, which waited */
static uint32_t waiter;             /* the thread that waits for the launch; 0: none */
static struct journal_record other; /* a submission before it; kind 0: none */

/* A graph of the kernel at the program counter finishes in the stream. */
static void finish_graph(void)
{
	static const uint8_t works[] = {WORK_KERNEL};
	uint32_t graph = builder_graph(&c->builder, 0x9000, works, 1);
	builder_node_row(&c->builder, graph, 0)->function = 3;
	builder_launch_graph(&c->builder, CASE_TID, stream, graph, 0);
	if (is_slow)
		builder_time(&c->builder, 1); /* the driver may have recovered */
	builder_mark(&c->builder, stream, 1);
}

/* Launch the kernel of the program counter before all others, let it finish, and wait for it. */
static void launch_earlier(struct verdict_case *earlier_case)
{
	c = earlier_case;
	stream = case_stream(c);
	if (other.kind) {
		uint32_t last = case_stream(c);
		struct journal_record *record =
			builder_submit(&c->builder, other.tid, last, WORK_COPY);
		record->flags |= other.flags;
		record->result = other.result;
		if (other.ordinal)
			fault_wait(c, CASE_TID, last, 1);
		else
			builder_mark(&c->builder, last, 1);
	}
	if (has_old_wait)
		fault_wait(c, CASE_TID, 0, 0);
	if (is_graph)
		finish_graph();
	else
		fault_finish_launch(c, stream, 3);
	if (has_copy_before_wait) {
		uint32_t last = case_stream(c);
		builder_submit(&c->builder, CASE_TID, last, WORK_COPY)->flags |= RECORD_SYNCHRONOUS;
		builder_mark(&c->builder, last, 1);
	}
	if (waiter)
		fault_wait(c, waiter, stream, 1);
}

static void begin_alone(void)
{
	fault_begin_after(launch_earlier);
	fault_add_words(c);
}

static void check_alone(bool is_alone)
{
	judge();
	CHECK_EQUAL(c->verdict.class == VERDICT_EXACT, is_alone);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_LATE) == NULL, is_alone);
	case_end(c);
}

/* The other streams got their work after the wait had returned, if there was one. */
static void test_work_that_was_alone_is_settled(void)
{
	other.kind = 0;
	waiter = CASE_TID;
	begin_alone();
	check_alone(true);
	waiter = 0;
	begin_alone();
	check_alone(false);
	/* The journal lacks a submission of another stream. */
	waiter = CASE_TID;
	begin_alone();
	builder_stream_row(&c->builder, stream + 1)->submitted++;
	check_alone(false);
	/* A wait from before the launch does not end it. */
	has_old_wait = true;
	waiter = 0;
	begin_alone();
	check_alone(false);
	has_old_wait = false;
	waiter = CASE_TID;
	/* Another stream got a copy before the wait returned, and lacks one record. */
	has_copy_before_wait = true;
	begin_alone();
	check_alone(false);
	has_copy_before_wait = false;
	/* One of unknown order, at an unknown time. */
	begin_alone();
	case_find(c, 4)->ordinal = 0;
	check_alone(false);
}

/* Earlier work of another stream, which nothing shows as over when the launch was submitted. */
static void test_earlier_work_may_have_been_beside_it(void)
{
	static const struct {
		struct journal_record other;
		bool is_alone;
	} rows[] = {
		{{.tid = CASE_TID}, false},
		{{.tid = CASE_TID, .ordinal = 1}, true}, /* waited for */
		{{.tid = CASE_TID, .flags = RECORD_SYNCHRONOUS}, true},
		{{.tid = CASE_TID, .flags = RECORD_SYNCHRONOUS, .result = RESULT_PENDING}, false},
		{{.tid = CASE_TID + 1, .flags = RECORD_SYNCHRONOUS}, false},
	};
	waiter = CASE_TID;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		other = rows[i].other;
		other.kind = RECORD_SUBMISSION;
		begin_alone();
		check_alone(rows[i].is_alone);
	}
	/* The stream got one more, of which there is no record. */
	other.flags = 0;
	other.result = 0;
	other.tid = CASE_TID;
	other.ordinal = 1;
	begin_alone();
	builder_stream_row(&c->builder, stream + 1)->submitted++;
	check_alone(false);
	/* It is of unknown order, and its stream has not counted it. */
	other.ordinal = 0;
	begin_alone();
	case_find(c, 1)->ordinal = 0;
	builder_stream_row(&c->builder, stream + 1)->submitted = 0;
	builder_stream_row(&c->builder, stream + 1)->marked = 0;
	check_alone(false);
}

/* Launch the kernel twice, and wait each time. */
static void launch_twice(struct verdict_case *earlier_case)
{
	c = earlier_case;
	for (int i = 0; i < 2; i++) {
		stream = case_stream(c);
		fault_finish_launch(c, stream, 3);
		fault_wait(c, CASE_TID, stream, 1);
	}
}

/* A later stream lacks one of its records, which may have been beside each of two launches. */
static void test_a_lost_record_is_beside_each(void)
{
	for (uint32_t n_lost = 0; n_lost < 2; n_lost++) {
		fault_begin_after(launch_twice);
		fault_add_words(c);
		builder_stream_row(&c->builder, stream + 1)->submitted += n_lost;
		judge();
		CHECK_EQUAL(c->verdict.class, n_lost ? VERDICT_NARROWED : VERDICT_EXACT);
		CHECK_EQUAL(c->verdict.n_suspects, 1 + 2 * n_lost);
		CHECK(case_suspects(c, 7));
		CHECK_EQUAL(case_suspects(c, 1), n_lost);
		CHECK_EQUAL(case_suspects(c, 2), n_lost);
		case_end(c);
	}
}

/* The branches of a graph are beside each other. A wait soon after its launch settles it. */
static void test_a_graph_is_not_alone(void)
{
	other.kind = 0;
	waiter = CASE_TID;
	is_graph = true;
	for (int slow = 0; slow < 2; slow++) {
		is_slow = slow;
		begin_alone();
		check_alone(!slow);
	}
	/* A kernel soon after it does not. */
	waiter = 0;
	is_slow = false;
	begin_alone();
	builder_launch(&c->builder, CASE_TID, stream, 1, NULL, 0);
	builder_record(&c->builder, CASE_TID, RECORD_EVENT_RECORD);
	check_alone(false);
	is_graph = false;
}

/* A wait soon after the launch settles it only if the wait was for this launch. */
static void test_a_soon_wait_for_earlier_work(void)
{
	for (uint64_t ordinal = 1; ordinal <= 2; ordinal++) {
		c = fault_begin();
		fault_add_words(c);
		stream = case_stream(c);
		builder_launch(&c->builder, CASE_TID, stream, 1, NULL, 0);
		builder_launch(&c->builder, CASE_TID, stream, 3, NULL, 0);
		fault_wait(c, CASE_TID, stream, ordinal);
		builder_mark(&c->builder, stream, 2);
		judge();
		CHECK_EQUAL(c->verdict.class, ordinal == 2 ? VERDICT_EXACT : VERDICT_NARROWED);
		CHECK_EQUAL(case_suspects(c, 10), ordinal == 1);
		case_end(c);
	}
}

/* Each launch is cleared by the next kernel, which came soon. Only so many are examined. */
static void test_how_many_are_examined(void)
{
	enum { MAX_EXAMINED = 64 };
	for (uint32_t n = MAX_EXAMINED; n <= MAX_EXAMINED + 1; n++) {
		c = fault_begin();
		fault_add_words(c);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t own = case_stream(c);
			builder_launch(&c->builder, CASE_TID, own, 3, NULL, 0);
			builder_launch(&c->builder, CASE_TID, own, 1, NULL, 0);
			builder_mark(&c->builder, own, 2);
		}
		builder_record(&c->builder, CASE_TID, RECORD_EVENT_RECORD);
		judge();
		const struct evidence *late = case_evidence(c, EVIDENCE_FAULT_LATE);
		CHECK_EQUAL(late ? late->count : 0, n - MAX_EXAMINED);
		case_end(c);
	}
}

/* Finished launches that are in no group were not compared with the first suspect. */
static void test_no_lead_over_ungrouped(void)
{
	for (uint32_t n = MAX_LATE_KEPT; n <= MAX_LATE_KEPT + 1; n++) {
		c = fault_begin();
		fault_add_words(c);
		for (uint32_t i = 0; i < n; i++)
			fault_finish_launch(c, case_stream(c), 3);
		fault_add_exception(c, fault_starts[4] + 0x10);
		judge();
		CHECK_VERDICT(c, VERDICT_NARROWED, 7); /* it has never finished */
		CHECK_EQUAL(c->verdict.n_suspects, 2 + n);
		CHECK_EQUAL(c->verdict.n_ungrouped, n - MAX_LATE_KEPT);
		CHECK_EQUAL(c->verdict.lead, n == MAX_LATE_KEPT ? LEAD_NOVEL : LEAD_NONE);
		case_end(c);
	}
}

int main(void)
{
	test_work_that_was_alone_is_settled();
	test_earlier_work_may_have_been_beside_it();
	test_a_lost_record_is_beside_each();
	test_a_graph_is_not_alone();
	test_a_soon_wait_for_earlier_work();
	test_how_many_are_examined();
	test_no_lead_over_ungrouped();
	return 0;
}
