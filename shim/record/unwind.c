/*
 * unwind.c - the verified incremental walk. unwind.h says why it is right; a full walk is the same
 * code with nothing kept.
 */
#include "unwind.h"

#include <errno.h>
#include <string.h>

#include "unwind_table.h"

enum {
	/* A larger frame is left to an unwinder that asks before it reads. */
	MAX_FRAME_SIZE = 1 << 20,
};

enum step { STEP_ON, STEP_END, STEP_UNSURE_END, STEP_UNABLE };

static uint64_t load(uint64_t address)
{
	uint64_t word;
	memcpy(&word, (const void *)(uintptr_t)address, sizeof(word));
	return word;
}

void unwind_forget(struct unwind_state *state, uint64_t generation)
{
	state->generation = generation;
	state->n_frames = 0;
	state->n_known = 0;
	memset(state->rules, 0, sizeof(state->rules));
}

static const struct unwind_rule *rule_of(struct unwind_state *state, uint64_t ip)
{
	uint64_t slot = (ip * 0x9e3779b97f4a7c15ull >> 32) % UNWIND_RULES;
	struct unwind_rule *rule = &state->rules[slot];
	/* A module may be loaded where there was none, and nobody tells. */
	if (rule->ip != ip || rule->type == UNWIND_NONE)
		*rule = unwind_table_rule(ip, state->generation);
	return rule;
}

/* Stacks grow down in words; anything else is damage, or a stack that is not ours. */
static bool is_plausible(const struct unwind_point *at, uint64_t cfa)
{
	return cfa > at->rsp && cfa - at->rsp <= MAX_FRAME_SIZE && cfa % 8 == 0;
}

static void push_fresh(struct unwind_state *state, const struct unwind_frame *frame)
{
	state->fresh[state->n_fresh++] = *frame;
}

/* Moves *at to its caller and keeps the frame that was left. There is room for it. */
static enum step step_out(struct unwind_state *state, struct unwind_point *at)
{
	struct unwind_frame frame = {.at = *at};
	if (at->ip == 0) { /* the bottom of a thread's or coroutine's stack, by convention */
		push_fresh(state, &frame);
		return STEP_END;
	}
	const struct unwind_rule *rule = rule_of(state, at->ip);
	if (rule->type == UNWIND_OTHER)
		return STEP_UNABLE;
	frame.rbp_offset = rule->rbp_offset;
	frame.cfa_is_rbp = rule->cfa_is_rbp;
	push_fresh(state, &frame);
	if (rule->type != UNWIND_STANDARD)
		return rule->type == UNWIND_LAST ? STEP_END : STEP_UNSURE_END;
	uint64_t cfa = (rule->cfa_is_rbp ? at->rbp : at->rsp) + (uint64_t)(int64_t)rule->cfa_offset;
	if (!is_plausible(at, cfa))
		return STEP_UNABLE;
	if (rule->rbp_offset)
		at->rbp = load(cfa + (uint64_t)(int64_t)rule->rbp_offset);
	at->ip = load(cfa - 8);
	at->rsp = cfa;
	return STEP_ON;
}

static bool is_same_state(const struct unwind_frame *frame, const struct unwind_point *at)
{
	return frame->at.ip == at->ip && frame->at.rsp == at->rsp &&
	       (!frame->is_live || frame->at.rbp == at->rbp);
}

/* Moves *kept (a count: the candidate is the frame before) out to where `at` may be. */
static bool joins(const struct unwind_state *state, uint32_t *kept, const struct unwind_point *at)
{
	while (*kept && state->frames[*kept - 1].at.rsp < at->rsp)
		(*kept)--;
	return *kept && is_same_state(&state->frames[*kept - 1], at);
}

/*
 * The innermost of the `kept` frames is where *at is. Reads again what led from each to the next;
 * returns 0 when all of it holds. Otherwise the number of frames beyond the first difference, and
 * *at is what was found there. Each frame's rbp is brought up to date on the way: one that was not
 * live may become so when outer frames are replaced.
 */
static uint32_t verify(struct unwind_state *state, uint32_t kept, struct unwind_point *at)
{
	struct unwind_frame *frame = &state->frames[kept - 1];
	uint64_t rbp = at->rbp;
	frame->at.rbp = rbp;
	for (; frame > state->frames; frame--) {
		struct unwind_frame *caller = frame - 1;
		uint64_t cfa = caller->at.rsp;
		if (frame->rbp_offset)
			rbp = load(cfa + (uint64_t)(int64_t)frame->rbp_offset);
		struct unwind_point found = {.ip = load(cfa - 8), .rsp = cfa, .rbp = rbp};
		if (!is_same_state(caller, &found)) {
			*at = found;
			return (uint32_t)(frame - state->frames);
		}
		caller->at.rbp = rbp;
	}
	return 0;
}

/* Frames [from, to) of the kept ones, innermost first, as far as there is room. */
static void push_kept(struct unwind_state *state, uint32_t from, uint32_t to)
{
	while (to > from && state->n_fresh < UNWIND_FRAMES)
		push_fresh(state, &state->frames[--to]);
}

/* Walks to the outer end; *out_kept of the kept frames are its outer part, fresh[] the rest. */
static enum step walk(struct unwind_state *state, struct unwind_point at, uint32_t *out_kept)
{
	uint32_t kept = state->is_partial ? 0 : state->n_frames;
	enum step step = STEP_ON;
	*out_kept = 0;
	while (step == STEP_ON) {
		if (state->n_fresh == UNWIND_FRAMES)
			return STEP_UNSURE_END;
		if (!joins(state, &kept, &at)) {
			step = step_out(state, &at);
			continue;
		}
		uint32_t n_beyond = verify(state, kept, &at);
		if (n_beyond == 0) {
			*out_kept = kept;
			return STEP_END;
		}
		push_kept(state, n_beyond, kept);
		kept = n_beyond;
	}
	return step;
}

/* Makes the frame the next inner one; its id holds if the same ones were here last time. */
static void append(struct unwind_state *state, const struct unwind_frame *frame)
{
	uint32_t index = state->n_frames++;
	struct unwind_frame *place = &state->frames[index];
	bool was_here = index < state->n_known && place->at.ip == frame->at.ip;
	uint32_t id = place->id;
	if (!was_here && index < state->n_known)
		state->n_known = index;
	*place = *frame;
	place->id = id;
	place->is_live = frame->cfa_is_rbp ||
			 (!frame->rbp_offset && index > 0 && state->frames[index - 1].is_live);
}

static void append_fresh(struct unwind_state *state)
{
	while (state->n_fresh)
		append(state, &state->fresh[--state->n_fresh]);
	if (state->n_known > state->n_frames)
		state->n_known = state->n_frames;
}

/* Leaves out the outermost frames that find no room. Ids count from the outer end: all are void. */
static uint32_t make_room(struct unwind_state *state, uint32_t kept)
{
	uint32_t n_excess = kept + state->n_fresh - UNWIND_FRAMES;
	memmove(state->frames, state->frames + n_excess,
		(kept - n_excess) * sizeof(*state->frames));
	state->n_known = 0;
	state->is_partial = true;
	return kept - n_excess;
}

int unwind_walk(struct unwind_state *state, const struct unwind_point *from)
{
	uint32_t kept;
	state->n_fresh = 0;
	enum step step = walk(state, *from, &kept);
	if (step == STEP_UNABLE) {
		state->is_partial = true;
		return -ENOTSUP;
	}
	state->n_known = state->n_frames;
	state->n_joined = kept;
	state->is_partial = step == STEP_UNSURE_END;
	if (kept + state->n_fresh > UNWIND_FRAMES)
		kept = make_room(state, kept);
	state->n_frames = kept;
	append_fresh(state);
	return 0;
}

void unwind_adopt(struct unwind_state *state, void *const *addresses, uint32_t n_addresses)
{
	state->n_known = state->n_frames;
	state->n_frames = 0;
	state->is_partial = true;
	for (uint32_t i = n_addresses; i-- > 0;) {
		struct unwind_frame frame = {.at.ip = (uintptr_t)addresses[i]};
		append(state, &frame);
	}
	if (state->n_known > state->n_frames)
		state->n_known = state->n_frames;
}
