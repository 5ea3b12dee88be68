/*
 * test_ranges.c - which row each range of memory has, and what is in it after every call; which
 * rows are reused, and when.
 */
#include "record/objects/ranges.h"

#include "memory/plain_maps.h"
#include "record/journal/bundle.h"
#include "support/check.h"

enum { N_ROWS = 70 * 1024, N_KEPT = 64 * 1024 };

static struct range_row rows[N_ROWS + 1]; /* by id */
static uint32_t n_rows;
static struct file_header header;
static struct table table;
static bool is_full; /* the table */

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_RANGES);
	return &table;
}

void *table_row(const struct table *of, uint32_t id)
{
	CHECK(of == &table && id && id <= n_rows);
	return &rows[id];
}

bool table_holds(const struct table *of, uint32_t id, uint32_t n)
{
	CHECK(of == &table && n == 1);
	return id && id <= n_rows;
}

uint32_t table_append(struct table *to, const void *row, uint32_t n)
{
	CHECK(to == &table && n == 1 && n_rows < N_ROWS && !plain_maps.n_locks);
	if (is_full)
		return 0;
	rows[++n_rows] = *(const struct range_row *)row;
	header.n_rows = n_rows;
	return n_rows;
}

static const struct range_origin maker = {.call = 11,
					  .stack = 12,
					  .context = 13,
					  .tid = 14,
					  .stream = 15,
					  .time_ns = 16,
					  .sequence = 17};
static const struct range_origin other = {.call = 21,
					  .stack = 22,
					  .context = 23,
					  .tid = 24,
					  .stream = 25,
					  .time_ns = 26,
					  .sequence = 27};

/* The row of a new range, as add() makes it. */
static struct range_row made_row(uint64_t number, uint64_t start, enum range_kind kind)
{
	return (struct range_row){.start = start,
				  .size = 0x100,
				  .number = number,
				  .call = 11,
				  .stack = 12,
				  .state = RANGE_LIVE,
				  .context = 13,
				  .time_ns = 16,
				  .tid = 14,
				  .stream = 5,
				  .flags = RANGE_PORTABLE,
				  .kind = (uint8_t)kind,
				  .device = 3};
}

static struct range_row freed_row(uint64_t number, uint64_t start, enum range_kind kind)
{
	struct range_row row = made_row(number, start, kind);
	row.state = RANGE_FREED;
	row.freed_call = 21;
	row.freed_stack = 22;
	row.freed_after = 27;
	row.freed_ns = 26;
	row.freed_tid = 24;
	row.freed_stream = 25;
	return row;
}

static void add_mapping(uint64_t start, enum range_kind kind, uint64_t parent)
{
	const struct range_shape shape = {.start = start,
					  .size = 0x100,
					  .parent = parent,
					  .stream = 5,
					  .flags = RANGE_PORTABLE,
					  .kind = (uint8_t)kind,
					  .device = 3};
	ranges_add(&shape, &maker);
	CHECK(!plain_maps.n_locks);
}

static void add(uint64_t start, enum range_kind kind)
{
	add_mapping(start, kind, 0);
}

static void check_row(uint32_t id, struct range_row wanted)
{
	CHECK(id <= n_rows && !memcmp(&rows[id], &wanted, sizeof(wanted)));
}

/* Begin each test with empty maps; the rows stay, as do those that are queued for reuse. */
static void forget_all(void)
{
	memset(plain_maps.entries, 0, sizeof(plain_maps.entries));
}

static void test_add_and_remove(void)
{
	CHECK_EQUAL(ranges_generation(), 1);
	add(0, RANGE_DEVICE);
	CHECK(n_rows == 0 && ranges_generation() == 1);
	add(0x1000, RANGE_DEVICE);
	CHECK_EQUAL(n_rows, 1);
	check_row(1, made_row(1, 0x1000, RANGE_DEVICE));
	CHECK_EQUAL(ranges_generation(), 2);
	CHECK_EQUAL(ranges_remove(0, RANGE_DEVICE, &other), 0);
	CHECK_EQUAL(ranges_remove(0x1001, RANGE_DEVICE, &other), 0);
	check_row(1, made_row(1, 0x1000, RANGE_DEVICE));
	CHECK_EQUAL(ranges_remove(0x1000, RANGE_HOST, &other), 1);
	check_row(1, freed_row(1, 0x1000, RANGE_DEVICE));
	CHECK_EQUAL(ranges_generation(), 3);
	CHECK_EQUAL(ranges_remove(0x1000, RANGE_DEVICE, &other), 0);
	ranges_removed(1, false); /* The driver refused. */
	check_row(1, made_row(1, 0x1000, RANGE_DEVICE));
	CHECK_EQUAL(ranges_generation(), 4);
	CHECK_EQUAL(ranges_remove(0x1000, RANGE_DEVICE, &other), 1);
	ranges_removed(1, true);
	check_row(1, freed_row(1, 0x1000, RANGE_DEVICE));
	CHECK_EQUAL(ranges_generation(), 5);
	CHECK_EQUAL(ranges_remove(0x1000, RANGE_DEVICE, &other), 0);
}

/* Memory may start where reserved addresses do, and where a handle's value is. */
static void test_maps(void)
{
	static const enum range_kind kinds[] = {RANGE_MAPPED, RANGE_RESERVED, RANGE_PHYSICAL};
	forget_all();
	for (uint32_t i = 0; i < 3; i++)
		add(0x2000, kinds[i]);
	CHECK_EQUAL(n_rows, 4);
	for (uint32_t i = 0; i < 3; i++)
		check_row(2 + i, made_row(2 + i, 0x2000, kinds[i]));
	CHECK_EQUAL(ranges_remove(0x2000, RANGE_RESERVED, &other), 3);
	CHECK_EQUAL(ranges_remove(0x2000, RANGE_ARRAY, &other), 4);
	CHECK_EQUAL(ranges_remove(0x2000, RANGE_UNKNOWN, &other), 2);
	for (uint32_t i = 0; i < 3; i++)
		ranges_removed(2 + i, false);
	CHECK_EQUAL(ranges_remove(0x2000, RANGE_RESERVED, &other), 3);
	/* An older range there was freed unseen. */
	add(0x2000, RANGE_DEVICE);
	struct range_row freed = freed_row(2, 0x2000, RANGE_MAPPED);
	freed.freed_call = 11;
	freed.freed_stack = 12;
	freed.freed_after = 17;
	freed.freed_ns = 16;
	freed.freed_tid = 14;
	freed.freed_stream = 15;
	check_row(2, freed);
	check_row(5, made_row(5, 0x2000, RANGE_DEVICE));
}

/* The driver refused, but another range starts there by now, or memory is short. */
static void test_refused_too_late(void)
{
	forget_all();
	add(0x3000, RANGE_DEVICE);
	CHECK_EQUAL(ranges_remove(0x3000, RANGE_DEVICE, &other), 6);
	add(0x3000, RANGE_HOST);
	uint64_t generation = ranges_generation();
	ranges_removed(6, false);
	CHECK_EQUAL(ranges_generation(), generation);
	check_row(6, freed_row(6, 0x3000, RANGE_DEVICE));
	CHECK_EQUAL(ranges_remove(0x3000, RANGE_DEVICE, &other), 7);
	plain_maps.is_short = true;
	ranges_removed(7, false);
	check_row(7, freed_row(7, 0x3000, RANGE_HOST));
	add(0x3000, RANGE_HOST);
	plain_maps.is_short = false;
	check_row(8, made_row(8, 0x3000, RANGE_HOST));
	CHECK_EQUAL(ranges_remove(0x3000, RANGE_HOST, &other), 0);
	is_full = true;
	add(0x3000, RANGE_HOST);
	is_full = false;
	CHECK_EQUAL(ranges_remove(0x3000, RANGE_HOST, &other), 0);
	CHECK_EQUAL(n_rows, 8);
}

/* Physical memory says whether a mapping of it has a row. */
static void test_mappings(void)
{
	forget_all();
	struct range_row physical = made_row(10, 0x4000, RANGE_PHYSICAL);
	struct range_row mapped = made_row(11, 0x5000, RANGE_MAPPED);
	add(0x4000, RANGE_PHYSICAL); /* row 9 */
	is_full = true;
	add_mapping(0x5000, RANGE_MAPPED, 0x4000);
	is_full = false;
	check_row(9, physical);
	physical.flags |= RANGE_HAS_MAPPING;
	mapped.number = 12;
	mapped.parent = 9;
	add_mapping(0x5000, RANGE_MAPPED, 0x4000); /* row 10 */
	check_row(9, physical);
	check_row(10, mapped);
	CHECK_EQUAL(ranges_remove(0x5000, RANGE_MAPPED, &other), 10);
	check_row(9, made_row(10, 0x4000, RANGE_PHYSICAL));
	ranges_removed(10, false);
	check_row(9, physical);
	check_row(10, mapped);
	/* Only a mapping's end matters, and only to physical memory that has a row. */
	rows[10].kind = RANGE_DEVICE;
	CHECK_EQUAL(ranges_remove(0x5000, RANGE_MAPPED, &other), 10);
	ranges_removed(10, false);
	check_row(9, physical);
	CHECK_EQUAL(ranges_remove(0x5000, RANGE_MAPPED, &other), 10);
	rows[9].flags = RANGE_PORTABLE;
	ranges_removed(10, false);
	check_row(9, made_row(10, 0x4000, RANGE_PHYSICAL));
	rows[10].kind = RANGE_MAPPED;
	rows[9].kind = RANGE_ARRAY;
	CHECK_EQUAL(ranges_remove(0x5000, RANGE_MAPPED, &other), 10);
	ranges_removed(10, false);
	check_row(9, made_row(10, 0x4000, RANGE_ARRAY));
	rows[10].parent = n_rows + 1; /* Another process wrote that. */
	CHECK_EQUAL(ranges_remove(0x5000, RANGE_MAPPED, &other), 10);
	CHECK_EQUAL(rows[n_rows + 1].flags, 0);
	add_mapping(0x6000, RANGE_MAPPED, 0x4444); /* row 11; unknown */
	check_row(11, made_row(13, 0x6000, RANGE_MAPPED));
}

/* Adjacent ranges, from 0x7000, each of 0x100; then a gap, and one more. */
static void test_adjacent(void)
{
	forget_all();
	for (uint64_t i = 0; i < 5; i++) /* rows 12 to 16 */
		add(0x7000 + 0x100 * (i + (i == 4)), RANGE_MAPPED);
	ranges_grant(0x7000, 0x180, RANGE_CAN_READ);
	ranges_grant(0x7100, 0x100, RANGE_CAN_WRITE);
	ranges_grant(0x7300, 0x1000, RANGE_CAN_WRITE);
	ranges_grant(0x7050, 0x1000, RANGE_CAN_WRITE);
	ranges_grant(0x7200, 0, RANGE_CAN_WRITE);
	static const uint16_t flags[] = {RANGE_CAN_READ, RANGE_CAN_READ | RANGE_CAN_WRITE, 0,
					 RANGE_CAN_WRITE, 0};
	for (uint32_t i = 0; i < 5; i++) {
		CHECK_EQUAL(rows[12 + i].flags, RANGE_PORTABLE | flags[i]);
		rows[12 + i].flags = RANGE_PORTABLE;
	}
	CHECK_EQUAL(ranges_remove_all(0x7000, 0, &other), 0);
	CHECK_EQUAL(ranges_remove_all(0x7050, 0x1000, &other), 0);
	CHECK_EQUAL(ranges_remove_all(0x7100, 0x200, &other), 13);
	for (uint32_t i = 0; i < 5; i++)
		check_row(12 + i, (i == 1 || i == 2 ? freed_row : made_row)(
					  14 + i, 0x7000 + 0x100 * (i + (i == 4)), RANGE_MAPPED));
	ranges_removed(13, false);
	CHECK_EQUAL(ranges_remove_all(0x7000, 0x1000, &other), 12);
	ranges_removed(12, false);
	CHECK(rows[12].state == RANGE_LIVE && rows[13].state == RANGE_FREED);
	rows[12].size = 0; /* Another process wrote that. */
	ranges_grant(0x7000, 0x1000, RANGE_CAN_READ);
	CHECK_EQUAL(ranges_remove_all(0x7000, 0x1000, &other), 0);
	CHECK(rows[12].flags == RANGE_PORTABLE && rows[12].state == RANGE_LIVE);
}

static void test_context_end(void)
{
	forget_all();
	uint32_t first = n_rows + 1;
	for (uint64_t i = 0; i < 5; i++)
		add(0x9000 + 0x100 * i, i == 3 ? RANGE_ARRAY : RANGE_DEVICE);
	uint64_t number = rows[first].number;
	rows[first + 1].context = 0;
	CHECK_EQUAL(ranges_remove(0x9200, RANGE_DEVICE, &maker), first + 2);
	table.header = NULL;
	ranges_context_destroyed(13, &other);
	table.header = &header;
	ranges_context_destroyed(0, &other);
	ranges_context_destroyed(23, &other);
	check_row(first, made_row(number, 0x9000, RANGE_DEVICE));
	CHECK_EQUAL(rows[first + 1].state, RANGE_LIVE);
	struct range_row freed_before = rows[first + 2];
	plain_maps.entries[0].value = first + 1; /* by another context */
	CHECK_EQUAL(plain_maps.entries[0].key, 0x9000);
	ranges_context_destroyed(13, &other);
	CHECK(!plain_maps.n_locks);
	check_row(first, made_row(number, 0x9000, RANGE_DEVICE));
	CHECK_EQUAL(rows[first + 1].state, RANGE_LIVE);
	check_row(first + 2, freed_before);
	for (uint32_t i = 3; i < 5; i++) {
		struct range_row freed = freed_row(number + i, 0x9000 + 0x100 * (uint64_t)i,
						   i == 3 ? RANGE_ARRAY : RANGE_DEVICE);
		freed.flags |= RANGE_OF_CONTEXT_END;
		check_row(first + i, freed);
	}
	CHECK_EQUAL(ranges_remove(0x9400, RANGE_DEVICE, &other), 0);
}

/* A freed row is reused after N_KEPT later ones, and says nothing of its old range. */
static void test_reuse(void)
{
	for (uint32_t i = 1; i <= N_KEPT + 1; i++) {
		add(0x1000, RANGE_DEVICE);
		CHECK_EQUAL(n_rows, i);
		if (i % 2 == 0)
			continue; /* The next range there frees it. */
		CHECK_EQUAL(ranges_remove(0x1000, RANGE_DEVICE, &other), i);
		ranges_removed(i, true);
	}
	uint64_t generation = ranges_generation();
	add(0x2000, RANGE_HOST);
	CHECK_EQUAL(n_rows, N_KEPT + 1);
	CHECK_EQUAL(ranges_generation(), generation + 1);
	check_row(1, made_row(N_KEPT + 2, 0x2000, RANGE_HOST));
	check_row(3, freed_row(3, 0x1000, RANGE_DEVICE));
	add(0x3000, RANGE_DEVICE);
	check_row(N_KEPT + 2, made_row(N_KEPT + 3, 0x3000, RANGE_DEVICE));
	ranges_context_destroyed(13, &other);
	for (uint32_t i = 2; i <= 3; i++) {
		add(0x1000 * i, RANGE_DEVICE);
		check_row(i, made_row(N_KEPT + 2 + i, 0x1000 * (uint64_t)i, RANGE_DEVICE));
	}
	CHECK_EQUAL(n_rows, N_KEPT + 2);
	CHECK_EQUAL(ranges_remove(0x3000, RANGE_DEVICE, &other), 3);
	add(0x3000, RANGE_DEVICE);
	CHECK_EQUAL(n_rows, N_KEPT + 3);
	ranges_removed(3, false); /* Another range is there: this one is freed after all. */
	add(0x4000, RANGE_DEVICE);
	CHECK_EQUAL(n_rows, N_KEPT + 3);
	CHECK_EQUAL(rows[4].start, 0x4000);
}

int main(void)
{
	table.header = &header;
	check_in_child(test_reuse);
	test_add_and_remove();
	test_maps();
	test_refused_too_late();
	test_mappings();
	test_adjacent();
	test_context_end();
	return 0;
}
