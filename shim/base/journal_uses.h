/*
 * journal_uses.h - the part of journal_format.h about rows that are used again, so that a process
 * that makes and ends kernels, code and libraries for ever fills no table.
 *
 * An old record must never show a later row's name. Nobody can wait until no record refers to a
 * row any more: the ring of a thread that sleeps never turns. So an id says which use of the row is
 * meant, in one of two ways, and an id whose row has had another use since means "none".
 *
 * Counted rows (functions, modules, python-codes, channels, kernel-states): a row that its kernel,
 * library, code object, context or stream has left is used again, the longest left first. The lower
 * ROW_ID_BITS of an id are the row's, the upper ones the number of its use, which the row has too:
 * 0 at first, and while it is rewritten ROW_USE_NONE, which is in no id. A row that has had
 * ROW_USE_MAX uses is not used again: no use ever comes back.
 *
 * Turning tables (stacks, python-frames): nodes of call trees, which nobody sees end. Their ids go
 * on for ever; the row of id n is (n - 1) modulo capacity, and holds n until n + capacity - 1 is
 * there. The index of nodes is emptied twice in each turn, so that no stack that is taken is older
 * than half of one.
 *
 * Texts, line tables and parameter rows are held by those rows, and used again after them.
 *
 * In a process that has ended, and after the failure, which ends all use of rows again, what a row
 * refers to is its own: it is marked as rewritten before anything of it is. A reader of a living
 * process compares file_header.n_reused before and after it has read all files.
 */
#ifndef CULPRIT_BASE_JOURNAL_USES_H
#define CULPRIT_BASE_JOURNAL_USES_H

#include <stdint.h>

enum { ROW_ID_BITS = 16, ROW_ID_MAX = (1 << ROW_ID_BITS) - 1 };
enum { ROW_USE_MAX = 0x7ffe, ROW_USE_NONE = 0x7fff };

/* The row's index + 1, and its use, in an id of counted rows; and back. */
static inline uint32_t row_id_place(uint32_t id)
{
	return id & ROW_ID_MAX;
}

static inline uint32_t row_id_use(uint32_t id)
{
	return id >> ROW_ID_BITS;
}

static inline uint32_t row_id_of(uint32_t place, uint32_t use)
{
	return place | use << ROW_ID_BITS;
}

#endif
