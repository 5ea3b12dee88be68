/*
 * test_nan_story.c - where a NaN began, by rows of checked memory; and rows that contradict
 * themselves.
 */
#include "checks/nan_story.h"

#include "support/bundle_builder.h"
#include "support/check.h"

enum { A = 0x1000, B = 0x2000, C = 0x3000, D = 0x4000 };

static struct bundle_builder builder;
static struct bundle_view view;

/* An argument with so many NaN before and after, whose bytes change or not. */
struct seen {
	uint64_t address;
	uint64_t before, after;
	bool is_written;
};

static void launch(uint64_t sequence, const struct seen *seen, uint32_t n)
{
	uint32_t id = 0;
	struct check_row *rows = builder_rows(&builder, JOURNAL_CHECKS, n, &id);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = (struct check_row){
			.sequence = sequence,
			.address = seen[i].address,
			.bytes = 0x100,
			.n_rows = n,
			.index = i,
			.parameter = i,
			.flags = CHECK_ROW_HAS_AFTER,
			.before = {.n = 64, .n_nan = seen[i].before, .first_infinite = UINT64_MAX},
			.after = {.n = 64,
				  .n_nan = seen[i].after,
				  .first_infinite = UINT64_MAX,
				  .checksum = seen[i].is_written}};
}

#define LAUNCH(sequence, ...)                                \
	launch(sequence, (const struct seen[]){__VA_ARGS__}, \
	       sizeof((const struct seen[]){__VA_ARGS__}) / sizeof(struct seen))

static struct nan_story story(void)
{
	struct nan_story out;
	builder_view(&builder, &view);
	nan_story_find(&view, &out);
	builder_end(&builder);
	builder_begin(&builder, 64);
	return out;
}

static void check_made(void)
{
	LAUNCH(1, {A, 0, 0, true}, {B, 0, 0, false});
	LAUNCH(2, {C, 0, 3, true}, {A, 0, 0, false});
	LAUNCH(3, {D, 0, 1, true}, {C, 3, 3, false});
	LAUNCH(4, {B, 0, 0, true}, {C, 3, 3, false}); /* takes it, and makes no NaN of it */
	LAUNCH(5, {A, 0, 2, true}, {D, 1, 1, false});
	struct nan_story found = story();
	CHECK_EQUAL(found.origin, NAN_MADE);
	CHECK_EQUAL(found.row, 3);
	CHECK_EQUAL(found.n_links, 2);
}

/* In place, and what was there before a clean launch overwrote it. */
static void check_in_place(void)
{
	LAUNCH(1, {A, 5, 0, true}, {B, 0, 0, false});
	LAUNCH(2, {A, 0, 1, true});
	struct nan_story found = story();
	CHECK_EQUAL(found.origin, NAN_MADE);
	CHECK_EQUAL(found.row, 3);
}

/* Old contents of its result do not excuse a launch, but it is not certain. */
static void check_perhaps(void)
{
	LAUNCH(1, {A, 5, 2, true}, {B, 0, 0, false});
	struct nan_story found = story();
	CHECK_EQUAL(found.origin, NAN_PERHAPS);
	CHECK_EQUAL(found.row, 1);
	CHECK_EQUAL(found.other, 1);
}

static void check_brought(void)
{
	LAUNCH(1, {A, 0, 1, true}, {B, 1, 1, false});
	LAUNCH(2, {C, 0, 1, true}, {A, 1, 1, false});
	struct nan_story found = story();
	CHECK_EQUAL(found.origin, NAN_BROUGHT);
	CHECK_EQUAL(found.row, 2);
	CHECK_EQUAL(found.n_links, 1);
	/* A launch that makes one of clean arguments later is a better beginning. */
	LAUNCH(1, {A, 0, 1, true}, {B, 1, 1, false});
	LAUNCH(2, {C, 0, 1, true}, {D, 0, 0, false});
	found = story();
	CHECK_EQUAL(found.origin, NAN_MADE);
	CHECK_EQUAL(found.row, 3);
}

static void check_unfinished(void)
{
	LAUNCH(1, {A, 0, 1, true}, {B, 0, 0, false});
	builder_view(&builder, &view);
	uint32_t id = 0;
	struct check_row *row = builder_rows(&builder, JOURNAL_CHECKS, 1, &id);
	*row = (struct check_row){.sequence = 2, .address = C, .bytes = 4, .n_rows = 1};
	CHECK_EQUAL(story().origin, NAN_MADE);
	CHECK_EQUAL(story().origin, NAN_NONE);
}

/* Numbers of rows that are not there, and launches without an end. */
static void check_hostile(void)
{
	for (uint32_t n = 0; n < 40; n++) {
		uint32_t id = 0;
		struct check_row *rows = builder_rows(&builder, JOURNAL_CHECKS, 3, &id);
		for (uint32_t i = 0; i < 3; i++)
			rows[i] = (struct check_row){.n_rows = n * n * n,
						     .index = n % (i + 1),
						     .bytes = UINT64_MAX,
						     .address = n,
						     .flags = UINT32_MAX,
						     .after = {.n_nan = n, .checksum = n}};
	}
	struct nan_story found = story();
	CHECK(found.row <= 120);
}

int main(void)
{
	builder_begin(&builder, 64);
	check_made();
	check_in_place();
	check_perhaps();
	check_brought();
	check_unfinished();
	check_hostile();
	builder_end(&builder);
	return 0;
}
