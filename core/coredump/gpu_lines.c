/*
 * gpu_lines.c - runs line number programs (DWARF 5, section 6.2) until a row covers the address. It
 * skips columns, statements and the compiler's own opcodes, such as NVIDIA's inlined calls. The
 * tables of names are read in gpu_line_names.c.
 */
#include "coredump/gpu_line.h"

#include "coredump/gpu_line_names.h"

/* Standard opcodes are a number; extended ones are a number after their length. */
enum standard_opcode {
	OP_EXTENDED = 0,
	OP_COPY = 1,
	OP_ADVANCE_PC = 2,
	OP_ADVANCE_LINE = 3,
	OP_SET_FILE = 4,
	OP_CONST_ADD_PC = 8,
	OP_FIXED_ADVANCE_PC = 9,
};
enum extended_opcode { OP_END_SEQUENCE = 1, OP_SET_ADDRESS = 2 };

struct line_row {
	uint64_t address;
	uint64_t file;
	uint64_t line;
};

/* A running program. */
struct line_run {
	const struct line_program *program;
	struct span_reader reader;
	uint64_t wanted; /* address to find */
	struct line_row row;
	struct line_row before; /* the previous row */
	bool has_before;        /* in this sequence */
	bool is_found;          /* `before` covers the address */
};

static void begin_sequence(struct line_run *run)
{
	run->row = (struct line_row){.address = 0, .file = 1, .line = 1};
	run->has_before = false;
}

/* Emit a row. The row before it covers the addresses up to it. */
static void make_row(struct line_run *run)
{
	run->is_found = run->has_before && run->before.address <= run->wanted &&
			run->wanted < run->row.address;
	if (run->is_found)
		return;
	run->before = run->row;
	run->has_before = true;
}

static void advance(struct line_run *run, uint64_t operations)
{
	run->row.address += operations * run->program->least_instruction;
}

static void run_special(struct line_run *run, uint8_t opcode)
{
	const struct line_program *program = run->program;
	uint8_t adjusted = (uint8_t)(opcode - program->opcode_base);
	advance(run, adjusted / program->line_range);
	run->row.line += (uint64_t)((int64_t)program->line_base + adjusted % program->line_range);
	make_row(run);
}

static void run_extended(struct line_run *run)
{
	uint64_t size = reader_uleb(&run->reader);
	struct span_reader body = reader_take(&run->reader, size);
	uint8_t opcode = reader_u8(&body);
	if (opcode == OP_SET_ADDRESS) {
		run->row.address = reader_uint(&body, (unsigned int)(size - 1));
	} else if (opcode == OP_END_SEQUENCE) {
		make_row(run);
		begin_sequence(run);
	}
}

static void skip_standard(struct line_run *run, uint8_t opcode)
{
	uint8_t n = span_u8(run->program->operand_counts, opcode - 1u);
	for (uint8_t i = 0; i < n; i++)
		(void)reader_uleb(&run->reader);
}

static void run_standard(struct line_run *run, uint8_t opcode)
{
	const struct line_program *program = run->program;
	switch (opcode) {
	case OP_EXTENDED:
		run_extended(run);
		break;
	case OP_COPY:
		make_row(run);
		break;
	case OP_ADVANCE_PC:
		advance(run, reader_uleb(&run->reader));
		break;
	case OP_ADVANCE_LINE:
		run->row.line += (uint64_t)reader_sleb(&run->reader);
		break;
	case OP_SET_FILE:
		run->row.file = reader_uleb(&run->reader);
		break;
	case OP_CONST_ADD_PC:
		advance(run, (255u - program->opcode_base) / program->line_range);
		break;
	case OP_FIXED_ADVANCE_PC:
		run->row.address += reader_uint(&run->reader, 2);
		break;
	default:
		skip_standard(run, opcode);
		break;
	}
}

/* Find the row that covers the address; false if the program emits none. */
static bool run_program(const struct line_program *program, uint64_t address, struct line_row *out)
{
	struct line_run run = {
		.program = program, .reader = {.span = program->code}, .wanted = address};
	begin_sequence(&run);
	while (!run.is_found && reader_has_more(&run.reader)) {
		uint8_t opcode = reader_u8(&run.reader);
		if (opcode >= program->opcode_base)
			run_special(&run, opcode);
		else
			run_standard(&run, opcode);
	}
	if (run.is_found)
		*out = run.before;
	return run.is_found;
}

bool gpu_lines_find(const struct gpu_line_tables *tables, uint64_t address, struct gpu_line *out)
{
	struct span_reader units = {.span = tables->lines};
	struct line_row row;
	struct line_program program;
	while (reader_has_more(&units)) {
		if (!line_program_read(&units, tables, &program) ||
		    !run_program(&program, address, &row))
			continue;
		if (row.line == 0 || row.line > UINT32_MAX)
			return false;
		if (!line_program_file(&program, row.file, out))
			return false;
		out->line = (uint32_t)row.line;
		return true;
	}
	return false;
}
