/*
 * test_unordered_rows.c - work of unknown order: how it is kept, counted and held back.
 */
#include "progress/unordered.h"

#include "support/check.h"

enum { MAX_ROWS = 4 };

static struct stream_progress streams[3];
static struct open_work open[MAX_ROWS];
static struct unordered_work unordered[MAX_ROWS];
static struct progress progress;

static void begin(void)
{
	memset(streams, 0, sizeof(streams));
	memset(open, 0, sizeof(open));
	progress = (struct progress){.moment = {.code = 700, .sequence = 100},
				     .n_streams = 2,
				     .streams = streams,
				     .open = open,
				     .unordered = unordered,
				     .max_unordered = MAX_ROWS};
}

static struct journal_record copy_of(uint64_t sequence, uint32_t stream, uint64_t ordinal)
{
	return (struct journal_record){.kind = RECORD_SUBMISSION,
				       .work = WORK_COPY,
				       .sequence = sequence,
				       .stream = stream,
				       .ordinal = ordinal};
}

static void add(uint64_t sequence, uint32_t stream, uint64_t ordinal)
{
	const struct journal_record record = copy_of(sequence, stream, ordinal);
	unordered_add(&progress, 0, sequence, &record);
}

/* Each stream has its own list, the newest first. Work that does not fit is counted. */
static void test_lists(void)
{
	begin();
	for (uint64_t i = 1; i <= MAX_ROWS; i++)
		add(i, i == 2 ? 2 : 1, i);
	const struct unordered_work *work = unordered_first(&progress, &streams[1]);
	for (uint64_t i = MAX_ROWS; i >= 1; i--) {
		if (i == 2)
			continue;
		CHECK(work);
		CHECK_EQUAL(work->open.sequence, i);
		work = unordered_next(&progress, work);
	}
	CHECK(!work);
	work = unordered_first(&progress, &streams[2]);
	CHECK(work && work->open.sequence == 2 && !unordered_next(&progress, work));
	CHECK_EQUAL(progress.n_unplaced, 0);
	add(9, 1, 9);
	CHECK(progress.n_unordered == MAX_ROWS && progress.n_unplaced == 1);
	add(101, 1, 9); /* after the failure */
	CHECK_EQUAL(progress.n_unplaced, 1);
	CHECK_EQUAL(unordered_count(&progress), MAX_ROWS + 1);
}

/* Only a copy whose call has waited and succeeded is over. */
static void test_waited(void)
{
	struct journal_record record = copy_of(1, 1, 1);
	CHECK(!unordered_has_waited(&record));
	record.flags = RECORD_SYNCHRONOUS;
	CHECK(unordered_has_waited(&record));
	record.result = 700;
	CHECK(!unordered_has_waited(&record));
	record.result = 0;
	record.work = WORK_MEMSET;
	CHECK(!unordered_has_waited(&record));
}

/* Ordinals from 4 on are unfinished. The stream's open work has 5 twice, as no recorder writes. */
static void test_counts(void)
{
	begin();
	streams[1] = (struct stream_progress){.done = 3, .submitted = 9, .n_open = 2};
	open[0].ordinal = open[1].ordinal = 5;
	open[2].ordinal = 6; /* of the next stream */
	streams[2].first_open = 2;
	add(1, 1, 3);
	add(2, 1, 4);
	add(3, 1, 7);
	CHECK_EQUAL(unordered_count_late(&progress, &streams[1], NO_ORDINAL), 2);
	CHECK_EQUAL(unordered_count_late(&progress, &streams[1], 7), 2);
	CHECK_EQUAL(unordered_count_late(&progress, &streams[1], 6), 1);
	CHECK_EQUAL(unordered_count_lost(&progress, &streams[1], NO_ORDINAL), 3); /* 6, 8, 9 */
	CHECK_EQUAL(unordered_count_lost(&progress, &streams[1], 8), 2);
	CHECK_EQUAL(unordered_count_lost(&progress, &streams[1], 5), 0);
	CHECK_EQUAL(unordered_count_lost(&progress, &streams[1], 3), 0);
	CHECK_EQUAL(unordered_count_lost(&progress, &streams[1], 2), 0);
	streams[1].is_unordered = true;
	CHECK_EQUAL(unordered_count_lost(&progress, &streams[1], 5), 3);
}

/* The wall is 4 and has no marker of its own unless it is said to be unfinished. */
static void test_held(void)
{
	static const struct {
		struct stream_limit limit;
		uint64_t behind;
		uint16_t flags;
		bool is_held;
	} examples[] = {
		{{4, 4, .blocked_above = NO_ORDINAL}, 3, 0, false},
		{{4, 4, .blocked_above = NO_ORDINAL}, 4, 0, false},
		{{4, 4, .blocked_above = NO_ORDINAL, .is_wall_said = true}, 4, 0, true},
		{{4, 4, .blocked_above = NO_ORDINAL, .is_wall_said = true}, 3, 0, false},
		{{4, 4, .blocked_above = NO_ORDINAL}, 5, 0, true},
		{{4, 4, .blocked_above = NO_ORDINAL}, 5, RECORD_OVERLAPS, false},
		{{4, 5, .blocked_above = NO_ORDINAL}, 5, 0, false},
		{{NO_ORDINAL, NO_ORDINAL, .blocked_above = 2}, 2, 0, false},
		{{NO_ORDINAL, NO_ORDINAL, .blocked_above = 2}, 3, 0, true},
		{{NO_ORDINAL, NO_ORDINAL, .blocked_above = 2}, 3, RECORD_OVERLAPS, false},
		{{0, 0, .blocked_above = 0, .is_wall_said = true}, 0, 0, false},
		{{NO_ORDINAL, NO_ORDINAL, .blocked_above = NO_ORDINAL}, 5, 0, false},
	};
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
		CHECK_EQUAL(unordered_is_held(&examples[i].limit, examples[i].behind,
					      examples[i].flags),
			    examples[i].is_held);
}

/* Such work is cleared by several facts. */
static void test_suspects(void)
{
	begin();
	for (enum order_level level = 0; level < N_ORDER_LEVELS; level++)
		for (int i = 1; i <= 2; i++)
			streams[i].limits[level] =
				(struct stream_limit){NO_ORDINAL, NO_ORDINAL, 0, NO_ORDINAL,
						      .unstarted_above = NO_ORDINAL};
	add(1, 1, 5);
	add(2, 1, 0);
	add(3, 2, 1);
	CHECK_EQUAL(unordered_suspects(&progress, LEVEL_STRICT), 3);
	streams[1].done = 5;
	CHECK(unordered_is_over(&progress, &unordered[0]));
	CHECK(!unordered_is_over(&progress, &unordered[1]));
	CHECK_EQUAL(unordered_suspects(&progress, LEVEL_STRICT), 2);
	unordered[2].behind = 1;
	streams[2].limits[LEVEL_LIKELY].blocked_above = 0;
	CHECK_EQUAL(unordered_suspects(&progress, LEVEL_STRICT), 2);
	CHECK_EQUAL(unordered_suspects(&progress, LEVEL_LIKELY), 1);
	unordered[1].open.is_in_bounds = true;
	CHECK_EQUAL(unordered_suspects(&progress, LEVEL_STRICT), 1);
	unordered[2].has_waited = true;
	CHECK_EQUAL(unordered_suspects(&progress, LEVEL_STRICT), 0);
	CHECK_EQUAL(unordered_count(&progress), 2);
	progress.n_unplaced = 4;
	CHECK_EQUAL(unordered_suspects(&progress, LEVEL_STRICT), 4);
	progress.moment.code = 710; /* an assert is a kernel's */
	unordered[1].open.is_in_bounds = unordered[2].has_waited = false;
	CHECK_EQUAL(unordered_suspects(&progress, LEVEL_STRICT), 4);
}

int main(void)
{
	test_lists();
	test_waited();
	test_counts();
	test_held();
	test_suspects();
	return 0;
}
