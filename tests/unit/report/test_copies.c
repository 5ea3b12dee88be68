/*
 * test_copies.c - the lines about the memory that a copy, a memset or a kernel touches.
 */
#include "report/report_page.h"
#include "support/check.h"
#include "support/verdict_case.h"

static struct page page;
static char buffer[REPORT_TEXT_SIZE];

enum { SOURCE = 0x100000, TARGET = 0x200000, SIZE = 0x1000 };

/* Two pieces of memory, and work between them; its report. */
static const char *report_of(uint8_t work, uint64_t from, uint64_t to, uint64_t bytes)
{
	struct verdict_case *c = case_begin();
	struct text text = text_in(buffer, sizeof(buffer));
	struct report report = {.view = &c->view, .verdict = &c->verdict};
	struct journal_record *record = builder_submit(&c->builder, CASE_TID, case_stream(c), work);
	record->memory = (struct record_memory){to, from, bytes};
	uint32_t source = builder_range(&c->builder, SOURCE, SIZE, 0);
	/* Another device than that of the target: copies between devices are usual. */
	builder_range_row(&c->builder, source)->flags = RANGE_DEVICE_KNOWN;
	builder_range_row(&c->builder, source)->device = 1;
	builder_range(&c->builder, TARGET, SIZE, 0);
	uint32_t next = builder_range(&c->builder, TARGET + SIZE, SIZE, 0);
	builder_range_row(&c->builder, next)->kind = RANGE_MAPPED;
	builder_range_row(&c->builder, next - 1)->kind = RANGE_MAPPED;
	builder_range_row(&c->builder, next - 1)->flags = RANGE_CAN_READ | RANGE_CAN_WRITE;
	case_judge(c, 700);
	report_page(&report, &page);
	report_text(&page, &text);
	case_end(c);
	return buffer;
}

/* A kernel in a context of `device` has a pointer to memory of device 1; its report. */
static const char *report_of_kernel(uint32_t device)
{
	static const uint32_t size = sizeof(uint64_t);
	const uint64_t pointer = SOURCE;
	struct verdict_case *c = case_begin();
	struct text text = text_in(buffer, sizeof(buffer));
	struct report report = {.view = &c->view, .verdict = &c->verdict};
	builder_context_row(&c->builder, c->context)->device = device;
	uint32_t function = builder_function(&c->builder, "kernel", 1, &size);
	builder_launch(&c->builder, CASE_TID, case_stream(c), function, &pointer, size);
	uint32_t range = builder_range(&c->builder, SOURCE, SIZE, 0);
	builder_range_row(&c->builder, range)->flags = RANGE_DEVICE_KNOWN;
	builder_range_row(&c->builder, range)->device = 1;
	case_judge(c, 700);
	report_page(&report, &page);
	report_text(&page, &text);
	case_end(c);
	return buffer;
}

/* A context's device may be a number that no device has. */
static void test_kernels(void)
{
	CHECK(strstr(report_of_kernel(0), "(4 KiB on device 1, the launch is on 0, from"));
	CHECK(strstr(report_of_kernel(1), "(4 KiB, from"));
	CHECK(strstr(report_of_kernel(INT16_MAX), "on device 1, the launch is on 32767, from"));
	CHECK(strstr(report_of_kernel(INT16_MAX + 1), "(4 KiB, from"));
}

int main(void)
{
	const char *text = report_of(WORK_COPY, SOURCE + 16, TARGET, SIZE - 16);
	CHECK(strstr(text, "  arguments       from 0x100010 = allocation #1 + 16 (4 KiB, from "
			   "unknown)\n"));
	CHECK(strstr(text, "                  to 0x200000 = allocation #2 + 0 (4 KiB of mapped "
			   "memory, from unknown)\n"));
	/* Past the end of one allocation; mappings continue. */
	text = report_of(WORK_COPY, SOURCE + 16, TARGET, SIZE);
	CHECK(strstr(text, "from unknown), and it goes 16 bytes past its end\n"));
	CHECK(strstr(text, "mapped memory, from unknown)\n"));
	/* The value of a memset is not an address, and the host's memory is not known. */
	text = report_of(WORK_MEMSET, SOURCE, TARGET, 8);
	CHECK(!strstr(text, "allocation #1"));
	CHECK(strstr(text, "  arguments       to 0x200000 = allocation #2 + 0 ("));
	text = report_of(WORK_COPY, 0x7f0000000000, TARGET, 8);
	CHECK(strstr(text, "  arguments       to 0x200000 = allocation #2 + 0 ("));
	text = report_of(WORK_COPY, 0x7f0000000000, 0x7f0000001000, 8);
	CHECK(!strstr(text, "  arguments "));
	test_kernels();
	return 0;
}
