/*
 * code_extent.h - the sizes of kernels in an ELF file of code, and whether its code can launch
 * kernels. Machine code of any architecture will do. The file is not trusted.
 */
#ifndef CULPRIT_TOOLS_CODE_EXTENT_H
#define CULPRIT_TOOLS_CODE_EXTENT_H

#include <stdbool.h>

#include "code/code_access.h"
#include "coredump/byte_span.h"
#include "fault/code_extents.h"

/* An open file. The bytes must outlive it. */
struct code_extent_file {
	struct byte_span file, symbols, names;
};

/* Open an ELF file. Returns false if it has no complete table of symbols. Thread-safe. */
bool code_extent_open(struct byte_span file, struct code_extent_file *out);

/*
 * Find the next function from symbol *at on, and set *at to the symbol after it. Its size is that
 * of the section ".text.NAME" from the symbol on, with copies of functions that it calls, or else
 * the symbol's. Returns NULL at the end. Thread-safe.
 */
const char *code_extent_next(const struct code_extent_file *file, uint64_t *at, uint64_t *out_size);

/*
 * Find the instructions of the function of that name that may access memory: a bit for each
 * CODE_STEP bytes, in memory for free(), and how many. NULL: not known for this architecture, or no
 * memory. *out_awaited has such bits in the same memory: code_access_is_awaited(). Thread-safe.
 */
uint8_t *code_extent_accesses(struct byte_span cubin, const char *name, uint32_t *out_n,
			      uint8_t **out_awaited);

/*
 * Decode the instruction at `offset` of the function of that name and size. *out is no instruction
 * if the architecture or the function is not known, or if the function's section has another size.
 * Thread-safe.
 */
void code_extent_instruction_at(struct byte_span cubin, const char *name, uint64_t size,
				uint64_t offset, struct code_instruction *out);

/* True if the code can launch kernels or graphs: it uses the device runtime. Thread-safe. */
bool code_extent_can_launch(const struct code_extent_file *file);

#endif
