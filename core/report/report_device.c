/*
 * report_device.c - the code on the GPU that faulted: its source line, the functions that were
 * inlined there, and, from a core dump, the thread.
 */
#include "report/report_parts.h"

#include <inttypes.h>
#include <string.h>

#include "base/short_name.h"
#include "coredump/gpu_exceptions.h"
#include "report/report_names.h"

/* An instruction of device code. */
struct device_code {
	const struct gpu_line *line; /* NULL: unknown */
	const struct gpu_line *callers;
	uint32_t n_callers;
	struct page_string function; /* that has the instruction */
	uint64_t pc;
};

static const char *find_readable(const struct report *report, const char *mangled)
{
	const struct symbol_source *symbols = report->symbols;
	return symbols && symbols->demangle ? symbols->demangle(symbols->state, mangled) : NULL;
}

void report_gpu_function(const struct report *report, const char *mangled, struct text *out)
{
	const char *readable = find_readable(report, mangled);
	if (*mangled == '\0')
		text_add(out, "an unknown function");
	else
		short_name_add_kernel(readable ? readable : mangled, out);
}

/* Skip the namespace that nvcc 13.0 puts around static functions of CUDA's headers. */
static const char *skip_internal(const char *name)
{
	static const char prefix[] = "_INTERNAL_";
	const char *end =
		strncmp(name, prefix, sizeof(prefix) - 1) == 0 ? strstr(name, "::") : NULL;
	return end ? end + 2 : name;
}

/*
 * Append the inlined function without its template arguments: ptxas 13.0 names wrong ones if a
 * template calls other instances of itself from one line.
 */
static void add_inlined(const struct report *report, const char *mangled, struct text *out)
{
	const char *readable = find_readable(report, mangled);
	if (*mangled == '\0')
		text_add(out, "(inlined)");
	else
		short_name_add(skip_internal(readable ? readable : mangled), out);
}

/* Append "gather.cu:12" and the inlined function that the line belongs to. */
static void add_line(const struct report *report, const struct gpu_line *line, struct text *out)
{
	const char *file = text_file_name(line->file);
	text_add_foreign(out, file, strlen(file));
	text_addf(out, ":%" PRIu32, line->line);
	if (!line->inlined)
		return;
	text_add(out, " ");
	add_inlined(report, line->inlined, out);
}

static void add_place(struct page *page, uint32_t begin, const struct device_code *code,
		      const struct gpu_line *line)
{
	page_add_location(page, begin,
			  (struct page_location){
				  .language = PAGE_DEVICE,
				  .file = page_string_of(line ? line->file : NULL),
				  .function = line && line->inlined ? page_string_of(line->inlined)
								    : code->function,
				  .line = line ? line->line : 0,
				  .offset = code->pc,
			  });
}

/*
 * Append the lines, innermost first, with their places if there is a page. The place of the last
 * one is left to the caller. Returns where its text begins.
 */
static uint32_t add_lines(const struct report *report, struct page *page,
			  const struct device_code *code, struct text *out)
{
	const struct gpu_line *line = code->line;
	uint32_t begin = page ? page_offset(page) : 0;
	add_line(report, line, out);
	for (uint32_t i = 0; i < code->n_callers; i++) {
		if (page)
			add_place(page, begin, code, line);
		text_add(out, "  <- ");
		begin = page ? page_offset(page) : 0;
		line = &code->callers[i];
		add_line(report, line, out);
	}
	return begin;
}

static const struct gpu_line *last_line(const struct device_code *code)
{
	return code->n_callers > 0 ? &code->callers[code->n_callers - 1] : code->line;
}

static void add_index(const char *what, const uint32_t index[3], struct text *out)
{
	text_addf(out, "%s (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", what, index[0], index[1],
		  index[2]);
}

static struct device_code code_of_dump(const struct gpu_location *place)
{
	const struct gpu_code *code = &place->code;
	return (struct device_code){.line = *code->line.file ? &code->line : NULL,
				    .callers = code->callers,
				    .n_callers = code->n_callers,
				    .function = page_string_of(code->function),
				    .pc = place->pc};
}

static uint32_t add_dump_location(const struct report *report, struct page *page,
				  const struct gpu_location *place, struct text *out)
{
	const struct device_code code = code_of_dump(place);
	uint32_t begin = code.line ? add_lines(report, page, &code, out) : 0;
	if (!code.line || !place->code.is_kernel) {
		text_add(out, code.line ? " " : "");
		report_gpu_function(report, place->code.function, out);
	}
	if (place->has_thread) {
		add_index(", block", place->block, out);
		add_index(" thread", place->thread, out);
	}
	text_addf(out, ": %s", gpu_exception_text(place->exception));
	return begin;
}

void report_add_location(const struct report *report, const struct gpu_location *location,
			 struct text *out)
{
	(void)add_dump_location(report, NULL, location, out);
}

/* Add the place in a core dump. */
static void add_dump_line(struct page *page, const struct gpu_location *place)
{
	const struct device_code code = code_of_dump(place);
	page_begin(page, PAGE_ON_THE_DEVICE);
	uint32_t begin = add_dump_location(&page->report, page, place, &page->text);
	add_place(page, begin, &code, last_line(&code));
	page_end(page);
}

/* Add "gather.cu:12, gather + 0x30". Only a core dump has the block and the thread. */
static void add_fault_line(struct page *page, const struct code_location *place)
{
	const struct verdict *verdict = page->report.verdict;
	const struct function_row *row = view_function(page->report.view, place->function);
	struct device_code code = {.pc = place->pc};
	code.function.bytes =
		view_string(page->report.view, row ? row->name : 0, &code.function.length);
	if (verdict->n_fault_lines > 0) {
		code.line = verdict->fault_lines;
		code.callers = verdict->fault_lines + 1;
		code.n_callers = verdict->n_fault_lines - 1;
	}
	page_begin(page, PAGE_ON_THE_DEVICE);
	uint32_t begin = 0;
	if (code.line) {
		begin = add_lines(&page->report, page, &code, &page->text);
		text_add(&page->text, ", ");
	}
	report_function_name(&page->report, row ? row->name : 0, &page->text);
	text_addf(&page->text, " + 0x%" PRIx64, place->pc - place->start);
	add_place(page, begin, &code, last_line(&code));
	page_end(page);
}

void report_add_device(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	if (verdict->location)
		add_dump_line(page, verdict->location);
	else if (verdict->fault_code.function)
		add_fault_line(page, &verdict->fault_code);
}
