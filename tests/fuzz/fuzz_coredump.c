/*
 * fuzz_coredump.c - any bytes as a GPU core dump, through everything that reads one: the tables,
 * the digest, the images' symbols and line tables, the join with a bundle, the report.
 *
 * With clang, -DCULPRIT_FUZZ=ON makes it a libFuzzer program; replay.c runs it on stored inputs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attribution/attribution.h"
#include "coredump/gpu_exceptions.h"
#include "fuzz_target.h"
#include "report/report_page.h"
#include "support/coredump_sample.h"

/* Reads every byte that the reader returns, so that one out of bounds is detected. */
static volatile unsigned char sink;

static void touch(struct byte_span span)
{
	for (size_t i = 0; i < span.size; i++)
		sink = (unsigned char)(sink + span.bytes[i]);
}

static void touch_string(const char *string)
{
	touch((struct byte_span){(const unsigned char *)string, strlen(string) + 1});
}

static void touch_code(const struct gpu_coredump *dump, uint64_t pc)
{
	struct gpu_code code;

	(void)gpu_code_at(dump, pc, &code);
	touch_string(code.function);
	touch_string(code.line.file);
	touch_string(code.line.directory);
}

static void touch_rows(const struct gpu_coredump *dump)
{
	for (int table = 0; table < 32; table++) {
		struct gpu_cursor cursor = {0, 0};
		struct gpu_row row;

		for (int n = 0; n < 64 && gpu_next(dump, (enum gpu_table)table, &cursor, &row); n++)
			touch(row.bytes);
	}
}

static void touch_facts(const struct gpu_coredump *dump)
{
	struct gpu_cursor cursor = {0, 0};
	struct gpu_device device;
	struct gpu_grid grid;
	struct gpu_meta meta;
	struct gpu_row row;

	if (gpu_read_meta(dump, &meta))
		touch_string(meta.generator);
	while (gpu_next(dump, GPU_TABLE_DEVICE, &cursor, &row)) {
		gpu_read_device(dump, &row, &device);
		touch_string(device.name);
		touch_string(device.sm_type);
	}
	cursor = (struct gpu_cursor){0, 0};
	for (int n = 0; n < 16 && gpu_next(dump, GPU_TABLE_GRID, &cursor, &row); n++) {
		gpu_read_grid(dump, &row, &grid);
		touch(grid.parameters);
		touch_code(dump, grid.entry);
	}
}

static void check_fault(const struct gpu_fault *fault)
{
	if (fault->n_grids > GPU_FAULT_MAX_GRIDS || fault->n_locations > GPU_FAULT_MAX_LOCATIONS)
		abort();
	for (uint32_t i = 0; i < fault->n_grids; i++) {
		touch_string(fault->grids[i].kernel);
		touch(fault->grids[i].grid.parameters);
	}
	/* A fault that proves an error must also fit that error. */
	if (gpu_fault_proves(fault, ILLEGAL_ADDRESS) && !gpu_fault_fits(fault, ILLEGAL_ADDRESS))
		abort();
}

/* Return the bundle of fixtures/coredumps/load, which is always used. */
static const struct bundle_view *sample_view(void)
{
	static struct verdict_case *sample;

	if (!sample) {
		sample = coredump_sample();
		builder_view(&sample->builder, &sample->view);
	}
	return &sample->view;
}

/* Check that the places of a line are inside its text and do not overlap. */
static void check_line(const struct page *page, const struct page_line *line)
{
	size_t length = strlen(line->text);
	uint32_t end = 0;

	if (line->first_place + line->n_locations > page->n_locations)
		abort();
	for (uint32_t i = 0; i < line->n_locations; i++) {
		const struct page_location *location = &page->locations[line->first_place + i];

		if (location->begin < end || location->begin + location->length > length)
			abort();
		end = location->begin + location->length;
	}
}

static void check_page(const struct page *page)
{
	for (uint32_t i = 0; i < page->n_lines; i++)
		check_line(page, &page->lines[i]);
}

static void report_all(const struct bundle_view *view, const struct verdict *verdict)
{
	static char buffer[REPORT_TEXT_SIZE];
	static struct page page;
	const struct report report = {.view = view, .verdict = verdict};
	struct text text = text_in(buffer, sizeof(buffer));

	report_page(&report, &page);
	check_page(&page);
	report_text(&page, &text);
	if (strlen(buffer) != (size_t)(text.at - buffer) || strchr(buffer, '\033'))
		abort();
}

static void judge(const struct gpu_fault *fault)
{
	static struct verdict verdict;
	const struct bundle_view *view = sample_view();
	size_t size = attribution_scratch(view);
	void *scratch = malloc(size);

	if (!scratch || attribute_with_coredump(view, fault, scratch, size, &verdict) != 0)
		abort();
	free(scratch);
	if ((verdict.class == VERDICT_UNKNOWN) != (verdict.n_suspects == 0) ||
	    (verdict.class >= VERDICT_LIKELY && verdict.n_suspects != 1) ||
	    (verdict.class == VERDICT_EXACT && (!verdict.coredump || !verdict.location)))
		abort();
	report_all(view, &verdict);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	void *copy = malloc(size ? size : 1);
	static struct gpu_fault fault;
	struct gpu_coredump dump;
	int result;

	if (!copy)
		abort();
	memcpy(copy, data, size);
	result = gpu_coredump_open(&dump, copy, size);
	if (!result || result == -ENODATA) {
		touch_rows(&dump);
		touch_facts(&dump);
		gpu_fault_read(&dump, &fault);
		check_fault(&fault);
		judge(&fault);
	}
	free(copy);
	return 0;
}
