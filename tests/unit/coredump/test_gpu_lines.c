/*
 * test_gpu_lines.c - line tables of DWARF 2 to 5, as the host's compiler writes them into this very
 * program; and tables that are wrong.
 */
#include <errno.h>
#include <unistd.h>

#include "coredump/elf_sections.h"
#include "coredump/gpu_line.h"
#include "support/check.h"
#include "support/gpu_lines_target.h"

static struct byte_span content(const struct elf_sections *file, const char *name)
{
	struct elf_section section;
	return elf_section_named(file, name, &section) ? section.content
						       : (struct byte_span){NULL, 0};
}

static struct gpu_line_tables open_self(void **out_bytes)
{
	FILE *self = fopen("/proc/self/exe", "rb");
	CHECK(self && fseek(self, 0, SEEK_END) == 0);
	long size = ftell(self);
	rewind(self);
	*out_bytes = malloc((size_t)size);
	CHECK(*out_bytes && fread(*out_bytes, 1, (size_t)size, self) == (size_t)size);
	(void)fclose(self);
	struct elf_sections file;
	CHECK_EQUAL(elf_sections_open((struct byte_span){*out_bytes, (size_t)size}, &file), 0);
	return (struct gpu_line_tables){.lines = content(&file, ".debug_line"),
					.line_strings = content(&file, ".debug_line_str"),
					.strings = content(&file, ".debug_str")};
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

enum { FUNCTION_LINES = 8 };

static void check_line(const struct gpu_line_tables *tables, int (*function)(int), int line)
{
	struct gpu_line found;
	CHECK(gpu_lines_find(tables, (uint64_t)(uintptr_t)function, &found, 1));
	CHECK_STRING(base_name(found.file), "gpu_lines_target.c");
	/* The compiler chooses the line that the first instruction belongs to. */
	CHECK(found.line >= (uint32_t)line && found.line <= (uint32_t)line + FUNCTION_LINES);
}

static void test_versions(const struct gpu_line_tables *tables)
{
	check_line(tables, lines_target_2, lines_target_2_line);
	check_line(tables, lines_target_3, lines_target_3_line);
	check_line(tables, lines_target_4, lines_target_4_line);
	check_line(tables, lines_target_5, lines_target_5_line);
}

/* Is a unit of this version in the section? If not, the test above proves nothing about it. */
static bool has_version(struct byte_span lines, uint16_t version)
{
	for (uint64_t at = 0; at + 6 <= lines.size; at += 4 + (uint64_t)span_u32(lines, at)) {
		if (span_u16(lines, at + 4) == version)
			return true;
	}
	return false;
}

static void test_no_line(const struct gpu_line_tables *tables)
{
	struct gpu_line found = {.line = 77};
	CHECK(!gpu_lines_find(tables, 16, &found, 1));
	CHECK(!gpu_lines_find(tables, UINT64_MAX, &found, 1));
	CHECK_EQUAL(found.line, 77);
	CHECK(!gpu_lines_find(&(struct gpu_line_tables){.lines = {NULL, 0}}, 16, &found, 1));
}

/* Cut short anywhere, the answer is the right one or none. */
static void test_cut(const struct gpu_line_tables *tables)
{
	uint64_t address = (uint64_t)(uintptr_t)lines_target_5;
	struct gpu_line_tables cut = *tables;
	struct gpu_line whole;
	CHECK(gpu_lines_find(tables, address, &whole, 1));
	struct gpu_line found;
	for (size_t size = 0; size < tables->lines.size; size++) {
		unsigned char *copy = malloc(size ? size : 1);
		CHECK(copy);
		memcpy(copy, tables->lines.bytes, size);
		cut.lines = (struct byte_span){copy, size};
		if (gpu_lines_find(&cut, address, &found, 1))
			CHECK_EQUAL(found.line, whole.line);
		free(copy);
	}
}

int main(void)
{
	void *bytes = NULL;
	struct gpu_line_tables tables = open_self(&bytes);
	test_versions(&tables);
	CHECK(has_version(tables.lines, 5));
	CHECK(has_version(tables.lines, 3) || has_version(tables.lines, 2));
	test_no_line(&tables);
	test_cut(&tables);
	free(bytes);
	return 0;
}
