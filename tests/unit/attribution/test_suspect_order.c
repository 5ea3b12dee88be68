/*
 * test_suspect_order.c - who of several suspects is named first, and that this is all it changes.
 */
#include "verdict/attribution/suspect_order.h"

#include "support/check.h"
#include "support/verdict_case.h"
#include "support/words_builder.h"

static void test_functions(void)
{
	const struct open_work kernel = {.work = WORK_KERNEL};
	const struct open_work copy = {.work = WORK_COPY};

	CHECK(!suspect_is_rarely_guilty(&kernel) && suspect_is_rarely_guilty(&copy));
	CHECK(suspect_weight_of_words(WORDS_RUNNING) > suspect_weight_of_words(WORDS_BEGUN));
	CHECK(suspect_weight_of_words(WORDS_BEGUN) > suspect_weight_of_words(WORDS_SILENT));
	CHECK(suspect_weight_of_words(WORDS_SILENT) > suspect_weight_of_words(WORDS_ENDED));
	CHECK(suspect_weight_of_words(WORDS_ENDED) > suspect_weight_of_words(WORDS_WAITING));
	CHECK(suspect_novelty(0) > suspect_novelty(1));
	CHECK(suspect_novelty(1) > suspect_novelty(100));
	CHECK_EQUAL(suspect_novelty(100), suspect_novelty(UINT64_MAX));
	/* Began while the GPU came to a halt; just before that; long ago. */
	CHECK(suspect_begin_distance(15000) < suspect_begin_distance(0));
	CHECK(suspect_begin_distance(0) < suspect_begin_distance(5000000));
	CHECK(suspect_begin_distance(30000) < suspect_begin_distance(40000));
	CHECK(suspect_begin_distance(SUSPECT_HALT_NS) <=
	      suspect_begin_distance(SUSPECT_HALT_NS - 1));
}

static void check_first(struct verdict_case *c, uint64_t sequence)
{
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, sequence);
}

/* What has finished often stands behind what never has; a shape of its own is a kernel's own. */
static void test_novelty(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t old = builder_function(&c->builder, "old", 0, NULL);
	uint32_t new = builder_function(&c->builder, "new", 0, NULL);

	for (int i = 0; i < 8; i++) /* 1-8 */
		builder_launch(&c->builder, CASE_TID, stream, old, NULL, 0);
	builder_sync(&c->builder, stream, 6, "cuStreamSynchronize");
	builder_launch(&c->builder, CASE_TID, stream, new, NULL, 0);
	check_first(c, 9);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK_EQUAL(c->verdict.suspects[1].record.sequence, 7);
	case_find(c, 8)->launch.grid[0] = 99;
	check_first(c, 8);
	case_find(c, 8)->launch.function = 0; /* of which nothing is known */
	check_first(c, 9);
	case_end(c);
}

/* Two streams, of which each has begun one kernel. */
static void test_words(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);

	case_launch(c, a, 1);
	case_launch(c, b, 1);
	for (uint32_t id = 1; id <= 2; id++) {
		struct journal_record *record = case_find(c, id);

		record->progress.channel = builder_channel(&c->builder, c->context, 5);
		record->progress.payload = 5;
		builder_channel_row(&c->builder, id)->begun_gpu_ns = 1000000;
	}
	check_first(c, 1);
	/* The second began when the GPU may have been coming to its halt, or long before. */
	builder_channel_row(&c->builder, 1)->begun_gpu_ns -= SUSPECT_HALT_NS / 2;
	check_first(c, 1);
	builder_channel_row(&c->builder, 1)->begun_gpu_ns -= 500000;
	check_first(c, 2);
	builder_channel_row(&c->builder, 1)->begun_gpu_ns += 500000;
	check_first(c, 1);
	/* It runs for sure. */
	case_find(c, 2)->progress.state = builder_kernel_state(&c->builder, b, 1);
	case_find(c, 2)->progress.turn = 1;
	check_first(c, 2);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

int main(void)
{
	test_functions();
	test_novelty();
	test_words();
	return 0;
}
