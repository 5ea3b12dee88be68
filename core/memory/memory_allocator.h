/*
 * memory_allocator.h - identifies the allocator that requested memory from the driver. Allocators
 * with pools hand memory out in blocks that the driver does not see.
 */
#ifndef CULPRIT_VERDICT_MEMORY_ALLOCATOR_H
#define CULPRIT_VERDICT_MEMORY_ALLOCATOR_H

#include "view/bundle_view.h"

enum memory_allocator {
	MEMORY_BY_PROGRAM, /* no known allocator */
	MEMORY_BY_PYTORCH,
	MEMORY_BY_CUPY,
	MEMORY_BY_RMM,
};

/* Return the innermost frame outside CUDA's modules; NULL if its module is unknown. Any thread. */
const struct stack_row *memory_asker_of(const struct bundle_view *view, uint32_t stack);

/* Return the allocator, by the module of that frame. Any thread. */
enum memory_allocator memory_allocator_of(const struct bundle_view *view, uint32_t stack);

/* Return "PyTorch's allocator"; NULL for the program itself. */
const char *memory_allocator_words(enum memory_allocator allocator);

#endif
