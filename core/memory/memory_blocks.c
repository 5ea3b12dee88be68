/*
 * memory_blocks.c - finds blocks, and describes them.
 */
#include "memory/memory_blocks.h"

#include <inttypes.h>
#include <string.h>

#include "memory/memory_labels.h"
#include "view/python_frame.h"

enum { MAX_SHOWN_FRAMES = 3 };

static const struct {
	const char *word;  /* for programs */
	const char *words; /* for people */
} states[] = {
	[MEMORY_BLOCK_IN_USE] = {"in_use", "in use"},
	[MEMORY_BLOCK_AWAITED] = {"awaited", "given back but awaited by a stream"},
	[MEMORY_BLOCK_FREE] = {"free", "free"},
	[MEMORY_BLOCK_GONE] = {"gone", "no more"},
};
static_assert(sizeof(states) / sizeof(states[0]) == N_MEMORY_BLOCK_STATES, "one for each state");

static bool lies_in(const struct memory_block *block, const struct range_row *piece)
{
	return block->start >= piece->start && block->start - piece->start <= piece->size &&
	       block->size <= piece->size - (block->start - piece->start);
}

const struct memory_block *memory_block_at(const struct memory_blocks *blocks, uint64_t address,
					   const struct range_row *piece)
{
	for (uint32_t i = 0; blocks && i < blocks->n; i++) {
		const struct memory_block *block = &blocks->rows[i];
		if (address >= block->start && address - block->start < block->size &&
		    lies_in(block, piece))
			return block;
	}
	return NULL;
}

const char *memory_block_label(enum memory_block_state state)
{
	return states[state].word;
}

static void add_frame(const struct memory_block_frame *frame, const char *directory,
		      struct text *out)
{
	const struct python_frame python = {.file = {frame->file, strlen(frame->file)}};
	struct python_text file = python_frame_short_file(&python, directory);
	text_add_foreign(out, file.bytes, file.length);
	if (frame->line)
		text_addf(out, ":%" PRIu32, frame->line);
	text_add(out, " ");
	text_add_foreign(out, frame->function, strlen(frame->function));
}

static void add_stack(const char *label, const struct memory_block_stack *stack,
		      const char *directory, struct text *out)
{
	if (stack->n == 0)
		return;
	text_add(out, label);
	for (uint32_t i = 0; i < stack->n && i < MAX_SHOWN_FRAMES; i++) {
		text_add(out, i ? "  <- " : "");
		add_frame(&stack->frames[i], directory, out);
	}
}

void memory_block_add(const struct memory_block *block, uint64_t address, const char *directory,
		      struct text *out)
{
	char size[MEMORY_SIZE_TEXT];
	text_addf(out, "PyTorch's block of %s + %" PRIu64 ", %s when it was asked",
		  memory_size_text(block->size, size), address - block->start,
		  states[block->state].words);
	add_stack(", freed at ", &block->freed, directory, out);
	add_stack(", allocated at ", &block->allocated, directory, out);
	if (block->allocated.n == 0)
		text_add(out,
			 "; torch.cuda.memory._record_memory_history() tells who allocated it");
}
