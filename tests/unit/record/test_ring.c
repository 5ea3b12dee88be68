/*
 * Unit tests of the journal's files: rings that grow, wrap, find no more memory to reserve and are
 * read while they are written.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/journal/ring.h"
#include "record/journal/table.h"
#include "support/check.h"
#include "view/bundle_view.h"

static char directory[] = "/tmp/culprit-unit-XXXXXX";
static char path[64];

static const char *fresh_file(const char *name)
{
	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	(void)unlink(path);
	return path;
}

/* Each record has its number in several places, so that a torn record shows. */
static struct journal_record numbered(uint64_t number)
{
	struct journal_record record = {.kind = RECORD_SUBMISSION,
					.sequence = number,
					.time_ns = number,
					.ordinal = number};
	record.memory.bytes = number;
	return record;
}

/*
 * Write a record in its row, all but the commit. Rows that were started before and abandoned do not
 * count.
 */
static struct journal_record *write_in_place(struct ring *ring, const struct journal_record *record)
{
	struct journal_record *row = ring_begin(ring);
	row->sequence = row->ordinal = UINT64_MAX;
	row = ring_begin(ring);
	memcpy(&row->sequence, &record->sequence, sizeof(*row) - sizeof(row->commit));
	return ring_end(ring, row);
}

/* Append records; copy every other one. */
static void append(struct ring *ring, uint64_t from, uint64_t to)
{
	for (uint64_t number = from; number < to; number++) {
		struct journal_record record = numbered(number);
		struct journal_record *row =
			number % 2 ? write_in_place(ring, &record) : ring_append(ring, &record);
		CHECK(row);
		CHECK_EQUAL(row->ordinal, number);
		CHECK(ring_newest(ring) == row);
	}
}

static struct bundle_view view_of(const struct ring *ring)
{
	static struct bundle_view view;
	memset(&view, 0, sizeof(view));
	CHECK_EQUAL(bundle_view_add(&view, ring->store.base, ring->store.backed, NULL), 0);
	return view;
}

static uint64_t count_valid(const struct bundle_view *view, uint64_t *out_newest)
{
	uint64_t n = 0;
	*out_newest = 0;
	struct journal_record record;
	for (uint64_t place = 0; place < view->rings[0].n_rows; place++) {
		if (!view_record(view, 0, place, &record))
			continue;
		CHECK(record.sequence == record.ordinal && record.time_ns == record.ordinal);
		CHECK_EQUAL(record.memory.bytes, record.ordinal);
		n++;
		if (record.ordinal > *out_newest)
			*out_newest = record.ordinal;
	}
	return n;
}

static void test_grows_then_wraps(void)
{
	enum { LENGTH = 8192, WRITTEN = 3 * LENGTH + 17 };
	struct ring ring = {0};
	CHECK_EQUAL(ring_open(&ring, fresh_file("grow"), 0, LENGTH), 0);
	CHECK(ring.header->capacity < LENGTH);
	append(&ring, 1, LENGTH - 100);
	struct bundle_view view = view_of(&ring);
	uint64_t newest = 0;
	CHECK_EQUAL(count_valid(&view, &newest), LENGTH - 101);
	append(&ring, LENGTH - 100, WRITTEN);
	view = view_of(&ring);
	CHECK_EQUAL(count_valid(&view, &newest), ring.header->capacity);
	CHECK_EQUAL(newest, WRITTEN - 1);
	store_close(&ring.store);
}

/*
 * A limit on the file's size simulates memory that cannot be reserved. The ring continues in the
 * process's private memory, and no SIGXFSZ is raised, which would end this test.
 */
static void test_full_goes_on_in_memory(void)
{
	struct ring ring = {0};
	CHECK_EQUAL(ring_open(&ring, fresh_file("full"), 0, 65536), 0);
	struct stat status;
	CHECK_EQUAL(stat(path, &status), 0);
	off_t small = status.st_size;
	struct rlimit old;
	CHECK_EQUAL(getrlimit(RLIMIT_FSIZE, &old), 0);
	struct rlimit limit = old;
	limit.rlim_cur = 300 * 1024;
	CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	append(&ring, 1, 10000);
	CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &old), 0);
	struct bundle_view view = view_of(&ring);
	uint64_t newest = 0;
	CHECK_EQUAL(count_valid(&view, &newest), 9999);
	CHECK_EQUAL(newest, 9999);
	CHECK_EQUAL(stat(path, &status), 0);
	CHECK_EQUAL(status.st_size, small);
	store_close(&ring.store);
}

static void test_refuses_links_and_existing_files(void)
{
	char target[64];
	(void)snprintf(target, sizeof(target), "%s/target", directory);
	CHECK_EQUAL(symlink(target, fresh_file("link")), 0);
	struct store store;
	CHECK_EQUAL(store_open(&store, path, 4096, 4096), -EEXIST);
	CHECK(access(target, F_OK) != 0);
	CHECK_EQUAL(store_open(&store, fresh_file("twice"), 4096, 4096), 0);
	store_close(&store);
	CHECK_EQUAL(store_open(&store, path, 4096, 4096), -EEXIST);
}

static void test_keeps_no_descriptor(void)
{
	int before = dup(0);
	struct ring ring = {0};
	CHECK_EQUAL(close(before), 0);
	CHECK_EQUAL(ring_open(&ring, fresh_file("fd"), 0, 65536), 0);
	append(&ring, 1, 5000);
	CHECK_EQUAL(dup(0), before);
	(void)close(before);
	store_close(&ring.store);
}

static void test_table_counts_what_it_loses(void)
{
	struct table table = {0};
	struct parameter_row rows[3] = {{1, 1}, {2, 2}, {3, 3}};
	CHECK_EQUAL(table_append(&table, rows, 1), 0);
	CHECK_EQUAL(table_open(&table, fresh_file("table"), JOURNAL_PARAMETERS, sizeof(*rows), 4),
		    0);
	CHECK_EQUAL(table_append(&table, rows, 3), 1);
	CHECK_EQUAL(table_append(&table, rows, 3), 0);
	CHECK_EQUAL(table_append(&table, rows, 1), 4);
	CHECK_EQUAL(table.header->lost, 3);
	CHECK_EQUAL(((struct parameter_row *)table_row(&table, 3))->size, 3);
	store_close(&table.store);
}

static struct ring shared;
static int is_done; /* atomic */

static void *write_records(void *unused)
{
	(void)unused;
	append(&shared, 1, 200000);
	__atomic_store_n(&is_done, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* Every record that a reader gets is whole, whatever the moment. */
static void test_reader_beside_writer(void)
{
	uint64_t newest = 0;
	uint64_t n = 0;
	CHECK_EQUAL(ring_open(&shared, NULL, 0, 1024), 0);
	pthread_t writer = 0;
	CHECK_EQUAL(pthread_create(&writer, NULL, write_records, NULL), 0);
	while (!__atomic_load_n(&is_done, __ATOMIC_ACQUIRE)) {
		struct bundle_view view = view_of(&shared);
		n = count_valid(&view, &newest);
	}
	CHECK_EQUAL(pthread_join(writer, NULL), 0);
	struct bundle_view view = view_of(&shared);
	n = count_valid(&view, &newest);
	CHECK_EQUAL(n, shared.header->capacity);
	CHECK_EQUAL(newest, 199999);
}

/* The last test: nothing in this process wraps after it. */
static void test_kept_rings_overwrite_nothing(void)
{
	struct ring wrapped = {0};
	struct ring fresh = {0};
	CHECK_EQUAL(ring_open(&wrapped, NULL, 0, 64), 0);
	append(&wrapped, 1, 100);
	CHECK_EQUAL(ring_open(&fresh, NULL, 0, 64), 0);
	append(&fresh, 1, 63);
	rings_freeze();
	struct journal_record record = numbered(1000);
	CHECK(!ring_append(&wrapped, &record));
	CHECK(!write_in_place(&wrapped, &record));
	struct bundle_view view = view_of(&wrapped);
	uint64_t newest = 0;
	CHECK_EQUAL(count_valid(&view, &newest), 64);
	CHECK_EQUAL(newest, 99);
	CHECK_EQUAL(wrapped.header->lost, 2);
	append(&fresh, 63, 65); /* its last two free rows */
	CHECK(!ring_append(&fresh, &record));
	view = view_of(&fresh);
	CHECK_EQUAL(count_valid(&view, &newest), 64);
	CHECK_EQUAL(newest, 64);
	CHECK_EQUAL(fresh.header->lost, 1);
}

int main(void)
{
	CHECK(mkdtemp(directory));
	test_grows_then_wraps();
	test_full_goes_on_in_memory();
	test_refuses_links_and_existing_files();
	test_keeps_no_descriptor();
	test_table_counts_what_it_loses();
	test_reader_beside_writer();
	test_kept_rings_overwrite_nothing();
	static const char *const names[] = {"grow", "full", "link", "twice", "fd", "table"};
	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		(void)unlink(fresh_file(names[i]));
	CHECK_EQUAL(rmdir(directory), 0);
	return 0;
}
