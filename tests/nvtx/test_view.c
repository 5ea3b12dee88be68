/*
 * Unit tests of reading NVTX ranges from a ring: several rows that describe one set, rows of other
 * threads, and rows that no shim would write.
 */
#include "support/bundle_builder.h"
#include "support/check.h"
#include "view/nvtx_view.h"

enum { TID = 7, OTHER_TID = 8, CAPACITY = 64 };

static struct bundle_builder builder;
static struct bundle_view view;
static uint32_t stream;

static void begin(void)
{
	builder_begin(&builder, CAPACITY);
	stream = builder_stream(&builder, builder_context(&builder, 0, "device"), STREAM_LEGACY, 0,
				0);
}

static struct record_nvtx *add_range(uint32_t tid, enum nvtx_scope scope, uint8_t index,
				     uint8_t n_thread, uint8_t n_process, const char *text)
{
	struct journal_record *record = builder_record(&builder, tid, RECORD_NVTX);

	record->nvtx = (struct record_nvtx){.scope = (uint8_t)scope,
					    .index = index,
					    .n_open = {n_thread, n_process},
					    .text_size = (uint8_t)strlen(text)};
	memcpy(record->nvtx.text, text, strlen(text));
	return &record->nvtx;
}

static struct journal_record *submit(uint16_t flags)
{
	struct journal_record *record = builder_submit(&builder, TID, stream, WORK_MEMOP);

	record->flags = flags;
	return record;
}

static bool read_ranges(const struct journal_record *record, struct nvtx_ranges *out)
{
	builder_view(&builder, &view);
	return view_nvtx(&view, 0, record, out);
}

static void check_range(const struct nvtx_ranges *ranges, enum nvtx_scope scope, uint32_t index,
			const char *text)
{
	struct record_nvtx range;

	CHECK(view_nvtx_range(&view, 0, ranges, scope, index, &range));
	CHECK_EQUAL(range.text_size, strlen(text));
	CHECK(memcmp(range.text, text, strlen(text)) == 0);
}

static void test_newest_row_of_each_index(void)
{
	struct nvtx_ranges ranges;

	begin();
	add_range(TID, NVTX_OF_PROCESS, 0, 2, 1, "old load");
	add_range(TID, NVTX_OF_THREAD, 0, 2, 1, "train");
	add_range(TID, NVTX_OF_THREAD, 1, 2, 1, "step 1");
	(void)submit(RECORD_IN_RANGES);
	add_range(TID, NVTX_OF_PROCESS, 0, 3, 1, "load");
	add_range(TID, NVTX_OF_THREAD, 1, 3, 1, "step 2");
	add_range(TID, NVTX_OF_THREAD, 2, 3, 1, "backward")->n_unkept = 5;
	CHECK(read_ranges(submit(RECORD_IN_RANGES), &ranges));
	CHECK_EQUAL(ranges.n_open[NVTX_OF_THREAD], 3);
	CHECK_EQUAL(ranges.n_open[NVTX_OF_PROCESS], 1);
	CHECK_EQUAL(ranges.n_unkept, 5);
	check_range(&ranges, NVTX_OF_THREAD, 0, "train");
	check_range(&ranges, NVTX_OF_THREAD, 1, "step 2");
	check_range(&ranges, NVTX_OF_THREAD, 2, "backward");
	check_range(&ranges, NVTX_OF_PROCESS, 0, "load");
	builder_end(&builder);
}

static void test_ranges_that_ended(void)
{
	struct nvtx_ranges ranges;

	begin();
	add_range(TID, NVTX_OF_THREAD, 0, 2, 0, "train");
	add_range(TID, NVTX_OF_THREAD, 1, 2, 0, "step");
	(void)submit(RECORD_IN_RANGES);
	add_range(TID, NVTX_OF_THREAD, 0, 1, 0, "train");
	CHECK(read_ranges(submit(RECORD_IN_RANGES), &ranges));
	CHECK_EQUAL(ranges.n_open[NVTX_OF_THREAD], 1);
	CHECK(!read_ranges(submit(0), &ranges));
	builder_end(&builder);
}

/* Two threads use one ring, one after the other. */
static void test_rows_of_another_thread(void)
{
	struct nvtx_ranges ranges;
	struct journal_record *record;

	begin();
	add_range(TID, NVTX_OF_THREAD, 0, 1, 0, "own");
	record = builder_record(&builder, TID, RECORD_NVTX);
	record->tid = OTHER_TID;
	record->nvtx = (struct record_nvtx){.n_open = {1, 0}, .text_size = 5, .text = "other"};
	CHECK(read_ranges(submit(RECORD_IN_RANGES), &ranges));
	check_range(&ranges, NVTX_OF_THREAD, 0, "own");
	builder_end(&builder);
}

/* Rows that the ring has overwritten are missing; the others are there. */
static void test_overwritten_rows(void)
{
	struct journal_record *record;
	struct nvtx_ranges ranges;
	struct record_nvtx range;

	begin();
	add_range(TID, NVTX_OF_THREAD, 0, 2, 0, "train");
	for (int i = 0; i < CAPACITY - 3; i++)
		(void)builder_record(&builder, TID, RECORD_SYNC);
	add_range(TID, NVTX_OF_THREAD, 1, 2, 0, "step");
	record = submit(RECORD_IN_RANGES);
	CHECK(read_ranges(record, &ranges));
	check_range(&ranges, NVTX_OF_THREAD, 0, "train");
	(void)builder_record(&builder, TID, RECORD_SYNC);
	(void)builder_record(&builder, TID, RECORD_SYNC);
	CHECK(!view_nvtx_range(&view, 0, &ranges, NVTX_OF_THREAD, 0, &range));
	CHECK(read_ranges(record, &ranges));
	CHECK_EQUAL(ranges.n_open[NVTX_OF_THREAD], 2);
	CHECK(!view_nvtx_range(&view, 0, &ranges, NVTX_OF_THREAD, 0, &range));
	check_range(&ranges, NVTX_OF_THREAD, 1, "step");
	for (int i = 0; i < CAPACITY; i++)
		(void)builder_record(&builder, TID, RECORD_SYNC);
	CHECK(!read_ranges(submit(RECORD_IN_RANGES), &ranges));
	builder_end(&builder);
}

static void test_hostile_rows(void)
{
	struct nvtx_ranges ranges;
	struct record_nvtx range;
	struct journal_record record;

	begin();
	add_range(TID, NVTX_OF_THREAD, 0, UINT8_MAX, UINT8_MAX, "x")->text_size = UINT8_MAX;
	add_range(TID, NVTX_OF_THREAD, UINT8_MAX, UINT8_MAX, UINT8_MAX, "far");
	add_range(TID, (enum nvtx_scope)200, 0, 1, 1, "nowhere");
	record = *submit(RECORD_IN_RANGES);
	CHECK(read_ranges(&record, &ranges));
	CHECK_EQUAL(ranges.n_open[NVTX_OF_THREAD], NVTX_MAX_OPEN);
	CHECK_EQUAL(ranges.n_open[NVTX_OF_PROCESS], NVTX_MAX_OPEN);
	CHECK(view_nvtx_range(&view, 0, &ranges, NVTX_OF_THREAD, 0, &range));
	CHECK_EQUAL(range.text_size, NVTX_TEXT_MAX);
	CHECK(!view_nvtx_range(&view, 0, &ranges, NVTX_OF_THREAD, NVTX_MAX_OPEN - 1, &range));
	CHECK(!view_nvtx(&view, 1, &record, &ranges));
	record.commit = 0;
	CHECK(!view_nvtx(&view, 0, &record, &ranges));
	record.commit = UINT64_MAX;
	CHECK(!view_nvtx(&view, 0, &record, &ranges));
	builder_end(&builder);
}

/* A header's capacity may be any number; only rows that exist are read. */
static void test_hostile_capacity(void)
{
	struct nvtx_ranges ranges;
	struct journal_record record;

	begin();
	add_range(TID, NVTX_OF_THREAD, 0, 2, 0, "train");
	record = *submit(RECORD_IN_RANGES);
	((struct file_header *)(void *)builder.rings[0].bytes)->capacity = 1ull << 60;
	CHECK(read_ranges(&record, &ranges));
	check_range(&ranges, NVTX_OF_THREAD, 0, "train");
	record.commit = 1ull << 59;
	CHECK(!read_ranges(&record, &ranges));
	builder_end(&builder);
}

int main(void)
{
	test_newest_row_of_each_index();
	test_ranges_that_ended();
	test_rows_of_another_thread();
	test_overwritten_rows();
	test_hostile_rows();
	test_hostile_capacity();
	return 0;
}
