/*
 * journal_uses.h - the part of journal_format.h about rows that are reused. A process may load and
 * unload kernels, code and libraries for ever without filling a table.
 *
 * An old record must never show the name of a later use of a row. A row cannot be kept until no
 * record refers to it, because the ring of a sleeping thread never advances. So an id also says
 * which use of the row it means. An id whose row has been reused since means "none". There are two
 * kinds of such ids.
 *
 * Counted rows (functions, modules, python-codes, channels, kernel-states): a row is free once its
 * kernel, library, code object, context or stream is destroyed. The row that was freed first is
 * reused first. The lower ROW_ID_BITS of an id are the row's id, the upper ones the number of its
 * use. The row holds that number too: 0 at first, and ROW_USE_NONE, which is in no id, while it is
 * rewritten. A row that has had ROW_USE_MAX uses is not reused, so the numbers never repeat.
 *
 * Turning tables (stacks, python-frames): nodes of call trees, whose end of use cannot be seen.
 * Their ids grow for ever. The row of id n is (n - 1) modulo capacity. It holds n until
 * n + capacity - 1 exists. The index of nodes is emptied twice per turn of the table, so no node
 * in a stack that is taken is older than half a turn.
 *
 * Strings, line tables and parameter rows belong to these rows and are reused after them.
 *
 * A row is marked as being rewritten before any part of it or of what it refers to changes. The
 * failure stops all reuse. So after the failure, and after the process has exited, whatever a row
 * refers to is the row's own. A reader of a living process compares file_header.n_reused before and
 * after it reads all files.
 */
#ifndef CULPRIT_BASE_JOURNAL_USES_H
#define CULPRIT_BASE_JOURNAL_USES_H

#include <stdint.h>

enum { ROW_ID_BITS = 16, ROW_ID_MAX = (1 << ROW_ID_BITS) - 1 };
enum { ROW_USE_MAX = 0x7ffe, ROW_USE_NONE = 0x7fff };

/* The row's index + 1 in an id of counted rows, the row's use, and an id made of both. */
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
