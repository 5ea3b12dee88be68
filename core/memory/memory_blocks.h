/*
 * memory_blocks.h - the blocks that a framework's pool handed out. The driver only sees the pieces
 * that the pool allocated. The blocks are in the state in which the framework reported them, after
 * the failure.
 */
#ifndef CULPRIT_MEMORY_MEMORY_BLOCKS_H
#define CULPRIT_MEMORY_MEMORY_BLOCKS_H

#include <stdint.h>

#include "base/journal_format.h"
#include "base/text.h"

enum { MEMORY_MAX_BLOCKS = 64, MEMORY_MAX_BLOCK_FRAMES = 8 };

enum memory_block_state {
	MEMORY_BLOCK_IN_USE,
	MEMORY_BLOCK_AWAITED, /* freed, once a stream has finished its work so far */
	MEMORY_BLOCK_FREE,
	MEMORY_BLOCK_GONE, /* freed, and its piece was returned to the driver */
	N_MEMORY_BLOCK_STATES
};

/* Foreign strings; "": not known. */
struct memory_block_frame {
	const char *file;
	const char *function;
	uint32_t line; /* 0: unknown */
};

/* The stack of an allocation or release, innermost frame first. */
struct memory_block_stack {
	uint32_t n; /* 0: not known */
	struct memory_block_frame frames[MEMORY_MAX_BLOCK_FRAMES];
};

/* Invariant: size > 0, and start + size does not wrap. */
struct memory_block {
	uint64_t start;
	uint64_t size;
	enum memory_block_state state;
	struct memory_block_stack allocated;
	struct memory_block_stack freed; /* empty if the block is in use */
};

/* The strings belong to the owner of the structure. */
struct memory_blocks {
	uint32_t n;
	struct memory_block rows[MEMORY_MAX_BLOCKS];
};

/*
 * Return the block that contains the address and is inside `piece`; NULL if none is known. `blocks`
 * may be NULL. Any thread.
 */
const struct memory_block *memory_block_at(const struct memory_blocks *blocks, uint64_t address,
					   const struct range_row *piece);

/* Return "in_use", ...: the state for programs, in JSON and in the file. Any thread. */
const char *memory_block_label(enum memory_block_state state);

/*
 * Append "PyTorch's block of 4.0 KiB + 16, in use when it was asked, allocated at train.py:20
 * make", with files relative to `directory` (NULL: not known). Any thread.
 */
void memory_block_add(const struct memory_block *block, uint64_t address, const char *directory,
		      struct text *out);

#endif
