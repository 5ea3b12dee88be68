/*
 * test_stream_rows.c - what a stream's row says of finished work, and the list of retired streams.
 */
#include "record/streams/stream_rows.h"

#include "record/streams/contexts.h"
#include "record/streams/retired.h"
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

/* The oldest comes first, and none is lost. */
static void test_retired(void)
{
	static struct context context;
	static struct stream streams[3];
	for (int i = 0; i < 3; i++)
		retired_add(&context, &streams[i]);
	CHECK(context.retired == &streams[0] && streams[0].next_retired == &streams[1]);
	CHECK(streams[1].next_retired == &streams[2] && !streams[2].next_retired);
	CHECK(context.newest_retired == &streams[2] && streams[1].is_retired);
}

int main(void)
{
	test_finished();
	test_retired();
	return 0;
}
