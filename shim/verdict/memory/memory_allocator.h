/*
 * memory_allocator.h - whose allocator asked the driver for memory: pools hand it out in pieces
 * that the driver does not see.
 */
#ifndef CULPRIT_VERDICT_MEMORY_ALLOCATOR_H
#define CULPRIT_VERDICT_MEMORY_ALLOCATOR_H

#include "verdict/view/bundle_view.h"

enum memory_allocator {
	MEMORY_BY_PROGRAM, /* none that is known */
	MEMORY_BY_PYTORCH,
	MEMORY_BY_CUPY,
	MEMORY_BY_RMM,
};

/* The innermost frame of the stack whose module is known and not CUDA's; NULL: none. Any thread. */
const struct stack_row *memory_asker_of(const struct bundle_view *view, uint32_t stack);

/* By the module of that frame. Any thread. */
enum memory_allocator memory_allocator_of(const struct bundle_view *view, uint32_t stack);

/* "PyTorch's allocator"; NULL of the program itself. */
const char *memory_allocator_words(enum memory_allocator allocator);

#endif
