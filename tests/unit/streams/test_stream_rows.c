/*
 * test_stream_rows.c - what a stream's row says of finished work.
 */
#include "record/streams/stream_rows.h"

#include "record/journal/bundle.h"
#include "record/journal/table.h"
#include "support/check.h"

/* The call that first proved the newest finished work is named. */
static void test_finished(void)
{
	struct stream_row row = {.submitted = 9};
	streams_finished(&row, 5, 1);
	streams_finished(&row, 5, 2);
	streams_finished(&row, 4, 3);
	CHECK_EQUAL(row.synced, 5);
	CHECK_EQUAL(row.synced_by, 1);
	streams_finished(&row, 6, 4);
	CHECK_EQUAL(row.synced, 6);
	CHECK_EQUAL(row.synced_by, 4);
}

static struct file_header header = {.n_rows = 2};
static struct table table = {.header = &header};
static struct stream_row rows[2];

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_STREAMS);
	return &table;
}

void *table_row(const struct table *of, uint32_t id)
{
	CHECK(of == &table && id >= 1 && id <= 2);
	return &rows[id - 1];
}

/* Every stream's counts are kept, the last one's too. */
static void test_counts(void)
{
	for (uint32_t i = 0; i < 2; i++)
		rows[i] = (struct stream_row){.submitted = 9 + i, .synced = 7 + i, .synced_by = 3};
	streams_freeze_counts();
	for (uint32_t i = 0; i < 2; i++) {
		CHECK(rows[i].submitted_then == 9 + i && rows[i].synced_then == 7 + i);
		CHECK(rows[i].synced_by_then == 3 && rows[i].flags == STREAM_FROZEN);
	}
}

int main(void)
{
	test_finished();
	test_counts();
	return 0;
}
