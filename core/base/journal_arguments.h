/*
 * journal_arguments.h - the table of launch parameters that were too large for their record. Part
 * of journal_format.h, which says how tables are read.
 */
#ifndef CULPRIT_BASE_JOURNAL_ARGUMENTS_H
#define CULPRIT_BASE_JOURNAL_ARGUMENTS_H

#include <assert.h>
#include <stdint.h>

enum { WHOLE_ARGUMENTS_MAX = 4096 };

/*
 * The parameters of a launch whose record has RECORD_ARGUMENTS_CUT. Rows are reused in turn, so
 * only the newest such launches have one. Thread and time identify the record. All members are
 * live; time_ns is 0 while the row is written.
 */
struct whole_arguments_row {
	uint64_t time_ns;
	uint32_t tid;
	uint32_t size;         /* valid bytes, starting at the first parameter */
	uint32_t is_taken;     /* a thread writes the row, or ended while it did */
	uint32_t reserved[11]; /* avoids a power of two, which would share cache sets */
	uint8_t bytes[WHOLE_ARGUMENTS_MAX];
};
static_assert(sizeof(struct whole_arguments_row) == 4160, "part of the format");

/* Rows of the table: about a megabyte. */
enum { N_WHOLE_ARGUMENTS = 256 };

#endif
