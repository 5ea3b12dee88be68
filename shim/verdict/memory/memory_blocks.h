/*
 * memory_blocks.h - the blocks that a pool handed out of memory that the driver gave it, as far as
 * its framework told of them: the driver sees the pool's pieces alone. They are as they were when
 * the framework was asked, after the failure.
 */
#ifndef CULPRIT_VERDICT_MEMORY_BLOCKS_H
#define CULPRIT_VERDICT_MEMORY_BLOCKS_H

#include <stdint.h>

#include "base/journal_format.h"
#include "base/text.h"

enum { MEMORY_MAX_BLOCKS = 64, MEMORY_MAX_BLOCK_FRAMES = 8 };

enum memory_block_state {
	MEMORY_BLOCK_IN_USE,
	MEMORY_BLOCK_AWAITED, /* given back, until a stream has come so far */
	MEMORY_BLOCK_FREE,
	MEMORY_BLOCK_GONE, /* given back, and its piece to the driver */
	N_MEMORY_BLOCK_STATES
};

/* Foreign strings; "": not known. */
struct memory_block_frame {
	const char *file;
	const char *function;
	uint32_t line; /* 0 unknown */
};

/* Who did something, innermost frame first. */
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
	struct memory_block_stack freed; /* none of a block that is in use */
};

/* Strings are the owner's. */
struct memory_blocks {
	uint32_t n;
	struct memory_block rows[MEMORY_MAX_BLOCKS];
};

/*
 * The block that the address lies in, which itself lies in `piece`; NULL: none is known. `blocks`
 * may be NULL. Any thread.
 */
const struct memory_block *memory_block_at(const struct memory_blocks *blocks, uint64_t address,
					   const struct range_row *piece);

/* "in_use", ...: for programs, in JSON as in the file. Any thread. */
const char *memory_block_word(enum memory_block_state state);

/*
 * Adds "PyTorch's block of 4.0 KiB + 16, in use when it was asked, allocated at train.py:20 make",
 * with files from `directory` on (NULL: not known). Any thread.
 */
void memory_block_add(const struct memory_block *block, uint64_t address, const char *directory,
		      struct text *out);

#endif
