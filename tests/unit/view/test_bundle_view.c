/*
 * test_bundle_view.c - good files read back, bad ones refused, and a ring read while it is written.
 */
#include "view/bundle_view.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "support/bundle_builder.h"
#include "support/check.h"
#include "view/record_walk.h"

static struct bundle_view view;

static void test_rows_read_back(void)
{
	const uint32_t sizes[] = {8, 4};
	struct bundle_builder builder;
	builder_begin(&builder, 16);
	uint32_t string = builder_string(&builder, "a string longer than one unit");
	builder_thread(&builder, 7, "first");
	builder_thread(&builder, 7, "second");
	builder_stream(&builder, builder_context(&builder, 3, "GPU"), STREAM_LEGACY, 0, 0);
	builder_function(&builder, "kernel", 2, sizes);
	builder_view(&builder, &view);

	size_t length = 0;
	CHECK_STRING(view_string(&view, string, &length), "a string longer than one unit");
	CHECK_EQUAL(length, 29);
	CHECK_STRING(view_string(&view, view_thread(&view, 7)->name, NULL), "second");
	CHECK(view_thread(&view, 8) == NULL);
	CHECK_EQUAL(view_context(&view, 1)->device, 3);
	CHECK(view_context(&view, 0) == NULL && view_context(&view, 2) == NULL);
	CHECK_EQUAL(view_stream(&view, 1)->context, 1);
	CHECK(view_stream(&view, UINT32_MAX) == NULL);
	CHECK_EQUAL(view_parameter(&view, view_function(&view, 1)->first_parameter + 1)->offset, 8);
	CHECK(view_failure(&view) == NULL && view_module(&view, 1) == NULL);
	builder_end(&builder);
}

static void test_bad_strings_are_empty(void)
{
	struct bundle_builder builder;
	builder_begin(&builder, 16);
	uint32_t first = builder_string(&builder, "first");
	uint32_t last = builder_string(&builder, "abc");
	builder_view(&builder, &view);
	CHECK_STRING(view_string(&view, 0, NULL), "");
	CHECK_STRING(view_string(&view, last + 1, NULL), "");

	unsigned char *row = builder.tables[JOURNAL_STRINGS].bytes + sizeof(struct file_header);
	memset(row, 0xff, 4); /* a length far past the file */
	CHECK_STRING(view_string(&view, first, NULL), "");
	row += (last - 1) * (size_t)STRING_UNIT;
	row[0] = 4; /* the terminating NUL would lie past the end */
	CHECK_STRING(view_string(&view, last, NULL), "");
	row[0] = 2; /* no NUL where the string ends */
	CHECK_STRING(view_string(&view, last, NULL), "");
	row[0] = 3;
	CHECK_STRING(view_string(&view, last, NULL), "abc");
	builder_end(&builder);
}

static int add_changed(const struct file_header *header, size_t size)
{
	union {
		struct file_header header;
		unsigned char bytes[512];
	} file = {.header = *header};
	memset(&view, 0, sizeof(view));
	return bundle_view_add(&view, &file, size, NULL);
}

static void test_headers_are_checked(void)
{
	const struct file_header good = {.magic = JOURNAL_MAGIC,
					 .kind = JOURNAL_THREADS,
					 .header_size = 64,
					 .row_size = sizeof(struct thread_row),
					 .n_rows = 2};
	CHECK_EQUAL(add_changed(&good, 512), 0);
	CHECK_EQUAL(view.tables[JOURNAL_THREADS].n_rows, 2);
	CHECK_EQUAL(add_changed(&good, 63), -EBADMSG);
	CHECK_EQUAL(add_changed(&good, 0), -EBADMSG);
	struct file_header bad;
	CHECK_EQUAL((bad = good, bad.magic++, add_changed(&bad, 512)), -EBADMSG);
	CHECK_EQUAL((bad = good, bad.kind = 0, add_changed(&bad, 512)), -EBADMSG);
	CHECK_EQUAL((bad = good, bad.kind = N_JOURNAL_FILES, add_changed(&bad, 512)), -EBADMSG);
	CHECK_EQUAL((bad = good, bad.header_size = 56, add_changed(&bad, 512)), -EBADMSG);
	CHECK_EQUAL((bad = good, bad.header_size = 513, add_changed(&bad, 512)), -EBADMSG);
	CHECK_EQUAL((bad = good, bad.row_size = 8, add_changed(&bad, 512)), -EBADMSG);
	CHECK_EQUAL((bad = good, bad.row_size = 17, add_changed(&bad, 512)), -EBADMSG);
	CHECK_EQUAL((bad = good, bad.row_size = 0, add_changed(&bad, 512)), -EBADMSG);
	CHECK_EQUAL((bad = good, bad.incompatible_flags = 2, add_changed(&bad, 512)),
		    -EPROTONOSUPPORT);
	CHECK_EQUAL((bad = good, bad.compatible_flags = ~0u, add_changed(&bad, 512)), 0);
	bad = good;
	bad.kind = JOURNAL_RING;
	bad.row_size = sizeof(struct journal_record);
	bad.slot = VIEW_MAX_RINGS;
	CHECK_EQUAL(add_changed(&bad, 512), -ENOSPC);
	CHECK_EQUAL(view.n_rings, 0);
}

/* Rows of a later version are longer: the known members are read, the rest is stepped over. */
static void test_longer_rows(void)
{
	struct {
		struct file_header header;
		struct {
			struct thread_row row;
			uint64_t later[3];
		} rows[3];
	} file = {.header = {.magic = JOURNAL_MAGIC,
			     .kind = JOURNAL_THREADS,
			     .header_size = sizeof(struct file_header),
			     .row_size = sizeof(file.rows[0]),
			     .n_rows = 3}};
	file.rows[2].row.tid = 42;
	memset(&view, 0, sizeof(view));
	bool is_cut = false;
	CHECK_EQUAL(bundle_view_add(&view, &file, sizeof(file), &is_cut), 0);
	CHECK(!is_cut);
	CHECK(view_thread(&view, 42) == &file.rows[2].row);
	/* One byte short: the last row is not whole. */
	CHECK_EQUAL(bundle_view_add(&view, &file, sizeof(file) - 1, &is_cut), 0);
	CHECK(is_cut);
	CHECK_EQUAL(view.tables[JOURNAL_THREADS].n_rows, 2);
	CHECK(view_thread(&view, 42) == NULL);
}

static void test_ring_places(void)
{
	struct bundle_builder builder;
	builder_begin(&builder, 4);
	uint32_t stream =
		builder_stream(&builder, builder_context(&builder, 0, ""), STREAM_LEGACY, 0, 0);
	for (int i = 0; i < 6; i++)
		builder_submit(&builder, 1, stream, WORK_COPY);
	builder_view(&builder, &view);
	struct journal_record record;
	CHECK(view_record(&view, 0, 1, &record));
	CHECK_EQUAL(record.sequence, 6); /* it overwrote the second */
	CHECK(view_record(&view, 0, 2, &record));
	CHECK_EQUAL(record.sequence, 3);
	CHECK(!view_record(&view, 0, 4, &record));
	CHECK(!view_record(&view, 1, 0, &record));

	/* A commit word of another place, and one of a row being written. */
	builder_submit(&builder, 1, stream, WORK_COPY)->commit++;
	CHECK(!view_record(&view, 0, 2, &record));
	builder_submit(&builder, 1, stream, WORK_COPY)->commit = 0;
	CHECK(!view_record(&view, 0, 3, &record));
	builder_end(&builder);
}

/* A walk visits the rings in order, skips a torn record and stays at its end. */
static void test_walk(void)
{
	struct bundle_builder builder;
	builder_begin(&builder, 4);
	uint32_t stream =
		builder_stream(&builder, builder_context(&builder, 0, ""), STREAM_LEGACY, 0, 0);
	for (uint32_t tid = 1; tid <= 3; tid++)
		for (int i = 0; i < 2; i++)
			builder_submit(&builder, tid, stream, WORK_COPY)->commit *= tid != 2 || i;
	builder_view(&builder, &view);
	struct record_walk walk = {.view = &view};
	static const uint64_t expected[][3] = {
		{0, 0, 1}, {0, 1, 2}, {1, 1, 4}, {2, 0, 5}, {2, 1, 6}}; /* the third is torn */
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		CHECK(record_walk_next(&walk));
		CHECK_EQUAL(walk.slot, expected[i][0]);
		CHECK_EQUAL(walk.position, expected[i][1]);
		CHECK_EQUAL(walk.record.sequence, expected[i][2]);
	}
	CHECK(!record_walk_next(&walk));
	CHECK(!record_walk_next(&walk));
	builder_end(&builder);
}

/* A ring cut in the middle still knows where it wraps. */
static void test_ring_cut_short(void)
{
	struct bundle_builder builder;
	builder_begin(&builder, 8);
	builder_stream(&builder, 0, STREAM_LEGACY, 0, 0);
	for (int i = 0; i < 11; i++)
		builder_submit(&builder, 1, 1, WORK_COPY);
	memset(&view, 0, sizeof(view));
	struct journal_record record;
	bool is_cut = false;
	CHECK_EQUAL(bundle_view_add(&view, builder.rings[0].bytes,
				    sizeof(struct file_header) + 5 * sizeof(record) - 1, &is_cut),
		    0);
	CHECK(is_cut);
	CHECK_EQUAL(view.rings[0].n_rows, 4);
	CHECK(view_record(&view, 0, 2, &record));
	CHECK_EQUAL(record.sequence, 11);
	CHECK(view_record(&view, 0, 3, &record));
	CHECK_EQUAL(record.sequence, 4);
	builder_end(&builder);
}

static void test_arguments(void)
{
	unsigned char got[200] = {0};
	unsigned char bytes[200];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i + 1);
	struct bundle_builder builder;
	builder_begin(&builder, 8);
	builder_stream(&builder, 0, STREAM_LEGACY, 0, 0);
	for (int i = 0; i < 6; i++)
		builder_submit(&builder, 1, 1, WORK_COPY);
	struct journal_record *record =
		builder_launch(&builder, 1, 1, 0, bytes, sizeof(bytes)); /* wraps the ring */
	builder_view(&builder, &view);
	CHECK_EQUAL(view_arguments(&view, 0, record, got, sizeof(got)), 200);
	CHECK(memcmp(got, bytes, sizeof(bytes)) == 0);
	memset(got, 0, sizeof(got));
	CHECK_EQUAL(view_arguments(&view, 0, record, got, 100), 100);
	CHECK(memcmp(got, bytes, 100) == 0 && got[100] == 0);

	/* The second of its three rows is overwritten: only the first one's bytes are sure. */
	((struct journal_record *)(void *)(builder.rings[0].bytes + 64))[7].commit += 8;
	CHECK_EQUAL(view_arguments(&view, 0, record, got, sizeof(got)), RECORD_PAYLOAD);
	record->launch.n_argument_rows = UINT16_MAX; /* more than were ever written */
	CHECK_EQUAL(view_arguments(&view, 0, record, got, sizeof(got)), 0);
	record->commit = 0;
	CHECK_EQUAL(view_arguments(&view, 0, record, got, sizeof(got)), 0);
	builder_end(&builder);
}

static void test_stacks_never_cycle(void)
{
	struct bundle_builder builder;
	builder_begin(&builder, 4);
	uint32_t inner = builder_stack(&builder, 0, 0, 1);
	for (int i = 0; i < 3; i++)
		inner = builder_stack(&builder, inner, 0, 2);
	builder_stack(&builder, 6, 0, 3); /* 5 and 6: each other's parent */
	builder_stack(&builder, 5, 0, 4);
	builder_stack(&builder, 7, 0, 5); /* its own parent */
	builder_stack(&builder, 99, 0, 6);
	builder_view(&builder, &view);
	uint32_t ids[8];
	CHECK_EQUAL(view_stack_frames(&view, inner, ids, 8), 4);
	CHECK(ids[0] == 4 && ids[3] == 1);
	CHECK_EQUAL(view_stack_frames(&view, inner, ids, 2), 2);
	CHECK_EQUAL(view_stack_frames(&view, 6, ids, 8), 2);
	CHECK_EQUAL(view_stack_frames(&view, 7, ids, 8), 1);
	CHECK_EQUAL(view_stack_frames(&view, 8, ids, 8), 1);
	CHECK_EQUAL(view_stack_frames(&view, 0, ids, 8), 0);
	CHECK_EQUAL(view_stack_frames(&view, 9, ids, 8), 0);
	builder_end(&builder);
}

static void test_ends_are_no_frames(void)
{
	struct bundle_builder builder;
	builder_begin(&builder, 4);
	uint32_t end = builder_stack(&builder, 0, STACK_END, STACK_END_LIMIT);
	uint32_t outer = builder_stack(&builder, end, 0, 0x1000);
	uint32_t inner = builder_stack(&builder, outer, 0, 0x2000);
	uint32_t whole = builder_stack(&builder, 0, 0, 0x1000);
	uint32_t python = builder_stack(&builder, inner, STACK_PYTHON, 0);
	uint32_t hostile = builder_stack(&builder, 7, STACK_END, UINT64_MAX);
	builder_view(&builder, &view);
	uint32_t ids[8];
	CHECK_EQUAL(view_stack_frames(&view, inner, ids, 8), 2);
	CHECK(ids[0] == inner && ids[1] == outer);
	CHECK_EQUAL(view_stack_end(&view, inner), STACK_END_LIMIT);
	CHECK_EQUAL(view_stack_end(&view, python), STACK_END_LIMIT);
	CHECK_EQUAL(view_stack_end(&view, whole), 0);
	CHECK_EQUAL(view_stack_end(&view, 0), 0);
	CHECK_EQUAL(view_stack_end(&view, hostile), N_STACK_ENDS - 1);
	CHECK_EQUAL(view_stack_frames(&view, hostile, ids, 8), 0);
	((struct file_header *)(void *)builder.tables[JOURNAL_STACKS].bytes)->lost = 1;
	builder_view(&builder, &view);
	CHECK_EQUAL(view_stack_end(&view, whole), STACK_END_FULL);
	CHECK_EQUAL(view_stack_end(&view, inner), STACK_END_FULL | STACK_END_LIMIT);
	builder_end(&builder);
}

static void test_ranges_in_use(void)
{
	struct bundle_builder builder;
	builder_begin(&builder, 4);
	uint32_t id = builder_range(&builder, 0x1000, 64, 0);
	builder_view(&builder, &view);
	struct range_row range;
	CHECK(view_range_copy(&view, id, &range));
	CHECK_EQUAL(range.size, 64);
	builder_range_row(&builder, id)->state = 0;
	CHECK(!view_range_copy(&view, id, &range));
	builder_range_row(&builder, id)->state = 77;
	CHECK(!view_range_copy(&view, id, &range));
	CHECK(!view_range_copy(&view, id + 1, &range));
	builder_end(&builder);
}

enum { RACE_PLACES = 4, RACE_ROWS = 20000 };

struct race {
	struct file_header header;
	_Atomic uint64_t words[RACE_PLACES][sizeof(struct journal_record) / sizeof(uint64_t)];
};

/* The protocol of journal_format.h, with a row whose words all have its number. */
static void *write_ring(void *argument)
{
	struct race *race = argument;
	for (uint64_t number = 0; number < RACE_ROWS; number++) {
		_Atomic uint64_t *row = race->words[number % RACE_PLACES];
		atomic_store_explicit(&row[0], 0, memory_order_relaxed);
		for (size_t i = 1; i < sizeof(struct journal_record) / sizeof(uint64_t); i++)
			atomic_store_explicit(&row[i], number, memory_order_release);
		atomic_store_explicit(&row[0], number + 1, memory_order_release);
	}
	return NULL;
}

/* No record may come out torn while its owner wraps the ring. */
static void test_ring_read_while_written(void)
{
	static struct race race = {.header = {.magic = JOURNAL_MAGIC,
					      .kind = JOURNAL_RING,
					      .header_size = sizeof(struct file_header),
					      .row_size = sizeof(struct journal_record),
					      .capacity = RACE_PLACES}};
	struct journal_record record = {0};
	memset(&view, 0, sizeof(view));
	CHECK_EQUAL(bundle_view_add(&view, &race, sizeof(race), NULL), 0);
	pthread_t writer = 0;
	CHECK_EQUAL(pthread_create(&writer, NULL, write_ring, &race), 0);
	for (uint64_t i = 0; record.commit != RACE_ROWS; i++) {
		if (!view_record(&view, 0, i % RACE_PLACES, &record))
			continue;
		CHECK_EQUAL(record.sequence, record.commit - 1);
		CHECK_EQUAL(record.ordinal, record.commit - 1);
		CHECK_EQUAL(record.argument_bytes[RECORD_PAYLOAD - 8], (record.commit - 1) & 0xff);
	}
	CHECK_EQUAL(pthread_join(writer, NULL), 0);
}

/*
 * The launch is found by thread and time. A row with a wrong size, or one being written, is
 * ignored.
 */
static void test_whole_arguments(void)
{
	static unsigned char got[WHOLE_ARGUMENTS_MAX + 8];
	struct bundle_builder builder;
	builder_begin(&builder, 8);
	builder_stream(&builder, 0, STREAM_LEGACY, 0, 0);
	uint32_t id = 0;
	struct whole_arguments_row *rows = builder_rows(&builder, JOURNAL_WHOLE_ARGUMENTS, 2, &id);
	const struct journal_record *launched = builder_launch(&builder, 1, 1, 0, "abcdefgh", 8);
	struct journal_record record = *launched;
	rows[0] = (struct whole_arguments_row){
		.time_ns = record.time_ns, .tid = 2, .size = WHOLE_ARGUMENTS_MAX};
	rows[1] = (struct whole_arguments_row){
		.time_ns = record.time_ns, .tid = 1, .size = WHOLE_ARGUMENTS_MAX};
	rows[1].bytes[WHOLE_ARGUMENTS_MAX - 1] = 77;
	builder_view(&builder, &view);
	CHECK_EQUAL(view_arguments(&view, 0, &record, got, sizeof(got)), 8); /* it had no more */
	record.flags = RECORD_ARGUMENTS_CUT;
	CHECK_EQUAL(view_arguments(&view, 0, &record, got, sizeof(got)), WHOLE_ARGUMENTS_MAX);
	CHECK_EQUAL(got[WHOLE_ARGUMENTS_MAX - 1], 77);
	CHECK_EQUAL(view_arguments(&view, 0, &record, got, 100), 100);
	rows[1].size = WHOLE_ARGUMENTS_MAX + 1;
	CHECK_EQUAL(view_arguments(&view, 0, &record, got, sizeof(got)), 8);
	CHECK(memcmp(got, "abcdefgh", 8) == 0);
	rows[1].size = 16;
	CHECK_EQUAL(view_arguments(&view, 0, &record, got, sizeof(got)), 16);
	rows[1].time_ns = 0;
	record.time_ns = 0;
	CHECK_EQUAL(view_arguments(&view, 0, &record, got, sizeof(got)), 8);
	builder_end(&builder);
}

int main(void)
{
	test_rows_read_back();
	test_bad_strings_are_empty();
	test_headers_are_checked();
	test_longer_rows();
	test_ring_places();
	test_walk();
	test_ring_cut_short();
	test_arguments();
	test_whole_arguments();
	test_stacks_never_cycle();
	test_ends_are_no_frames();
	test_ranges_in_use();
	test_ring_read_while_written();
	return 0;
}
