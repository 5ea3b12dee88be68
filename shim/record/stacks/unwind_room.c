/*
 * unwind_room.c - larger arrays for the frames of deep stacks. Smaller ones are not reused.
 */
#include "record/stacks/unwind_state.h"

#include <string.h>

#include "record/host/arena.h"

/* Make room for n_wanted frames, or for as many as possible. */
static void make_room(struct unwind_frame **frames, uint32_t *n_room, uint32_t n_wanted)
{
	uint32_t n_new = *n_room;
	while (n_new < n_wanted && n_new < UNWIND_FRAMES)
		n_new *= 2;
	struct unwind_frame *larger = n_new > *n_room ? arena_alloc(n_new * sizeof(*larger)) : NULL;
	if (!larger)
		return;
	memcpy(larger, *frames, *n_room * sizeof(*larger));
	*frames = larger;
	*n_room = n_new;
}

void unwind_room_for_fresh(struct unwind_work *work, uint32_t n_wanted)
{
	make_room(&work->fresh, &work->n_fresh_room, n_wanted);
}

void unwind_room_for_kept(struct unwind_state *state, uint32_t n_wanted)
{
	make_room(&state->frames, &state->n_room, n_wanted);
}

void unwind_room_for_words(struct unwind_state *state, uint32_t n_wanted)
{
	uint32_t n_new = state->n_word_room;
	while (n_new < n_wanted && n_new < UNWIND_WORDS)
		n_new *= 2;
	struct unwind_word *larger =
		n_new > state->n_word_room ? arena_alloc(n_new * sizeof(*larger)) : NULL;
	if (!larger)
		return;
	memcpy(larger, state->words, state->n_words * sizeof(*larger));
	state->words = larger;
	state->n_word_room = n_new;
}
