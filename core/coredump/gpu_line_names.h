/*
 * gpu_line_names.h - reads the head of a line number program: its parameters and its tables of
 * directories and files. Private to gpu_lines.c and its parts.
 */
#ifndef CULPRIT_COREDUMP_GPU_LINE_NAMES_H
#define CULPRIT_COREDUMP_GPU_LINE_NAMES_H

#include "coredump/gpu_line.h"
#include "coredump/span_reader.h"

/* Invariant: opcode_base > 0, line_range > 0. */
struct line_program {
	const struct gpu_line_tables *tables;
	uint16_t version;
	uint8_t offset_size; /* 4 or 8 bytes: the 32-bit or the 64-bit format */
	uint8_t least_instruction;
	int8_t line_base;
	uint8_t line_range;
	uint8_t opcode_base;
	struct byte_span operand_counts; /* of opcodes 1 to opcode_base - 1 */
	struct byte_span names;          /* the tables */
	struct byte_span code;
	bool is_first; /* of its section */
};

/*
 * Read the next unit of .debug_line and move past it. False if the unit is broken or its version
 * unknown; the reader is then past the unit or at its own end.
 */
bool line_program_read(struct span_reader *units, const struct gpu_line_tables *tables,
		       struct line_program *out);

/* Return file `index` in the program's numbering; false if there is none. */
bool line_program_file(const struct line_program *program, uint64_t index, struct gpu_line *out);

/*
 * Return the name of an inlined function at `offset` of the unit's strings; "": unknown. ptxas 11.8
 * to 13.0 ends the head with where they start in .debug_str. nvlink 13.0 appends the strings of
 * further units without changing that 0, so those names are unknown.
 */
const char *line_program_inlined(const struct line_program *program, uint64_t offset);

#endif
