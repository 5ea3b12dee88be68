/*
 * dump_parts.h - the functions that each print one part of a bundle, a file each.
 */
#ifndef CULPRIT_TOOLS_DUMP_PARTS_H
#define CULPRIT_TOOLS_DUMP_PARTS_H

#include <stdint.h>
#include <stdio.h>

#include "bundle/coredump.h"
#include "code/code_access.h"
#include "view/bundle_view.h"

/* Print a heading, then a line for each row of a table. Print nothing if there is no such table. */
void dump_table(FILE *out, const struct bundle_view *view, enum journal_file kind);

/* Print a heading, then a line for each record, oldest first. Print nothing if there is no ring. */
void dump_ring(FILE *out, const struct bundle_view *view, uint32_t slot);

/* Print row `id` of the table "ranges", without its ID and newline. */
void dump_range(FILE *out, const struct bundle_view *view, uint32_t id);

/* Print row `id` of the table "faults", without its ID and newline. */
void dump_fault(FILE *out, const struct bundle_view *view, uint32_t id);

/* The same for the table "code-addresses". */
void dump_code_address(FILE *out, const struct bundle_view *view, uint32_t id);

/* dump_instruction.c: print instructions at which the GPU stopped. */

/* Print a line with an instruction's bits and what is known of it. Runs nvdisasm. */
void dump_instruction(FILE *out, const struct code_instruction *instruction);

/*
 * Print a line for each program counter in the table "faults" that lies in known code. Reads the
 * images that were loaded, which may take seconds.
 */
void dump_instructions(FILE *out, const struct bundle_view *view);

/* Print the row after its kind and id, without the end of the line. */
void dump_check(FILE *out, const struct bundle_view *view, uint32_t id);
void dump_graph_check(FILE *out, const struct bundle_view *view, uint32_t id);

/* dump_live.c: print the rows that a running process keeps up to date: waits and snapshots. */

/* Print an existing row of the tables "waits" and "looks", without its ID and newline. */
void dump_wait(FILE *out, const struct bundle_view *view, uint32_t id);
void dump_snapshot(FILE *out, const struct bundle_view *view, uint32_t id);

/*
 * Print one line for each device, context, grid, SM with an exception, warp, and fault. Function
 * names are demangled.
 */
void dump_coredump(FILE *out, const struct coredump *coredump);

/* dump_text.c: print strings and times of a bundle. */

/* Print a string in quotes, made safe for a terminal; "-" for ID 0. */
void dump_string(FILE *out, const struct bundle_view *view, uint32_t id);

/* Print " NAME=" and a time of CLOCK_MONOTONIC in seconds; "-" for 0. */
void dump_time(FILE *out, const char *name, uint64_t ns);

#endif
