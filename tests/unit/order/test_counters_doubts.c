/*
 * test_counters_doubts.c - which contradictions of the driver's progress counters count, and what
 * they leave open. test_counters_order.c and test_counters_refused.c have the other verdicts.
 */
#include <stdlib.h>

#include "progress/counters_order.h"
#include "progress/progress_parts.h"
#include "support/check.h"
#include "support/words_case.h"

static struct progress progress;

/* Read what the case holds, with its counters or without them. Returns memory, to be freed. */
static void *read_at(struct verdict_case *c, uint64_t counters_ns, bool with_counters)
{
	const struct moment moment = {
		.code = ILLEGAL_ADDRESS, .sequence = UINT64_MAX, .counters_ns = counters_ns};
	builder_view(&c->builder, &c->view);
	size_t size = progress_read_scratch(&c->view, &moment);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(progress_read(&c->view, &moment, with_counters, scratch, size, &progress), 0);
	counters_apply(&progress);
	limits_raise_done(&progress);
	limits_find(&progress, LEVEL_STRICT);
	limits_find(&progress, LEVEL_LIKELY);
	counters_check_limits(&progress);
	return scratch;
}

static enum counters_trouble trouble_of(struct verdict_case *c, uint64_t counters_ns,
					bool with_counters)
{
	free(read_at(c, counters_ns, with_counters));
	return progress.trouble;
}

/* A sync shows that a kernel is finished. Its counters must agree, if they are used. */
static void test_finished(void)
{
	static const struct {
		uint32_t started; /* word of the channel, of which the kernel has number 1 */
		uint32_t state;
		enum counters_trouble trouble;
	} examples[] = {
		{0, 0, COUNTERS_AGAINST_DONE},     {1, 1, COUNTERS_AGAINST_DONE},
		{1, 2, COUNTERS_NO_TROUBLE},       {1, 5, COUNTERS_NO_TROUBLE},
		{1, 3, COUNTERS_AGAINST_COUNTERS}, {0, 2, COUNTERS_AGAINST_COUNTERS},
	};
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		struct verdict_case *c = words_begin(examples[i].started);
		uint32_t stream = case_stream(c);
		words_launch(c, stream, 1, 0);
		words_set_state(c, 1, examples[i].state, 1);
		builder_sync(&c->builder, stream, 1, "cuStreamSynchronize");
		CHECK_EQUAL(trouble_of(c, 0, true), examples[i].trouble);
		CHECK_EQUAL(trouble_of(c, 0, false), COUNTERS_NO_TROUBLE);
		CHECK_EQUAL(trouble_of(c, 1, true), COUNTERS_NO_TROUBLE);
		case_find(c, 1)->result = RESULT_PENDING;
		CHECK_EQUAL(trouble_of(c, 0, true), COUNTERS_NO_TROUBLE);
		case_end(c);
	}
}

/* A kernel starts after a copy that waits, unless it is a programmatic launch. */
static void test_copy_waits(void)
{
	struct verdict_case *c = words_begin(0);
	uint32_t stream = case_stream(c);
	words_submit(c, stream, WORK_COPY);
	words_launch(c, stream, 1, 0);
	uint32_t channel = builder_channel(&c->builder, c->context, 1);
	case_find(c, 2)->progress = (struct record_progress){.channel = channel, .payload = 1};
	CHECK_EQUAL(trouble_of(c, 0, true), COUNTERS_AGAINST_ORDER);
	case_find(c, 2)->flags = RECORD_OVERLAPS;
	CHECK_EQUAL(trouble_of(c, 0, true), COUNTERS_NO_TROUBLE);
	case_find(c, 1)->work = WORK_KERNEL;
	CHECK_EQUAL(trouble_of(c, 0, true), COUNTERS_AGAINST_ORDER);
	case_end(c);
}

/* The numbers of a channel grow in a stream. Numbers of two channels are not compared.
 */
static void test_numbers(void)
{
	for (int is_another = 0; is_another <= 1; is_another++) {
		struct verdict_case *c = words_begin(2);
		words_launch(c, case_stream(c), 2, 0);
		uint32_t channel = builder_channel(&c->builder, c->context, 2);
		case_find(c, 1)->progress.payload = 2;
		case_find(c, 2)->progress.payload = 1;
		if (is_another)
			case_find(c, 2)->progress.channel = channel;
		CHECK_EQUAL(trouble_of(c, 0, true),
			    is_another ? COUNTERS_NO_TROUBLE : COUNTERS_AGAINST_ORDER);
		case_end(c);
	}
}

/* The counters alone clear the second kernel. They do not show the first one at work. */
static void test_marked_kernel_that_waits(void)
{
	struct verdict_case *c = words_begin(0);
	words_launch(c, case_stream(c), 2, RECORD_MARKED_INLINE);
	case_find(c, 1)->progress = (struct record_progress){0};
	case_find(c, 1)->flags = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 1);
	CHECK(case_evidence(c, EVIDENCE_DRIVER_SILENT));
	case_end(c);
}

/* A copy that waits holds a kernel back. Only the counters clear that kernel. */
static void test_copy_that_waits(void)
{
	struct verdict_case *c = words_begin(0);
	uint32_t stream = case_stream(c);
	words_submit(c, stream, WORK_COPY);
	case_launch(c, stream, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 1);
	CHECK(case_evidence(c, EVIDENCE_DRIVER_SILENT));
	case_end(c);
}

/* Work from the last start on that says that it is finished is finished, up to a gap. */
static void test_finished_after_the_head(void)
{
	struct verdict_case *c = words_begin(4);
	words_launch(c, case_stream(c), 4, RECORD_OVERLAPS);
	case_find(c, 1)->flags = 0;
	for (uint64_t i = 1; i <= 4; i++)
		words_set_state(c, i, i == 3 ? 1 : 5, 1); /* the third one runs */
	void *scratch = read_at(c, 0, true);
	CHECK_EQUAL(progress.trouble, COUNTERS_NO_TROUBLE);
	CHECK_EQUAL(progress.streams[1].head, 1);
	CHECK_EQUAL(progress.streams[1].done, 2);
	CHECK_EQUAL(progress.streams[1].done_sequence, 2);
	free(scratch);
	case_end(c);
}

/* Counters that show no work in progress keep a kernel only if all work before it is finished. */
static void test_next_after_unknown_work(void)
{
	struct verdict_case *c = words_begin(0);
	uint32_t stream = case_stream(c);
	words_launch(c, case_stream(c), 1, 0);
	words_launch(c, stream, 2, 0);
	case_find(c, 2)->progress = (struct record_progress){0};
	case_launch(c, case_stream(c), 1);
	void *scratch = read_at(c, 0, true);
	CHECK(!counters_show_none_running(&progress)); /* there are two suspects */
	counters_spare_next(&progress);
	CHECK_EQUAL(progress.streams[stream].unstarted_above, 1);
	CHECK_EQUAL(progress.streams[3 - stream].unstarted_above, 1);
	free(scratch);
	builder_sync(&c->builder, stream, 1, "cuStreamSynchronize");
	scratch = read_at(c, 0, true);
	counters_spare_next(&progress);
	CHECK_EQUAL(progress.streams[stream].unstarted_above, 2);
	free(scratch);
	case_end(c);
}

/* A kernel that may have started is not after a kernel whose marker is missing, or an event. */
static void test_started_too_early(void)
{
	for (int is_event = 0; is_event <= 1; is_event++) {
		struct verdict_case *c = words_begin(3);
		uint32_t source = case_stream(c);
		uint32_t stream = is_event ? case_stream(c) : source;
		case_launch_flagged(c, source, 1, RECORD_MARKED_INLINE);
		if (is_event)
			builder_wait(&c->builder, CASE_TID, stream, source, 1);
		words_launch(c, stream, 2, 0);
		builder_channel_row(&c->builder, counters_channel)->n_checks = BELIEF_OF_ONE - 1;
		case_find(c, 2)->progress = (struct record_progress){0};
		CHECK_EQUAL(trouble_of(c, 0, true), COUNTERS_AGAINST_WAIT);
		case_find(c, 2)->flags = case_find(c, 3)->flags = RECORD_OVERLAPS;
		CHECK_EQUAL(trouble_of(c, 0, true),
			    is_event ? COUNTERS_AGAINST_WAIT : COUNTERS_NO_TROUBLE);
		case_find(c, 2)->commit = 0; /* whatever that was */
		CHECK_EQUAL(trouble_of(c, 0, true), COUNTERS_NO_TROUBLE);
		case_find(c, 3)->flags = 0;
		CHECK_EQUAL(trouble_of(c, 0, true), COUNTERS_AGAINST_WAIT);
		case_end(c);
	}
}

/* A counter that shows less than it did contradicts that it grows. */
static void test_gone_back(void)
{
	struct verdict_case *c = words_begin(2);
	words_launch(c, case_stream(c), 3, 0);
	builder_channel_row(&c->builder, counters_channel)->checked = 2;
	CHECK_EQUAL(trouble_of(c, 0, true), COUNTERS_NO_TROUBLE);
	builder_channel_row(&c->builder, counters_channel)->checked = 3;
	CHECK_EQUAL(trouble_of(c, 0, true), COUNTERS_AGAINST_DONE);
	case_end(c);
}

/* Counters of which none shows a start are of the channel whose number they are about. */
static void test_channel(void)
{
	struct verdict_case *c = words_begin(0);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 2, 0);
	void *scratch = read_at(c, 0, true);
	CHECK_EQUAL(progress.streams[stream].counters_channel, counters_channel);
	free(scratch);
	case_end(c);
}

/* The missing side marker of a kernel that has started still holds later work back. */
static void test_side_marker_of_started_kernel(void)
{
	struct verdict_case *c = words_begin(2);
	words_launch(c, case_stream(c), 4, RECORD_MARKED_SIDE);
	builder_channel_row(&c->builder, counters_channel)->n_checks = BELIEF_OF_ONE - 1;
	for (uint64_t i = 3; i <= 4; i++)
		case_find(c, i)->progress = (struct record_progress){0};
	void *scratch = read_at(c, 0, true);
	CHECK_EQUAL(progress.streams[1].passed, 2);
	for (uint32_t i = 0; i < progress.n_open; i++)
		CHECK_EQUAL(progress_is_lagging(&progress, &progress.open[i]),
			    progress.open[i].ordinal > 2);
	free(scratch);
	case_end(c);
}

int main(void)
{
	test_finished();
	test_copy_waits();
	test_numbers();
	test_marked_kernel_that_waits();
	test_copy_that_waits();
	test_finished_after_the_head();
	test_next_after_unknown_work();
	test_started_too_early();
	test_gone_back();
	test_channel();
	test_side_marker_of_started_kernel();
	return 0;
}
