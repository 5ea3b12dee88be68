/*
 * test_report_device.c - the line about device code: inlined functions and their callers, each with
 * its place, from a core dump and from a program counter.
 */
#include <string.h>

#include "coredump/gpu_exceptions.h"
#include "report/report_parts.h"
#include "support/bundle_builder.h"
#include "support/check.h"

enum { START = 0x1000, PC = 0x1080 };

static const struct gpu_line lines[] = {
	{.directory = "", .file = "/src/a.cu", .inlined = "inner", .line = 4},
	{.directory = "", .file = "/src/b.cu", .inlined = "", .line = 8},
	{.directory = "", .file = "/src/a.cu", .inlined = NULL, .line = 21},
};

static struct bundle_builder builder;
static struct bundle_view view;
static struct verdict verdict;
static struct page page;

static void make(void)
{
	const struct report report = {.view = &view, .verdict = &verdict};
	page_clear(&report, &page);
	report_add_device(&page);
}

/* True if the bytes, which may be NULL if there are none, are that text. */
static bool is_text(const char *bytes, size_t length, const char *text)
{
	return length == strlen(text) && (length == 0 || memcmp(bytes, text, length) == 0);
}

static void check_place(uint32_t index, const char *text, const char *file, uint32_t line,
			const char *function)
{
	CHECK(index < page.n_locations);
	const struct page_location *place = &page.locations[index];
	CHECK_EQUAL(place->language, PAGE_DEVICE);
	CHECK(is_text(page.lines[0].text + place->begin, place->length, text));
	CHECK(is_text(place->file.bytes, place->file.length, file));
	CHECK_EQUAL(place->line, line);
	CHECK(is_text(place->function.bytes, place->function.length, function));
	CHECK_EQUAL(place->offset, PC);
}

static void check_text(const char *text, uint32_t n_locations)
{
	CHECK_EQUAL(page.n_lines, 1);
	CHECK_STRING(page.lines[0].text, text);
	CHECK_EQUAL(page.n_locations, n_locations);
}

static void set_lines(const struct gpu_line *first, uint32_t n)
{
	verdict.fault_lines = first;
	verdict.n_fault_lines = n;
	make();
}

static void test_fault(void)
{
	verdict = (struct verdict){.n_suspects = 1};
	verdict.fault_code = (struct code_location){.function = 1, .pc = PC, .start = START};
	set_lines(NULL, 0);
	check_text("k_two + 0x80", 1);
	check_place(0, "k_two + 0x80", "", 0, "k_two");
	set_lines(&lines[2], 1);
	check_text("a.cu:21, k_two + 0x80", 1);
	check_place(0, "a.cu:21, k_two + 0x80", "/src/a.cu", 21, "k_two");
	set_lines(&lines[0], 3);
	check_text("a.cu:4 inner  <- b.cu:8 (inlined)  <- a.cu:21, k_two + 0x80", 3);
	check_place(0, "a.cu:4 inner", "/src/a.cu", 4, "inner");
	check_place(1, "b.cu:8 (inlined)", "/src/b.cu", 8, "");
	check_place(2, "a.cu:21, k_two + 0x80", "/src/a.cu", 21, "k_two");
}

static void test_internal_names(void)
{
	struct gpu_line line = lines[0];
	line.inlined = "_INTERNAL_ff6601bd_9_faults_cu__Z4spinl::atomicAdd(int*, int)";
	set_lines(&line, 1);
	check_text("a.cu:4 atomicAdd, k_two + 0x80", 1);
}

static void test_callers_cut(void)
{
	set_lines(&lines[0], 1);
	check_text("a.cu:4 inner, k_two + 0x80", 1);
	check_place(0, "a.cu:4 inner, k_two + 0x80", "/src/a.cu", 4, "inner");
}

static void test_dump(void)
{
	struct gpu_location place = {
		.exception = GPU_EXCEPTION_NONE,
		.pc = PC,
		.code = {.function = "k_two", .is_kernel = true, .line = lines[0]}};
	verdict = (struct verdict){.n_suspects = 1, .location = &place};
	place.code.n_callers = 2;
	memcpy(place.code.callers, &lines[1], 2 * sizeof(lines[0]));
	make();
	check_text("a.cu:4 inner  <- b.cu:8 (inlined)  <- a.cu:21: trap", 3);
	check_place(0, "a.cu:4 inner", "/src/a.cu", 4, "inner");
	check_place(2, "a.cu:21: trap", "/src/a.cu", 21, "k_two");
	place.code.line = (struct gpu_line){.directory = "", .file = ""};
	place.code.n_callers = 0;
	make();
	check_text("k_two: trap", 1);
	check_place(0, "k_two: trap", "", 0, "k_two");
}

/* A function without a name is still mentioned. */
static void test_names(void)
{
	char name[64];
	struct text text = text_in(name, sizeof(name));
	report_gpu_function(&page.report, "", &text);
	text_add(&text, ", ");
	report_gpu_function(&page.report, "k_two", &text);
	CHECK_STRING(name, "an unknown function, k_two");
}

int main(void)
{
	builder_begin(&builder, 16);
	(void)builder_function(&builder, "k_two", 0, NULL);
	builder_view(&builder, &view);
	test_fault();
	test_internal_names();
	test_callers_cut();
	test_dump();
	test_names();
	builder_end(&builder);
	return 0;
}
