/*
 * journal_arguments.h - the table of a bundle with whole parameters. Part of journal_format.h,
 * which says how tables are read.
 */
#ifndef CULPRIT_BASE_JOURNAL_ARGUMENTS_H
#define CULPRIT_BASE_JOURNAL_ARGUMENTS_H

#include <assert.h>
#include <stdint.h>

enum { WHOLE_ARGUMENTS_MAX = 4096 };

/*
 * The parameters of a launch whose record says RECORD_ARGUMENTS_CUT. Rows are used by turns, so the
 * newest such launches have one: the record is found by thread and time. All is live: time_ns is 0
 * while the row is written.
 */
struct whole_arguments_row {
	uint64_t time_ns;
	uint32_t tid;
	uint32_t size;         /* bytes that follow, from the first parameter's on */
	uint32_t is_taken;     /* somebody writes it, or ended in the midst of that */
	uint32_t reserved[11]; /* no power of two: rows would meet in the same lines of caches */
	uint8_t bytes[WHOLE_ARGUMENTS_MAX];
};
static_assert(sizeof(struct whole_arguments_row) == 4160, "part of the format");

/* So many rows: a megabyte. */
enum { N_WHOLE_ARGUMENTS = 256 };

#endif
