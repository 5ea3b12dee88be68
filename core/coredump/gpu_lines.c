/*
 * gpu_lines.c - runs line number programs (DWARF 5, section 6.2) until a row covers the address. It
 * skips columns, statements and unknown opcodes. NVIDIA's inlined call, which elfutils names
 * DW_LNE_NVIDIA_inlined_call, makes the rows after it those of an inlined function, and has the row
 * that calls it. ptxas 11.8 to 13.0 counts rows from 1 in each sequence. The tables of names are
 * read in gpu_line_names.c.
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
enum extended_opcode { OP_END_SEQUENCE = 1, OP_SET_ADDRESS = 2, OP_INLINED_CALL = 0x90 };

struct line_row {
	uint64_t address;
	uint64_t file;
	uint64_t line;
	uint64_t number;   /* in its sequence, from 1 */
	uint64_t caller;   /* number of the row that calls the inlined function; 0: not inlined */
	uint64_t function; /* offset of the inlined function's name */
};

/* A running program. */
struct line_run {
	const struct line_program *program;
	struct span_reader reader;
	uint64_t wanted;        /* address to find */
	uint64_t wanted_number; /* or, unless 0, a row of the first sequence */
	struct line_row row;
	struct line_row before;      /* the previous row; number 0: none in this sequence */
	struct span_reader sequence; /* its opcodes */
	bool is_found;               /* `before` is the row */
};

static void begin_sequence(struct line_run *run)
{
	run->row = (struct line_row){.address = 0, .file = 1, .line = 1, .number = 1};
	run->before.number = 0;
	run->sequence = run->reader;
}

/* Emit a row. The row before it covers the addresses up to it. */
static void make_row(struct line_run *run)
{
	const struct line_row *before = &run->before;
	if (run->wanted_number)
		run->is_found = before->number == run->wanted_number;
	else
		run->is_found = before->number && before->address <= run->wanted &&
				run->wanted < run->row.address;
	if (run->is_found)
		return;
	run->before = run->row;
	run->row.number++;
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
	} else if (opcode == OP_INLINED_CALL) {
		run->row.caller = reader_uleb(&body);
		run->row.function = reader_uleb(&body);
	} else if (opcode == OP_END_SEQUENCE) {
		make_row(run);
		if (!run->is_found)
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

/* Run until the wanted row is found; false if the program does not emit it. */
static bool find_row(struct line_run *run)
{
	begin_sequence(run);
	while (!run->is_found && reader_has_more(&run->reader)) {
		uint8_t opcode = reader_u8(&run->reader);
		if (opcode >= run->program->opcode_base)
			run_special(run, opcode);
		else
			run_standard(run, opcode);
	}
	return run->is_found;
}

static bool read_line(const struct line_program *program, const struct line_row *row,
		      struct gpu_line *out)
{
	if (row->line == 0 || row->line > UINT32_MAX || !line_program_file(program, row->file, out))
		return false;
	out->line = (uint32_t)row->line;
	return true;
}

/* Move to the row that calls the row's function. A call's row comes before those it calls. */
static bool find_caller(struct line_run *run)
{
	if (!run->before.caller || run->before.caller >= run->before.number)
		return false;
	*run = (struct line_run){.program = run->program,
				 .reader = run->sequence,
				 .wanted_number = run->before.caller};
	return find_row(run);
}

static uint32_t read_lines(struct line_run *run, struct gpu_line *out, uint32_t max)
{
	uint32_t n = 0;
	while (n < max && read_line(run->program, &run->before, &out[n])) {
		if (run->before.caller)
			out[n].inlined = line_program_inlined(run->program, run->before.function);
		n++;
		if (!find_caller(run))
			break;
	}
	return n;
}

uint32_t gpu_lines_find(const struct gpu_line_tables *tables, uint64_t address,
			struct gpu_line *out, uint32_t max)
{
	struct span_reader units = {.span = tables->lines};
	struct line_program program;
	while (reader_has_more(&units)) {
		if (!line_program_read(&units, tables, &program))
			continue;
		struct line_run run = {
			.program = &program, .reader = {.span = program.code}, .wanted = address};
		if (find_row(&run))
			return read_lines(&run, out, max);
	}
	return 0;
}
