/*
 * dump_coredump.c - print what a GPU core dump contains, table by table, and the fault that a
 * report would show. It needs no bundle.
 */
#include "dump/dump_parts.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "code/cubin.h"
#include "coredump/gpu_exceptions.h"
#include "report/report_parts.h"
#include "symbols/symbols.h"

enum { LINE_SIZE = 1024, MAX_SHOWN_PARAMETERS = 256 };

/* A GPU runs at most 128 grids at a time, so a valid dump has no more for each GPU. */
enum { MAX_SHOWN_GRIDS = 8 * 128 };

/* The arguments that all functions below need. */
struct dumper {
	FILE *out;
	const struct coredump *coredump;
	const struct report *report; /* for its symbols */
};

static void print_foreign(FILE *out, const char *string)
{
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	text_add_foreign(&text, string, strlen(string));
	fputs(line, out);
}

static void print_function(const struct dumper *dumper, const char *mangled)
{
	const struct symbol_source *symbols = dumper->report->symbols;
	const char *readable = symbols->demangle(symbols->state, mangled);
	print_foreign(dumper->out, *mangled == '\0' ? "an unknown function"
				   : readable       ? readable
						    : mangled);
}

static void print_location(const struct dumper *dumper, const struct gpu_location *location)
{
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	report_add_location(dumper->report, location, &text);
	fputs(line, dumper->out);
}

static void dump_meta(const struct dumper *dumper)
{
	char when[32] = "at an unknown time";
	struct gpu_meta meta;
	if (!gpu_read_meta(&dumper->coredump->dump, &meta))
		return;
	time_t time = (time_t)meta.time;
	struct tm broken_down;
	if (meta.time && gmtime_r(&time, &broken_down))
		(void)strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &broken_down);
	fprintf(dumper->out,
		"core dump: driver %" PRIu32 ".%" PRIu32 ", CUDA %" PRIu32 ".%" PRIu32
		", written %s\n",
		meta.driver[0], meta.driver[1], meta.cuda[0], meta.cuda[1], when);
}

static void dump_devices(const struct dumper *dumper)
{
	const struct gpu_coredump *dump = &dumper->coredump->dump;
	struct gpu_cursor cursor = {0, 0};
	struct gpu_row row;
	struct gpu_device device;
	while (gpu_next(dump, GPU_TABLE_DEVICE, &cursor, &row)) {
		gpu_read_device(dump, &row, &device);
		fprintf(dumper->out, "device %" PRIu32 ": ", device.number);
		print_foreign(dumper->out, device.name);
		fputs(", ", dumper->out);
		print_foreign(dumper->out, device.sm_type);
		fprintf(dumper->out, ", %" PRIu32 " SMs\n", device.n_sms);
	}
}

static void dump_contexts(const struct dumper *dumper)
{
	struct gpu_cursor cursor = {0, 0};
	struct gpu_row row;
	struct gpu_context context;
	while (gpu_next(&dumper->coredump->dump, GPU_TABLE_CONTEXT, &cursor, &row)) {
		gpu_read_context(&row, &context);
		fprintf(dumper->out, "context 0x%" PRIx64 ": device %" PRIu32 "\n", context.handle,
			context.device);
	}
}

static void print_three(FILE *out, const char *before, const uint32_t three[3])
{
	fprintf(out, "%s(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", before, three[0], three[1],
		three[2]);
}

static void dump_parameters(const struct dumper *dumper, const struct gpu_grid *grid)
{
	if (grid->parameters.size == 0)
		return;
	fprintf(dumper->out, "  parameters: %zu bytes:", grid->parameters.size);
	for (size_t i = 0; i < grid->parameters.size && i < MAX_SHOWN_PARAMETERS; i++)
		fprintf(dumper->out, "%s%02x", i % 4 == 0 ? " " : "", grid->parameters.bytes[i]);
	fputs(grid->parameters.size > MAX_SHOWN_PARAMETERS ? " ...\n" : "\n", dumper->out);
}

static void dump_grid(const struct dumper *dumper, const struct gpu_grid *grid)
{
	struct gpu_code code;
	(void)gpu_code_at(&dumper->coredump->dump, grid->entry, &code);
	fprintf(dumper->out, "grid %" PRIu64 ": ", grid->id);
	print_function(dumper, code.is_kernel ? code.function : "");
	print_three(dumper->out, "<<<", grid->grid);
	print_three(dumper->out, ",", grid->block);
	fputs(">>>", dumper->out);
	if (grid->cluster[0])
		print_three(dumper->out, " in clusters of ", grid->cluster);
	fprintf(dumper->out,
		" function=0x%" PRIx64 " module=0x%" PRIx64 " context=0x%" PRIx64
		" device=%" PRIu32,
		grid->function, grid->module, grid->context, grid->device);
	if (grid->parent || grid->origin)
		fprintf(dumper->out, " launched by grid %" PRIu64, grid->parent);
	fputc('\n', dumper->out);
	dump_parameters(dumper, grid);
}

static void dump_grids(const struct dumper *dumper)
{
	const struct gpu_coredump *dump = &dumper->coredump->dump;
	struct gpu_cursor cursor = {0, 0};
	int n = 0;
	struct gpu_grid grid;
	struct gpu_row row;
	while (gpu_next(dump, GPU_TABLE_GRID, &cursor, &row)) {
		if (n++ == MAX_SHOWN_GRIDS) {
			fputs("and more grids\n", dumper->out);
			return;
		}
		gpu_read_grid(dump, &row, &grid);
		dump_grid(dumper, &grid);
	}
}

static void dump_sms(const struct dumper *dumper)
{
	struct gpu_cursor cursor = {0, 0};
	struct gpu_sm sm;
	struct gpu_row row;
	while (gpu_next(&dumper->coredump->dump, GPU_TABLE_SM, &cursor, &row)) {
		gpu_read_sm(&row, &sm);
		if (sm.exception == GPU_EXCEPTION_NONE)
			continue;
		fprintf(dumper->out,
			"SM %" PRIu32 ": device=%" PRIu32 " exception=%" PRIu32 " (%s)", sm.id,
			sm.device, sm.exception, gpu_exception_text(sm.exception));
		if (sm.has_pc)
			fprintf(dumper->out, " pc=0x%" PRIx64, sm.pc);
		fputc('\n', dumper->out);
	}
}

static void print_warp(const struct dumper *dumper, const struct gpu_row *row,
		       const struct gpu_warp *warp)
{
	const struct gpu_coredump *dump = &dumper->coredump->dump;
	fprintf(dumper->out, "warp %" PRIu32 ":", warp->id);
	struct gpu_row block_row;
	struct gpu_block block;
	if (gpu_parent(dump, row, GPU_TABLE_BLOCK, &block_row)) {
		gpu_read_block(&block_row, &block);
		fprintf(dumper->out, " grid %" PRIu64, block.grid);
		print_three(dumper->out, " block ", block.index);
	}
	fprintf(dumper->out, " valid=%08" PRIx32 " active=%08" PRIx32, warp->valid_lanes,
		warp->active_lanes);
	if (warp->is_broken)
		fputs(" stopped", dumper->out);
	if (warp->has_pc)
		fprintf(dumper->out, " pc=0x%" PRIx64, warp->pc);
	fputc('\n', dumper->out);
}

static void dump_warps(const struct dumper *dumper)
{
	struct gpu_cursor cursor = {0, 0};
	struct gpu_row row;
	struct gpu_warp warp;
	while (gpu_next(&dumper->coredump->dump, GPU_TABLE_WARP, &cursor, &row)) {
		gpu_read_warp(&row, &warp);
		print_warp(dumper, &row, &warp);
	}
}

/* Print the instruction at which a warp stopped. */
static void print_instruction(const struct dumper *dumper, uint64_t pc)
{
	struct byte_span image;
	struct byte_span bytes;
	struct code_instruction instruction;
	if (!gpu_instruction_at(&dumper->coredump->dump, pc, &image, &bytes))
		return;
	code_access_decode(bytes, 0, cubin_architecture(image), &instruction);
	fputs("  ", dumper->out);
	dump_instruction(dumper->out, &instruction);
}

/* Print the fault that a report would use. */
static void print_fault(const struct dumper *dumper)
{
	const struct gpu_fault *fault = &dumper->coredump->fault;
	for (uint32_t i = 0; i < fault->n_grids; i++) {
		fprintf(dumper->out, "fault: grid %" PRIu64 " ", fault->grids[i].grid.id);
		print_function(dumper, fault->grids[i].kernel);
		fputs(" at ", dumper->out);
		print_location(dumper, &fault->grids[i].location);
		fputc('\n', dumper->out);
		print_instruction(dumper, fault->grids[i].location.pc);
	}
	for (uint32_t i = 0; i < fault->n_locations; i++) {
		fputs("fault: a warp that has exited, in ", dumper->out);
		print_function(dumper, fault->locations[i].code.function);
		fputs(" at ", dumper->out);
		print_location(dumper, &fault->locations[i]);
		fputc('\n', dumper->out);
		print_instruction(dumper, fault->locations[i].pc);
	}
	if (fault->is_partial)
		fputs("fault: another one, of unknown grid and code\n", dumper->out);
	if (!gpu_fault_is_any(fault))
		fputs("fault: none\n", dumper->out);
}

void dump_coredump(FILE *out, const struct coredump *coredump)
{
	struct symbols *symbols = symbols_open(SYMBOLS_WAIT_SECONDS);
	struct symbol_source source = {.demangle = NULL};
	struct report report = {.symbols = &source};
	const struct dumper dumper = {out, coredump, &report};
	if (!symbols) {
		fputs("out of memory\n", out);
		return;
	}
	source = symbols_source(symbols);
	dump_meta(&dumper);
	dump_devices(&dumper);
	dump_contexts(&dumper);
	dump_grids(&dumper);
	dump_sms(&dumper);
	dump_warps(&dumper);
	print_fault(&dumper);
	symbols_close(symbols);
}
