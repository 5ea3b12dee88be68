/*
 * Unit tests of numbers that are owed: when they are assigned, and when they no longer can be.
 */
#include <stddef.h>

#include "base/journal_format.h"
#include "record/streams/late_numbers.h"
#include "record/streams/stream_lock.h"
#include "support/check.h"

enum { TID = 1, SUBMITTED = 7 };

static bool is_held;     /* by another thread: the stream's lock */
static bool has_failed;  /* the process has: no number is assigned any more */
static unsigned n_notes; /* of work that is lost */
static unsigned n_waits; /* for the lock, as long as a submitter would */

static struct stream_row row;
static struct stream stream = {.row = &row};
static struct stream other = {.row = &row};
static bool other_is_free; /* though the first is held */

bool streams_lock_after(struct stream *locked, uint32_t tid, uint64_t call_ns)
{
	CHECK(tid == TID && call_ns == 0);
	return !is_held || (locked == &other && other_is_free);
}

bool streams_lock_slowly(struct stream *locked, uint32_t tid)
{
	(void)locked;
	CHECK(tid == TID);
	n_waits++;
	return !is_held;
}

void futex_lock_release_slowly(struct futex_lock *lock, uint32_t owner)
{
	(void)lock;
	(void)owner;
}

uint64_t streams_number_late(struct stream *numbered, struct journal_record *record)
{
	if (has_failed)
		return numbered->row->submitted;
	numbered->row->submitted++;
	if (record)
		record->ordinal = numbered->row->submitted;
	return numbered->row->submitted;
}

void streams_note_lost(void)
{
	n_notes++;
}

static struct late_numbers late;
static struct journal_record records[LATE_NUMBERS + 1];
static uint64_t told; /* in the ring's header */

static void owe_one(struct journal_record *record)
{
	late_numbers_owe(&late, TID, &stream, record, &told);
}

static void owe(uint32_t n)
{
	row.submitted = SUBMITTED;
	n_notes = 0;
	for (uint32_t i = 0; i < n; i++) {
		records[i] = (struct journal_record){.sequence = i + 1};
		owe_one(&records[i]);
	}
	CHECK_EQUAL(told, 1);
}

static void check_given(uint64_t submitted, unsigned expected_notes)
{
	is_held = false;
	CHECK(late_numbers_give(&late));
	CHECK_EQUAL(row.submitted, submitted);
	CHECK_EQUAL(n_notes, expected_notes);
	CHECK_EQUAL(late.n, 0);
	CHECK_EQUAL(told, 0);
}

static void test_given(void)
{
	owe(2);
	is_held = true;
	CHECK(!late_numbers_give(&late));
	CHECK_EQUAL(told, 1);
	CHECK_EQUAL(records[0].ordinal, 0);
	check_given(SUBMITTED + 2, 0);
	CHECK_EQUAL(records[0].ordinal, SUBMITTED + 1);
	CHECK_EQUAL(records[1].ordinal, SUBMITTED + 2);
}

/* The work has its number; the count shows that no record has it. */
static void test_forgotten_row(void)
{
	owe(1);
	records[0].sequence = 100;
	check_given(SUBMITTED + 1, 0);
	CHECK_EQUAL(records[0].ordinal, 0);
}

static void test_lost(void)
{
	owe(1);
	stream.n_lives++;
	check_given(SUBMITTED, 1);

	late_numbers_owe(NULL, TID, &stream, &records[0], &told);
	owe_one(NULL);
	CHECK_EQUAL(n_notes, 3);
	CHECK_EQUAL(told, 0);

	owe(LATE_NUMBERS + 1);
	CHECK_EQUAL(n_notes, 1);
	check_given(SUBMITTED + LATE_NUMBERS, 1);
}

/* The number in the ring's header at the failure does not change. */
static void test_failed(void)
{
	owe(2);
	has_failed = true;
	CHECK(!late_numbers_give(&late));
	CHECK_EQUAL(told, 1);
	late_numbers_end(&late);
	CHECK_EQUAL(told, 1);
	CHECK_EQUAL(n_notes, 1);
	has_failed = false;
	n_waits = 0;
	CHECK(late_numbers_give(&late));
}

/* The second of two streams can be locked. */
static void test_oldest(void)
{
	owe(2);
	late.of[1].stream = &other;
	is_held = true;
	other_is_free = true;
	CHECK(!late_numbers_give(&late));
	CHECK_EQUAL(late.n, 1);
	CHECK_EQUAL(told, 1);
	late.of[0].stream = &other;
	CHECK(late_numbers_give(&late));
	CHECK_EQUAL(told, 0);
	is_held = other_is_free = false;
}

static void test_end(void)
{
	owe(3);
	is_held = true;
	stream.lock.state = TID + 1;
	late_numbers_end(&late);
	CHECK_EQUAL(n_notes, 1);
	CHECK_EQUAL(n_waits, 3);
	CHECK_EQUAL(late.n, 0);
	is_held = false;
	stream.lock.state = 0;
	owe(1);
	late_numbers_end(&late);
	CHECK_EQUAL(n_notes, 0);
	CHECK_EQUAL(records[0].ordinal, SUBMITTED + 1);
}

int main(void)
{
	test_given();
	test_forgotten_row();
	test_lost();
	test_failed();
	test_oldest();
	test_end();
	return 0;
}
