/*
 * unwind.h - walk the calling thread's stack by rules, and make the next walk cheaper: the last
 * stack is kept, and the part that is still there is verified instead of unwound.
 *
 * A frame's state is (ip, sp, fp): the next instruction, the stack pointer and the frame pointer.
 * The caller's state follows from it, from the rule for ip and from at most two words of the stack.
 * Suppose a walk reaches a state that the last walk had. The kept frames from there on are right as
 * long as the words that led from one to the next are unchanged: each is read again and compared.
 * At the first difference the walk continues from the words just read. By induction the result
 * equals that of a full walk. fp counts only if a rule further out reads it before it is reloaded
 * (is_live): most code keeps other values in it, which change from call to call.
 *
 * Only memory that is known to exist is read (unwind_memory.h). A stack that is not the thread's
 * own may vanish between two walks, so its memory is checked before it is read.
 *
 * All of this belongs to one thread; unwind_table.c has the shared part.
 */
#ifndef CULPRIT_RECORD_UNWIND_H
#define CULPRIT_RECORD_UNWIND_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "arch/frame.h"
#include "base/hot.h"
#include "base/journal_format.h"
#include "record/stacks/unwind_state.h"

/*
 * Forget the kept frames: before the first walk, and whenever a module was unloaded. The generation
 * counts the unloads, from 1.
 */
void unwind_forget(struct unwind_state *state, uint64_t generation, struct unwind_work *work);

/* Load a word of the stack, which is known to exist. */
static inline uint64_t unwind_load(uint64_t address)
{
	uint64_t word = 0;
	memcpy(&word, (const void *)(uintptr_t)address, sizeof(word));
	return word;
}

/* Check a frame that is not plain. If it differs, return how many frames are left, else 0. */
uint32_t unwind_compare_frame(const struct unwind_state *state, uint32_t index);

/*
 * The stack is now at the innermost of the `kept` frames. Read again the words that led from each
 * frame to the next. Return 0 if all are unchanged, else the number of frames that are left. The
 * innermost of these differs now, or the way out of it must be found anew. An fp that is live and
 * was not saved is the one that was compared further in.
 */
static inline uint32_t unwind_find_difference(const struct unwind_state *state, uint32_t kept)
{
	for (const struct unwind_word *word = &state->words[kept - 1];; word--) {
		while (LIKELY(unwind_load(word->address) == word->value))
			word--;
		if (UNLIKELY(word->value != UNWIND_MORE))
			return (uint32_t)(word - state->words);
		if (LIKELY(word == state->words))
			return 0;
		uint32_t n_left = unwind_compare_frame(state, (uint32_t)(word - state->words));
		if (n_left)
			return n_left;
	}
}

/* Return the caller's registers, to which an entry point's FRAME_HERE() leads. */
static inline struct unwind_point unwind_caller(const void *here)
{
	return (struct unwind_point){
		.ip = frame_ip(here), .sp = frame_sp(here), .fp = frame_fp(here)};
}

/*
 * True if a walk from `from`, a frame of the calling thread, is certain to find exactly the kept
 * stack. False may also mean that only a new walk can tell. The kept stack stays unchanged.
 */
static inline bool unwind_is_same(const struct unwind_state *state, const struct unwind_point *from)
{
	return LIKELY(state->is_certain) && LIKELY(state->from.ip == from->ip) &&
	       LIKELY(state->from.sp == from->sp) &&
	       LIKELY(!state->is_from_live || state->from.fp == from->fp) &&
	       LIKELY(unwind_find_difference(state, state->n_frames) == 0);
}

/*
 * Walk outward from `from`, which must be a frame of the calling thread; frames[] is then the
 * stack. An end at generated code (STACK_END_NO_MODULE) holds until a module is loaded, which the
 * caller must check. Keeps errno.
 */
void unwind_walk(struct unwind_state *state, const struct unwind_point *from);

#endif
