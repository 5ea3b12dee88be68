/*
 * unwind_words.h - the words of the stack that lead from one kept frame to the next.
 *
 * The way out of a frame depends on its (ip, sp, fp), on the rule for ip, and on these words: the
 * return address; the caller's fp, if it is live and the frame has saved it; and the CFA, if the
 * frame has realigned its stack. So two stacks with an equal innermost frame and equal words are
 * equal. A walk verifies one frame after the other, to find the first that differs. A launch only
 * needs to know whether any differs, so it reads all words from a list (unwind_words_hold()).
 */
#ifndef CULPRIT_RECORD_UNWIND_WORDS_H
#define CULPRIT_RECORD_UNWIND_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "record/stacks/unwind_state.h"

/* Load a word of the stack, which is known to exist. */
static inline uint64_t unwind_load(uint64_t address)
{
	uint64_t word = 0;
	memcpy(&word, (const void *)(uintptr_t)address, sizeof(word));
	return word;
}

/*
 * Return where a kept frame, whose fp is known and whose caller's sp is `cfa`, saves its caller's
 * fp; 0 if it is still in place.
 */
static inline uint64_t unwind_kept_fp_slot(const struct unwind_frame *frame, uint64_t cfa)
{
	return frame->is_realigned ? frame->at.fp : frame_saved_fp(frame->saves, cfa);
}

/*
 * The stack is now at the innermost of the `kept` frames, of which there is one or more. Read again
 * the words that led from each frame to the next. Return 0 if all are unchanged, else the number of
 * frames that are left. The innermost of these differs now, or the way out of it must be found
 * anew. An fp that is live and was not saved is the one that was compared further in.
 */
uint32_t unwind_find_difference(const struct unwind_state *state, uint32_t kept);

/*
 * List the words of all kept frames, which must all be on the thread's own stack, for
 * unwind_is_same(). False if that is not possible: the stack is then walked each time.
 */
bool unwind_words_list(struct unwind_state *state);

#endif
