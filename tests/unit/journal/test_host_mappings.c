/*
 * test_host_mappings.c - which lines of the process's memory map get a row, and which lines share
 * one.
 */
#include "record/objects/host_mappings.h"

#include "base/journal_format.h"
#include "record/host/mappings.h"
#include "record/journal/bundle.h"
#include "record/journal/strings.h"
#include "support/check.h"

static const char *const *lines; /* NULL after the last one */
static int open_result;
static struct table table;

int bundle_open_late(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_HOST_MAPPINGS);
	return open_result;
}

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_HOST_MAPPINGS);
	return &table;
}

uint32_t table_append(struct table *to, const void *rows, uint32_t n)
{
	const struct host_mapping_row *row = rows;
	CHECK(to == &table && n == 1);
	trace_add("%" PRIx64 "-%" PRIx64 " %u\n", row->start, row->end, row->name);
	return 1;
}

/* Return the length: each text here has its own. */
uint32_t strings_intern_z(const char *string)
{
	return (uint32_t)strlen(string);
}

int mappings_walk(char *piece, bool (*visit)(char *line, void *argument), void *argument)
{
	for (size_t i = 0; lines[i]; i++) {
		CHECK(strlen(lines[i]) < MAPPING_PIECE_SIZE);
		strcpy(piece, lines[i]);
		CHECK(visit(piece, argument));
	}
	return 0;
}

static void write_of(const char *const *all)
{
	lines = all;
	host_mappings_write();
}

static void test_names(void)
{
	static const char *const all[] = {
		"1000-2000 r-xp 00000000 08:01 1234     /lib/a",
		"3000-4000 rw-p 00000000 00:00 0",
		"4000-5000 rw-p 00000000 00:00 0 ",
		"6000-7000 rw-p 00000000 00:00 0        [stack]",
		"7fff00001000-7fff00003000 rw-s 00000000 00:00 12 /dev/shm/x y",
		NULL};
	write_of(all);
	CHECK_TRACE("1000-2000 6\n3000-5000 0\n6000-7000 7\n7fff00001000-7fff00003000 12\n");
}

/* Lines that follow each other without a gap share a row if they have the same name. */
static void test_joined(void)
{
	static const char *const all[] = {"1000-2000 r-xp 00000000 08:01 1234 /lib/a",
					  "2000-3000 rw-p 00000000 08:01 1234 /lib/a",
					  "3000-4000 rw-p 00000000 08:01 1234 /lib/other",
					  "5000-6000 rw-p 00000000 08:01 1234 /lib/other",
					  "6000-7000 ---p 00000000 08:01 1234 /lib/other",
					  "7000-8000 rw-p 00000000 08:01 1234 /lib/other",
					  NULL};
	write_of(all);
	CHECK_TRACE("1000-3000 6\n3000-4000 10\n5000-6000 10\n7000-8000 10\n");
}

/* Memory of a device, memory that cannot be accessed, and parts of lines get none. */
static void test_skipped(void)
{
	static const char *const all[] = {"0-0 rw-p 00000000 00:00 0",
					  "1000-2000 rw-s 00000000 00:05 1 /dev/nvidiactl",
					  "2000-3000 ---p 00000000 00:00 0",
					  "3000 4000 rw-p 00000000 00:00 0",
					  "some/other/file",
					  "8000-9000 r--p 00000000 08:01 1 /device",
					  NULL};
	write_of(all);
	CHECK_TRACE("0-0 0\n8000-9000 7\n");
	write_of(all + 6);
	CHECK_TRACE("");
	open_result = -28;
	write_of(all);
	CHECK_TRACE("");
}

int main(void)
{
	test_names();
	test_joined();
	test_skipped();
	return 0;
}
