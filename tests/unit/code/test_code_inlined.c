/*
 * test_code_inlined.c - lines of functions that nvcc inlined, and of their callers, as nvdisasm -gi
 * prints them. A damaged file names nothing outside it.
 *
 * usage: test_code_inlined CUBIN LINKED   of tests/fixtures/code
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_line.h"
#include "coredump/elf_sections.h"
#include "support/check.h"

static unsigned char bytes[1 << 16];
static struct byte_span cubin = {bytes, 0};

static void read_cubin(const char *path)
{
	FILE *file = fopen(path, "r");
	CHECK(file);
	cubin.size = fread(bytes, 1, sizeof(bytes), file);
	(void)fclose(file);
}

static void check_line(const struct gpu_line *line, const char *file, uint32_t number,
		       const char *inlined)
{
	CHECK_STRING(line->file, file);
	CHECK_STRING(line->directory, "");
	CHECK_EQUAL(line->line, number);
	CHECK_EQUAL(line->inlined == NULL, inlined == NULL);
	if (inlined)
		CHECK_STRING(line->inlined, inlined);
}

static const char inlined_cu[] = "/tmp/code/inlined.cu";

/* Rows of the second sequence name rows of their own sequence, not of the first. */
static void test_chain(void)
{
	struct code_line line;
	CHECK(code_line_find(cubin, "k_two", 0x80, &line));
	CHECK_EQUAL(line.n, 3);
	check_line(&line.lines[0], inlined_cu, 4, "_Z5innerPii");
	check_line(&line.lines[1], inlined_cu, 8, "_Z5outerPii");
	check_line(&line.lines[2], inlined_cu, 21, NULL);
	code_line_free(&line);
	CHECK(code_line_find(cubin, "k_two", 0x90, &line));
	CHECK_EQUAL(line.n, 2);
	check_line(&line.lines[0], inlined_cu, 9, "_Z5outerPii");
	check_line(&line.lines[1], inlined_cu, 21, NULL);
	code_line_free(&line);
	CHECK(code_line_find(cubin, "k_one", 0x60, &line));
	CHECK_EQUAL(line.n, 2);
	check_line(&line.lines[0], inlined_cu, 4, "_Z5innerPii");
	check_line(&line.lines[1], inlined_cu, 25, NULL);
	code_line_free(&line);
}

/* After the inlined code, the kernel's own lines follow. */
static void test_not_inlined(void)
{
	struct code_line line;
	CHECK(code_line_find(cubin, "k_two", 0xc0, &line));
	CHECK_EQUAL(line.n, 1);
	check_line(&line.lines[0], inlined_cu, 21, NULL);
	code_line_free(&line);
}

/*
 * More functions than fit: the last line says that it is inlined. 0x260 is the last address of the
 * innermost one. ptxas 13.0 confuses instances of a template that calls itself from one line.
 */
static void test_deep(void)
{
	struct code_line line;
	CHECK(code_line_find(cubin, "k_deep", 0x260, &line));
	CHECK_EQUAL(line.n, GPU_LINES_MAX);
	check_line(&line.lines[0], inlined_cu, 17, "_Z4nestILi0EEvPii");
	for (uint32_t i = 1; i < line.n; i++)
		check_line(&line.lines[i], inlined_cu, 13, line.lines[i].inlined);
	CHECK(strncmp(line.lines[GPU_LINES_MAX - 1].inlined, "_Z4nest", strlen("_Z4nest")) == 0);
	code_line_free(&line);
}

/* Callers that differ are left out. */
static void test_narrow(void)
{
	struct code_line one;
	struct code_line two;
	CHECK(code_line_find(cubin, "k_one", 0x60, &one));
	CHECK(code_line_find(cubin, "k_two", 0x80, &two));
	code_line_narrow(&two, &one);
	CHECK_EQUAL(two.n, 1);
	check_line(&two.lines[0], inlined_cu, 4, "_Z5innerPii");
	code_line_free(&two);
	CHECK(code_line_find(cubin, "k_two", 0x90, &two));
	code_line_narrow(&two, &one);
	CHECK_EQUAL(two.n, 0);
	code_line_free(&two);
	code_line_free(&one);
}

/* A line is called from a row before its own, which is the third. */
static void test_wrong_caller(void)
{
	struct elf_sections sections;
	struct elf_section table;
	CHECK_EQUAL(elf_sections_open(cubin, &sections), 0);
	CHECK(elf_section_named(&sections, ".debug_line", &table));
	unsigned char *call = memmem(bytes + (table.content.bytes - bytes), table.content.size,
				     "\x00\x03\x90\x02\x0c", 5);
	CHECK(call);
	for (unsigned char caller = 3; caller < 0x80; caller++) {
		struct code_line line;
		call[3] = caller;
		CHECK(code_line_find(cubin, "k_one", 0x60, &line));
		CHECK_EQUAL(line.n, 1);
		check_line(&line.lines[0], inlined_cu, 4, "_Z5innerPii");
		code_line_free(&line);
	}
	call[3] = 2;
}

/* nvlink does not say where the second unit's names begin. */
static void test_linked(void)
{
	struct code_line line;
	CHECK(code_line_find(cubin, "k_two", 0x80, &line));
	CHECK_EQUAL(line.n, 3);
	check_line(&line.lines[0], inlined_cu, 4, "_Z5innerPii");
	code_line_free(&line);
	CHECK(code_line_find(cubin, "k_other", 0x60, &line));
	CHECK_EQUAL(line.n, 2);
	check_line(&line.lines[0], "/tmp/code/inlined_other.cu", 4, "");
	check_line(&line.lines[1], "/tmp/code/inlined_other.cu", 8, NULL);
	code_line_free(&line);
}

/* Whatever a damaged file says, nothing is read outside it, and the search ends. */
static void test_damaged(void)
{
	uint64_t whole = cubin.size;
	unsigned char *copy = malloc(whole);
	CHECK(copy);
	for (uint64_t i = 0; i < whole; i++) {
		struct code_line line;
		memcpy(copy, bytes, whole);
		copy[i] ^= 0xff;
		(void)code_line_find((struct byte_span){copy, whole}, "k_two", 0x80, &line);
		code_line_free(&line);
		(void)code_line_find((struct byte_span){copy, i}, "k_two", 0x80, &line);
		code_line_free(&line);
	}
	free(copy);
}

int main(int argc, char **argv)
{
	CHECK_EQUAL(argc, 3);
	read_cubin(argv[1]);
	test_chain();
	test_not_inlined();
	test_deep();
	test_narrow();
	test_wrong_caller();
	test_damaged();
	read_cubin(argv[2]);
	test_linked();
	return 0;
}
