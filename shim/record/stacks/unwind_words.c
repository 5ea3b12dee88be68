/*
 * unwind_words.c - read or list the words that lead out of kept frames.
 */
#include "record/stacks/unwind_words.h"

/*
 * True if the CFA of a realigned frame is unchanged. Its fp is unchanged: it is live, so it was
 * compared with the frames further in.
 */
static bool has_same_cfa(const struct unwind_frame *frame, uint64_t cfa)
{
	uint64_t fp = frame->at.fp;
	return fp < cfa && unwind_load(fp + (uint64_t)frame_cfa_place(frame->saves)) == cfa;
}

/* If the frame's words differ, return how many frames are left, else 0. */
static uint32_t compare_frame(const struct unwind_state *state, uint32_t index)
{
	const struct unwind_frame *frame = &state->frames[index];
	const struct unwind_frame *caller = frame - 1;
	uint64_t cfa = caller->at.sp;
	if (frame->is_realigned && !has_same_cfa(frame, cfa))
		return index + 1;
	uint64_t slot = caller->is_live ? unwind_kept_fp_slot(frame, cfa) : 0;
	uint64_t ip = frame_strip(unwind_load(frame_saved_ip(frame->saves, cfa)));
	bool is_same = ip == caller->at.ip && (!slot || unwind_load(slot) == caller->at.fp);
	return is_same ? 0 : index;
}

uint32_t unwind_find_difference(const struct unwind_state *state, uint32_t kept)
{
	uint32_t n_left = 0;
	for (uint32_t i = kept - 1; i > 0 && !n_left; i--)
		n_left = compare_frame(state, i);
	return n_left;
}

/* Return the word at `slot`, where this walk found the address. If it has changed, it must differ.
 */
static uint64_t as_saved(uint64_t slot, uint64_t address)
{
	uint64_t word = FRAME_SIGNS ? unwind_load(slot) : address;
	return frame_strip(word) == address ? word : address;
}

static bool push(struct unwind_state *state, uint64_t address, uint64_t value)
{
	if (state->n_words == state->n_word_room)
		unwind_room_for_words(state, state->n_words + 1);
	if (state->n_words == state->n_word_room)
		return false;
	state->words[state->n_words++] = (struct unwind_word){address, value};
	return true;
}

/* List the words that lead out of the frame to `frame[-1]`. */
static bool push_frame(struct unwind_state *state, const struct unwind_frame *frame)
{
	const struct unwind_frame *caller = frame - 1;
	uint64_t cfa = caller->at.sp;
	uint64_t ip_slot = frame_saved_ip(frame->saves, cfa);
	uint64_t fp_slot = caller->is_live ? unwind_kept_fp_slot(frame, cfa) : 0;
	uint64_t cfa_slot = frame->at.fp + (uint64_t)frame_cfa_place(frame->saves);
	return frame_ip_is_saved(frame->saves) &&
	       push(state, ip_slot, as_saved(ip_slot, caller->at.ip)) &&
	       (!fp_slot || push(state, fp_slot, caller->at.fp)) &&
	       (!frame->is_realigned || push(state, cfa_slot, cfa));
}

/* Fill the last block with a word that never changes. */
static bool fill_block(struct unwind_state *state)
{
	while (state->n_words % UNWIND_WORD_BLOCK) {
		if (!push(state, (uintptr_t)&state->words, (uintptr_t)state->words))
			return false;
	}
	return true;
}

bool unwind_words_list(struct unwind_state *state)
{
	state->n_words = 0;
	for (uint32_t i = state->n_frames; i-- > 1;) {
		if (!push_frame(state, &state->frames[i]))
			return false;
	}
	return fill_block(state);
}
