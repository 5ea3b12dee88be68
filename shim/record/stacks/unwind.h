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

#include "arch/frame.h"
#include "base/hot.h"
#include "base/journal_format.h"
#include "record/stacks/unwind_state.h"
#include "record/stacks/unwind_words.h"

/*
 * Forget the kept frames: before the first walk, and whenever a module was unloaded. The generation
 * counts the unloads, from 1.
 */
void unwind_forget(struct unwind_state *state, uint64_t generation, struct unwind_work *work);

/*
 * True if each of the kept stack's words is unchanged. No word depends on another, so their order
 * does not matter, and the processor need not wait for one to read the next. One branch, which is
 * seldom taken, serves a block of them. The innermost frames, which change most often, come first.
 */
static inline bool unwind_words_hold(const struct unwind_state *state)
{
	const struct unwind_word *end = state->words + state->n_words;
	for (const struct unwind_word *word = state->words; word != end;
	     word += UNWIND_WORD_BLOCK) {
		uint64_t difference = 0;
#pragma GCC unroll 4
		for (int i = 0; i < UNWIND_WORD_BLOCK; i++)
			difference |= unwind_load(word[i].address) ^ word[i].value;
		if (UNLIKELY(difference))
			return false;
	}
	return true;
}

/* Return the caller's registers, to which an entry point's FRAME_HERE() leads. */
static inline struct unwind_point unwind_caller(const void *here)
{
	return (struct unwind_point){
		.ip = frame_ip(here), .sp = frame_sp(here), .fp = frame_fp(here)};
}

/*
 * True if a walk from `from`, a frame of the calling thread, is certain to find exactly the kept
 * stack. False may also mean that only a new walk can show it. The kept stack stays unchanged.
 */
static inline bool unwind_is_same(const struct unwind_state *state, const struct unwind_point *from)
{
	return LIKELY(state->is_certain) && LIKELY(state->from_ip == from->ip) &&
	       LIKELY(state->from_sp == from->sp) &&
	       LIKELY(!state->is_from_live || state->from_fp == from->fp) &&
	       LIKELY(unwind_words_hold(state));
}

/*
 * Walk outward from `from`, which must be a frame of the calling thread; frames[] is then the
 * stack. An end at generated code (STACK_END_NO_MODULE) holds until a module is loaded, which the
 * caller must check. Keeps errno.
 */
void unwind_walk(struct unwind_state *state, const struct unwind_point *from);

#endif
