/*
 * unwind.c - the verified incremental walk. unwind.h says why it is right; a full walk is the same
 * code with nothing kept.
 */
#include "unwind.h"

#include <errno.h>
#include <string.h>

#include "hot.h"
#include "unwind_table.h"

enum {
	/* What is further away may not be there to be read. */
	MAX_FRAME_SIZE = 1 << 20,
};

/* UNSURE_END: an end that may be another one next time, of the same frames. */
enum step { STEP_ON, STEP_END, STEP_UNSURE_END, STEP_UNABLE };

static uint64_t load(uint64_t address)
{
	uint64_t word;
	memcpy(&word, (const void *)(uintptr_t)address, sizeof(word));
	return word;
}

void unwind_forget(struct unwind_state *state, uint64_t generation, struct unwind_work *work)
{
	state->generation = generation;
	state->n_frames = 0;
	state->n_known = 0;
	state->end = 0;
	state->work = work;
}

static const struct unwind_rule *rule_of(struct unwind_state *state, uint64_t ip)
{
	uint64_t slot = (ip * 0x9e3779b97f4a7c15ull >> 32) % UNWIND_RULES;
	struct unwind_rule *rule = &state->work->rules[slot];
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
	state->work->fresh[state->n_fresh++] = *frame;
}

/* What a stack leaves open whose outermost frame has such a rule. */
static uint32_t end_by(enum unwind_rule_type type)
{
	if (type == UNWIND_NONE)
		return STACK_END_NO_MODULE;
	return type == UNWIND_BARE ? STACK_END_NO_RULES : 0;
}

static enum step end_at(struct unwind_state *state, uint32_t end)
{
	state->end = end;
	return end & ~(uint32_t)STACK_END_NO_RULES ? STEP_UNSURE_END : STEP_END;
}

/* The CFA by the rule, or 0, which is none: rbp does not point into this frame. */
static uint64_t cfa_by(const struct unwind_rule *rule, const struct unwind_point *at)
{
	uint64_t offset = (uint64_t)(int64_t)rule->cfa_offset;
	if (rule->type == UNWIND_STANDARD)
		return (rule->cfa_is_rbp ? at->rbp : at->rsp) + offset;
	bool is_inside = is_plausible(at, at->rbp) && at->rbp + offset >= at->rsp;
	return is_inside ? load(at->rbp + offset) : 0;
}

static uint64_t caller_rbp(const struct unwind_rule *rule, uint64_t rbp, uint64_t cfa)
{
	if (rule->type == UNWIND_REALIGNED)
		return load(rbp);
	return rule->rbp_offset ? load(cfa + (uint64_t)(int64_t)rule->rbp_offset) : rbp;
}

/* Moves *at to its caller and keeps the frame that was left. There is room for it. */
static enum step step_out(struct unwind_state *state, struct unwind_point *at)
{
	static const struct unwind_rule bottom = {.type = UNWIND_LAST};
	/* A stack or coroutine begins with a return address of 0, by convention. */
	const struct unwind_rule *rule = at->ip ? rule_of(state, at->ip) : &bottom;
	bool is_realigned = rule->type == UNWIND_REALIGNED;
	if (rule->type == UNWIND_OTHER)
		return STEP_UNABLE;
	/* In its place at once: to copy what was just written in pieces stalls the processor. */
	state->work->fresh[state->n_fresh++] = (struct unwind_frame){
		.at = *at,
		.rbp_offset = rule->rbp_offset,
		.cfa_is_rbp = rule->cfa_is_rbp,
		.is_realigned = is_realigned,
	};
	if (rule->type != UNWIND_STANDARD && !is_realigned)
		return end_at(state, end_by(rule->type));
	uint64_t cfa = cfa_by(rule, at);
	if (!is_plausible(at, cfa))
		return end_at(state, STACK_END_NO_FRAME);
	at->rbp = caller_rbp(rule, at->rbp, cfa);
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
 * The innermost of the `kept` frames is where the stack is now. Reads again what led from each to
 * the next; returns 0 when all of it holds. Otherwise the number of frames that are left: the
 * innermost of these is not the one that is there now, or how it was left is to be found anew. An
 * rbp that is live and was not saved is the one that was compared further in.
 */
static HOT uint32_t find_difference(const struct unwind_state *state, uint32_t kept)
{
	const struct unwind_frame *frame = &state->frames[kept - 1];
	for (; frame > state->frames; frame--) {
		const struct unwind_frame *caller = frame - 1;
		uint64_t cfa = caller->at.rsp;
		if (!frame->is_plain && frame->is_realigned)
			return (uint32_t)(frame - state->frames) + 1;
		if (load(cfa - 8) != caller->at.ip)
			break;
		if (!frame->is_plain &&
		    load(cfa + (uint64_t)(int64_t)frame->rbp_offset) != caller->at.rbp)
			break;
	}
	return (uint32_t)(frame - state->frames);
}

HOT bool unwind_is_same(const struct unwind_state *state, const struct unwind_point *from)
{
	uint32_t n = state->n_frames;
	return n && !state->is_partial && is_same_state(&state->frames[n - 1], from) &&
	       find_difference(state, n) == 0;
}

/*
 * Moves *at, the innermost of the `kept` frames, outward until n_left are left. Each frame's rbp is
 * brought up to date on the way: one that was not live may become so when outer frames are
 * replaced.
 */
static void follow(struct unwind_state *state, uint32_t kept, uint32_t n_left,
		   struct unwind_point *at)
{
	for (uint32_t i = kept; i-- > n_left;) {
		struct unwind_frame *frame = &state->frames[i];
		frame->at.rbp = at->rbp;
		at->rsp = frame[-1].at.rsp;
		at->ip = load(at->rsp - 8);
		if (frame->rbp_offset)
			at->rbp = load(at->rsp + (uint64_t)(int64_t)frame->rbp_offset);
	}
}

/* Frames [from, to) of the kept ones, innermost first, as far as there is room. */
static void push_kept(struct unwind_state *state, uint32_t from, uint32_t to)
{
	while (to > from && state->n_fresh < UNWIND_FRAMES)
		push_fresh(state, &state->frames[--to]);
}

/*
 * Walks to the outer end; *out_kept of the kept frames are its outer part, fresh[] the rest. Where
 * there is a kept part, its end is still the end.
 */
static HOT enum step walk(struct unwind_state *state, struct unwind_point at, uint32_t *out_kept)
{
	uint32_t kept = state->is_partial ? 0 : state->n_frames;
	enum step step = STEP_ON;
	*out_kept = 0;
	while (step == STEP_ON) {
		if (state->n_fresh == UNWIND_FRAMES)
			return end_at(state, STACK_END_LIMIT);
		if (!joins(state, &kept, &at)) {
			step = step_out(state, &at);
			continue;
		}
		uint32_t n_left = find_difference(state, kept);
		if (n_left == 0) {
			*out_kept = kept;
			return STEP_END;
		}
		follow(state, kept, n_left, &at);
		push_kept(state, n_left, kept);
		kept = is_same_state(&state->frames[n_left - 1], &at) ? n_left - 1 : n_left;
	}
	return step;
}

/* Makes the frame the next inner one; its id holds if the same ones were here last time. */
static void append(struct unwind_state *state, const struct unwind_frame *frame)
{
	uint32_t index = state->n_frames++;
	struct unwind_frame *place = &state->frames[index];
	bool is_callers_live = index > 0 && state->frames[index - 1].is_live;
	if (index < state->n_known && place->at.ip != frame->at.ip)
		state->n_known = index;
	*place = (struct unwind_frame){
		.at = frame->at,
		.id = place->id,
		.rbp_offset = frame->rbp_offset,
		.cfa_is_rbp = frame->cfa_is_rbp,
		.is_realigned = frame->is_realigned,
		.is_live = frame->cfa_is_rbp || (is_callers_live && !frame->rbp_offset),
		.is_plain = !frame->is_realigned && !(is_callers_live && frame->rbp_offset),
	};
}

static void append_fresh(struct unwind_state *state)
{
	while (state->n_fresh)
		append(state, &state->work->fresh[--state->n_fresh]);
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
	state->end = STACK_END_LIMIT;
	return kept - n_excess;
}

/* An id says also how the stack ends, so that all are others behind another end. */
static void forget_ids_behind(struct unwind_state *state, uint32_t old_end)
{
	if (state->end != old_end)
		state->n_known = 0;
}

HOT int unwind_walk(struct unwind_state *state, const struct unwind_point *from)
{
	uint32_t kept;
	uint32_t old_end = state->end;
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
	forget_ids_behind(state, old_end);
	return 0;
}

void unwind_adopt(struct unwind_state *state, void *const *addresses, uint32_t n_addresses,
		  uint32_t end)
{
	uint32_t old_end = state->end;
	state->n_known = state->n_frames;
	state->n_frames = 0;
	state->is_partial = true;
	state->end = end | end_by(rule_of(state, (uintptr_t)addresses[n_addresses - 1])->type);
	for (uint32_t i = n_addresses; i-- > 0;) {
		struct unwind_frame frame = {.at.ip = (uintptr_t)addresses[i]};
		append(state, &frame);
	}
	if (state->n_known > state->n_frames)
		state->n_known = state->n_frames;
	forget_ids_behind(state, old_end);
}
