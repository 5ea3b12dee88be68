/*
 * test_order_rows.c - what is known of a stream depends on its own rows. In the tables, the next
 * stream's rows come right after them, and then what earlier tables have left in the memory.
 */
#include <stdlib.h>
#include <string.h>

#include "progress/counters_order.h"
#include "progress/progress_parts.h"
#include "support/check.h"
#include "support/words_case.h"

enum { N_KERNELS = 3, N_FLAGS = 4 };

static const uint16_t flags[N_FLAGS] = {0, RECORD_MARKED_SIDE, RECORD_MARKED_INLINE,
					RECORD_OVERLAPS};

/* Three kernels of the first stream. */
struct first {
	uint32_t numbered; /* bits of the kernels that the channel has a number for */
	uint32_t started;
	uint32_t n_checks;
	uint16_t flags; /* of the kernels from `first_flagged` on */
	uint32_t first_flagged;
};

/* Two kernels of the second stream, the first with these flags and this state. */
struct second {
	uint16_t flags;
	uint32_t started;
	uint32_t state; /* 0: none */
};

static const struct second seconds[] = {
	{0, 0, 0},
	{0, 1, 0},
	{0, 1, 1},
	{0, 1, 2},
	{0, 1, 5},
	{0, 2, 0},
	{RECORD_OVERLAPS, 0, 0},
	{RECORD_OVERLAPS, 1, 0},
	{RECORD_MARKED_INLINE, 0, 0},
	{RECORD_MARKED_SIDE, 1, 0},
};

static struct verdict_case *tell(const struct first *first, const struct second *second)
{
	struct verdict_case *c = words_begin(first->started);
	uint32_t stream = case_stream(c);
	uint32_t other = case_stream(c);
	uint32_t channel = builder_channel(&c->builder, c->context, second ? second->started : 0);
	builder_channel_row(&c->builder, counters_channel)->n_checks = first->n_checks;
	for (uint32_t i = 0; i < N_KERNELS; i++) {
		words_launch(c, stream, 1, i >= first->first_flagged ? first->flags : 0);
		if (!(first->numbered >> i & 1))
			case_find(c, i + 1)->progress = (struct record_progress){0};
	}
	for (uint32_t i = 1; second && i <= 2; i++) {
		struct journal_record *record =
			builder_submit(&c->builder, CASE_TID, other, WORK_KERNEL);
		record->flags = i == 1 ? second->flags : 0;
		record->progress =
			(struct record_progress){.channel = channel, .payload = i, .turn = 1};
		if (i == 1 && second->state)
			record->progress.state =
				builder_kernel_state(&c->builder, other, second->state);
	}
	builder_view(&c->builder, &c->view);
	return c;
}

static const struct moment moment = {.code = ILLEGAL_ADDRESS, .sequence = UINT64_MAX};

/*
 * Read all into the scratch memory. Return what is known of the first stream. Its member `followed`
 * becomes the limit with which the counters spare the next kernel.
 */
static struct stream_progress snapshot(const struct verdict_case *c, void *scratch, size_t size,
				       enum counters_trouble *out_trouble)
{
	struct progress progress;
	CHECK_EQUAL(progress_read(&c->view, &moment, true, scratch, size, &progress), 0);
	counters_apply(&progress);
	limits_raise_done(&progress);
	limits_find(&progress, LEVEL_STRICT);
	limits_find(&progress, LEVEL_LIKELY);
	counters_check_limits(&progress);
	*out_trouble = progress.trouble;
	struct stream_progress stream = progress.streams[1];
	counters_spare_next(&progress);
	stream.followed = progress.streams[1].unstarted_above;
	return stream;
}

static void check_same(const struct stream_progress *a, const struct stream_progress *b)
{
	CHECK_EQUAL(a->done, b->done);
	CHECK_EQUAL(a->followed, b->followed);
	CHECK_EQUAL(a->done_sequence, b->done_sequence);
	CHECK_EQUAL(a->n_lost + a->n_late, b->n_lost + b->n_late);
	CHECK_EQUAL(a->n_open, b->n_open);
	CHECK_EQUAL(a->has_counters, b->has_counters);
	CHECK_EQUAL(a->counters_channel, b->counters_channel);
	CHECK_EQUAL(a->raised_by_counters, b->raised_by_counters);
	CHECK_EQUAL(a->head, b->head);
	CHECK_EQUAL(a->last_started, b->last_started);
	CHECK_EQUAL(a->last_started_sequence, b->last_started_sequence);
	CHECK_EQUAL(a->passed, b->passed);
	CHECK_EQUAL(a->over_sequence, b->over_sequence);
	CHECK_EQUAL(a->unstarted_above, b->unstarted_above);
	for (enum order_level level = 0; level < N_ORDER_LEVELS; level++) {
		const struct stream_limit *x = &a->limits[level];
		const struct stream_limit *y = &b->limits[level];
		CHECK_EQUAL(x->wall, y->wall);
		CHECK_EQUAL(x->overlap_end, y->overlap_end);
		CHECK_EQUAL(x->wall_sequence, y->wall_sequence);
		CHECK_EQUAL(x->blocked_above, y->blocked_above);
		CHECK_EQUAL(x->unstarted_above, y->unstarted_above);
		CHECK_EQUAL(x->is_wall_said, y->is_wall_said);
		CHECK_EQUAL(x->is_wall_of_counters, y->is_wall_of_counters);
	}
}

static void check(const struct first *first)
{
	enum counters_trouble trouble, later, unused;
	struct verdict_case *c = tell(first, NULL);
	size_t size = progress_read_scratch(&c->view, &moment);
	void *scratch = calloc(1, 2 * size);
	CHECK(scratch);
	const struct stream_progress alone = snapshot(c, scratch, size, &trouble);
	case_end(c);
	for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
		c = tell(first, &seconds[i]);
		const struct stream_progress beside = snapshot(c, scratch, 2 * size, &unused);
		check_same(&beside, &alone);
		case_end(c);
		c = tell(first, NULL);
		const struct stream_progress after = snapshot(c, scratch, size, &later);
		check_same(&after, &alone);
		CHECK_EQUAL(later, trouble);
		case_end(c);
	}
	free(scratch);
}

int main(void)
{
	struct first first;
	for (first.numbered = 0; first.numbered < 1 << N_KERNELS; first.numbered++)
		for (first.started = 0; first.started <= N_KERNELS; first.started++)
			for (first.n_checks = BELIEF_OF_ONE - 1; first.n_checks <= BELIEF_OF_ONE;
			     first.n_checks++)
				for (uint32_t i = 0; i < 2 * N_FLAGS; i++) {
					first.flags = flags[i % N_FLAGS];
					first.first_flagged = i / N_FLAGS;
					check(&first);
				}
	return 0;
}
