/*
 * unwind.c - the verified incremental walk. unwind.h explains why it is right; a full walk is the
 * same code with no frames kept.
 */
#include "record/stacks/unwind.h"

#include <string.h>

#include "base/hash.h"
#include "base/hot.h"
#include "record/host/arena.h"
#include "record/stacks/unwind_table.h"

enum {
	MAX_FRAME_SIZE = 1 << 20, /* a larger distance counts as damage */
	RED_ZONE = 128,           /* bytes below its stack pointer that a function may use */
	/* Where the kernel saved an interrupted function's registers, from the stack pointer after
	   the call of the handler: struct ucontext. */
	SAVED_RBP = 120,
	SAVED_RSP = 160,
	SAVED_RIP = 168,
};

enum step { STEP_ON, STEP_END };

void unwind_forget(struct unwind_state *state, uint64_t generation, struct unwind_work *work)
{
	state->generation = generation;
	state->n_frames = 0;
	state->n_known = 0;
	state->end = 0;
	state->work = work;
	if (!state->frames) {
		state->frames = state->few;
		state->words = state->few_words;
		state->n_room = UNWIND_FEW;
	}
	if (!work->fresh) {
		work->fresh = work->few;
		work->n_fresh_room = UNWIND_FEW;
	}
}

/* Make room for n_wanted frames, or for as many as possible. */
static COLD void make_room(struct unwind_frame **frames, uint32_t *n_room, uint32_t n_wanted)
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

/* Do the same for kept frames, which have words. */
static COLD void make_room_for_words(struct unwind_state *state, uint32_t n_wanted)
{
	uint32_t n_old = state->n_room;
	uint32_t n_new = n_old;
	make_room(&state->frames, &n_new, n_wanted);
	struct unwind_word *larger = n_new > n_old ? arena_alloc(n_new * sizeof(*larger)) : NULL;
	if (!larger)
		return; /* No more frames are used than before. */
	memcpy(larger, state->words, n_old * sizeof(*larger));
	state->words = larger;
	state->n_room = n_new;
}

static bool has_room(struct unwind_work *work)
{
	if (work->n_fresh == work->n_fresh_room)
		make_room(&work->fresh, &work->n_fresh_room, work->n_fresh + 1);
	return work->n_fresh < work->n_fresh_room;
}

static const struct unwind_rule *rule_of(struct unwind_state *state, uint64_t ip)
{
	uint64_t slot = (hash_word(ip) >> 32) % UNWIND_RULES;
	struct unwind_rule *rule = &state->work->rules[slot];
	/* A module may have been loaded where there was none. */
	if (rule->ip != ip || rule->type == UNWIND_NONE)
		*rule = unwind_table_rule(ip, state->generation);
	return rule;
}

/* Stacks grow down in words; anything else is damage, or a foreign stack. */
static bool is_plausible(const struct unwind_point *at, uint64_t cfa)
{
	return cfa > at->rsp && cfa - at->rsp <= MAX_FRAME_SIZE && cfa % 8 == 0;
}

/* Return the stack's end if its outermost frame has such a rule. */
static uint32_t end_by(enum unwind_rule_type type)
{
	if (type == UNWIND_NONE)
		return STACK_END_NO_MODULE;
	return type == UNWIND_LAST ? 0 : STACK_END_NO_RULES;
}

static enum step end_at(struct unwind_state *state, uint32_t end)
{
	state->end = end;
	return STEP_END;
}

/* Return the CFA by the rule, or 0 if rbp does not point into this frame. */
static uint64_t cfa_by(const struct unwind_rule *rule, const struct unwind_point *at,
		       struct unwind_memory *memory)
{
	uint64_t offset = (uint64_t)(int64_t)rule->cfa_offset;
	if (rule->type == UNWIND_STANDARD)
		return (rule->cfa_is_rbp ? at->rbp : at->rsp) + offset;
	bool is_inside = is_plausible(at, at->rbp) && at->rbp + offset >= at->rsp;
	return is_inside && unwind_memory_has(memory, at->rbp + offset)
		       ? unwind_load(at->rbp + offset)
		       : 0;
}

/* Return where the caller's rbp is saved; 0 if it is still in place. */
static uint64_t rbp_slot(const struct unwind_rule *rule, const struct unwind_point *at,
			 uint64_t cfa)
{
	if (rule->type == UNWIND_REALIGNED)
		return at->rbp;
	return rule->rbp_offset ? cfa + (uint64_t)(int64_t)rule->rbp_offset : 0;
}

/* Move *at to its caller, if the words that lead there exist. */
static enum step follow_rule(struct unwind_state *state, const struct unwind_rule *rule,
			     struct unwind_point *at)
{
	struct unwind_memory *memory = &state->work->memory;
	uint64_t cfa = cfa_by(rule, at, memory);
	if (!is_plausible(at, cfa) || !unwind_memory_has(memory, cfa - 8))
		return end_at(state, STACK_END_NO_FRAME);
	uint64_t slot = rbp_slot(rule, at, cfa);
	if (slot && (slot < at->rsp - RED_ZONE || !unwind_memory_has(memory, slot)))
		return end_at(state, STACK_END_NO_FRAME);
	if (slot)
		at->rbp = unwind_load(slot);
	at->ip = unwind_load(cfa - 8);
	at->rsp = cfa;
	return STEP_ON;
}

/* Move *at to the point that the signal interrupted, on whatever stack that was. */
static enum step leave_signal(struct unwind_state *state, struct unwind_point *at)
{
	struct unwind_work *work = state->work;
	uint64_t context = at->rsp;
	work->has_signal = true;
	if (!unwind_memory_has(&work->memory, context + SAVED_RBP) ||
	    !unwind_memory_has(&work->memory, context + SAVED_RSP) ||
	    !unwind_memory_has(&work->memory, context + SAVED_RIP))
		return end_at(state, STACK_END_NO_FRAME);
	*at = (struct unwind_point){
		.ip = unwind_load(context + SAVED_RIP),
		.rsp = unwind_load(context + SAVED_RSP),
		.rbp = unwind_load(context + SAVED_RBP),
	};
	work->is_interrupted = true;
	return STEP_ON;
}

/* Return the offset for struct unwind_frame. */
static int16_t offset_by(const struct unwind_rule *rule)
{
	if (rule->type != UNWIND_REALIGNED)
		return rule->rbp_offset;
	if (rule->cfa_offset < INT16_MIN || rule->cfa_offset > INT16_MAX)
		return 0;
	return (int16_t)rule->cfa_offset;
}

/* Move *at to its caller and keep the frame that was left. The caller has made room. */
static enum step step_out(struct unwind_state *state, struct unwind_point *at)
{
	static const struct unwind_rule bottom = {.type = UNWIND_LAST};
	struct unwind_work *work = state->work;
	/* A stack or coroutine starts with a return address of 0, by convention. An interrupted
	   point is treated like a call that ends just there. */
	const struct unwind_rule *rule =
		at->ip ? rule_of(state, at->ip + work->is_interrupted) : &bottom;
	bool is_realigned = rule->type == UNWIND_REALIGNED;
	work->is_interrupted = false;
	/* Build it in place: copying what was just written in pieces stalls the processor. */
	work->fresh[work->n_fresh++] = (struct unwind_frame){
		.at = *at,
		.offset = offset_by(rule),
		.cfa_is_rbp = rule->cfa_is_rbp,
		.is_realigned = is_realigned,
	};
	if (rule->type == UNWIND_STANDARD || is_realigned)
		return follow_rule(state, rule, at);
	return rule->type == UNWIND_SIGNAL ? leave_signal(state, at)
					   : end_at(state, end_by(rule->type));
}

static bool is_same_state(const struct unwind_frame *frame, const struct unwind_point *at)
{
	return frame->at.ip == at->ip && frame->at.rsp == at->rsp &&
	       (!frame->is_live || frame->at.rbp == at->rbp);
}

/* Move *kept (a count: the candidate is the frame before) out to where `at` may be. */
static bool joins(const struct unwind_state *state, uint32_t *kept, const struct unwind_point *at)
{
	while (*kept && state->frames[*kept - 1].at.rsp < at->rsp)
		(*kept)--;
	return *kept && is_same_state(&state->frames[*kept - 1], at);
}

/*
 * True if the CFA of a realigned frame is unchanged. Its rbp is unchanged: it is live, so it was
 * compared with the frames further in.
 */
static bool has_same_cfa(const struct unwind_frame *frame, uint64_t cfa)
{
	uint64_t rbp = frame->at.rbp;
	return frame->offset && rbp < cfa &&
	       unwind_load(rbp + (uint64_t)(int64_t)frame->offset) == cfa;
}

/* Return where a kept frame, whose rbp is known, saves its caller's; 0 if it is still in place. */
static uint64_t kept_rbp_slot(const struct unwind_frame *frame, uint64_t cfa)
{
	if (frame->is_realigned)
		return frame->at.rbp;
	return frame->offset ? cfa + (uint64_t)(int64_t)frame->offset : 0;
}

uint32_t unwind_compare_frame(const struct unwind_state *state, uint32_t index)
{
	const struct unwind_frame *frame = &state->frames[index];
	const struct unwind_frame *caller = frame - 1;
	uint64_t cfa = caller->at.rsp;
	if (frame->is_realigned && !has_same_cfa(frame, cfa))
		return index + 1;
	uint64_t slot = caller->is_live ? kept_rbp_slot(frame, cfa) : 0;
	bool is_same = unwind_load(cfa - 8) == caller->at.ip &&
		       (!slot || unwind_load(slot) == caller->at.rbp);
	return is_same ? 0 : index;
}

/*
 * Move *at, the innermost of the `kept` frames, outward until n_left are left. Update each frame's
 * rbp: one that was not live may become live when outer frames are replaced.
 */
static void follow(struct unwind_state *state, uint32_t kept, uint32_t n_left,
		   struct unwind_point *at)
{
	for (uint32_t i = kept; i-- > n_left;) {
		struct unwind_frame *frame = &state->frames[i];
		frame->at.rbp = at->rbp;
		at->rsp = frame[-1].at.rsp;
		at->ip = unwind_load(at->rsp - 8);
		uint64_t slot = kept_rbp_slot(frame, at->rsp);
		if (slot)
			at->rbp = unwind_load(slot);
	}
}

/* Push frames [from, to) of the kept ones, innermost first, as far as there is room. */
static void push_kept(struct unwind_state *state, uint32_t from, uint32_t to)
{
	struct unwind_work *work = state->work;
	while (to > from && has_room(work))
		work->fresh[work->n_fresh++] = state->frames[--to];
}

/* Return how many kept frames the walk may join: those of a whole stack, or none. */
static uint32_t n_joinable(const struct unwind_state *state)
{
	return state->is_partial || state->end & STACK_END_LIMIT ? 0 : state->n_frames;
}

/*
 * Walk to the outer end. The result's outer part is *out_kept of the kept frames, the rest is in
 * fresh[]. If there is a kept part, its end stays the end.
 */
static HOT void walk(struct unwind_state *state, struct unwind_point at, uint32_t *out_kept)
{
	uint32_t kept = n_joinable(state);
	enum step step = STEP_ON;
	*out_kept = 0;
	while (step == STEP_ON) {
		if (!has_room(state->work)) {
			(void)end_at(state, STACK_END_LIMIT);
			return;
		}
		if (!joins(state, &kept, &at)) {
			step = step_out(state, &at);
			continue;
		}
		if (!unwind_memory_spans(&state->work->memory, at.rsp, state->frames[0].at.rsp)) {
			kept = 0;
			continue;
		}
		uint32_t n_left = unwind_find_difference(state, kept);
		if (n_left == 0) {
			*out_kept = kept;
			return;
		}
		follow(state, kept, n_left, &at);
		push_kept(state, n_left, kept);
		kept = is_same_state(&state->frames[n_left - 1], &at) ? n_left - 1 : n_left;
	}
}

/* Return what to read again to verify the index-th frame. */
static struct unwind_word word_of(const struct unwind_state *state, uint32_t index)
{
	const struct unwind_frame *frame = &state->frames[index];
	if (!index || !frame->is_plain)
		return (struct unwind_word){(uintptr_t)&state->words, UNWIND_MORE};
	return (struct unwind_word){frame[-1].at.rsp - 8, frame[-1].at.ip};
}

/* Append the frame as the next inner one; its id holds if the same frames were here last time. */
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
		.offset = frame->offset,
		.cfa_is_rbp = frame->cfa_is_rbp,
		.is_realigned = frame->is_realigned,
		.is_live = frame->cfa_is_rbp || (is_callers_live && !frame->offset),
		.is_plain = !frame->is_realigned && !(is_callers_live && frame->offset),
	};
	state->words[index] = word_of(state, index);
}

static void append_fresh(struct unwind_state *state)
{
	struct unwind_work *work = state->work;
	while (work->n_fresh)
		append(state, &work->fresh[--work->n_fresh]);
	if (state->n_known > state->n_frames)
		state->n_known = state->n_frames;
}

/* Leave out the outermost frames that find no room. Ids count from the outer end: all are void. */
static COLD uint32_t leave_out(struct unwind_state *state, uint32_t kept)
{
	uint32_t n_excess = kept + state->work->n_fresh - state->n_room;
	uint32_t n_of_kept = n_excess < kept ? n_excess : kept;
	memmove(state->frames, state->frames + n_of_kept,
		(kept - n_of_kept) * sizeof(*state->frames));
	memmove(state->words, state->words + n_of_kept, (kept - n_of_kept) * sizeof(*state->words));
	state->words[0] = word_of(state, 0);
	/* The outermost frames are the last in fresh[]. */
	state->work->n_fresh -= n_excess - n_of_kept;
	state->n_known = 0;
	state->end = STACK_END_LIMIT;
	return kept - n_of_kept;
}

/* Return how many kept frames stay, so that there is room for fresh[]. */
static uint32_t fit(struct unwind_state *state, uint32_t kept)
{
	uint32_t n = kept + state->work->n_fresh;
	if (n > state->n_room)
		make_room_for_words(state, n);
	return n > state->n_room ? leave_out(state, kept) : kept;
}

HOT void unwind_walk(struct unwind_state *state, const struct unwind_point *from)
{
	uint32_t old_end = state->end;
	struct unwind_work *work = state->work;
	work->n_fresh = 0;
	work->is_interrupted = false;
	work->has_signal = false;
	unwind_memory_begin(&work->memory, from->rsp);
	uint32_t kept = 0;
	walk(state, *from, &kept);
	state->n_known = state->n_frames;
	state->n_joined = kept;
	state->is_partial = work->has_signal;
	state->n_frames = fit(state, kept);
	append_fresh(state);
	state->is_certain = work->memory.is_own && !work->has_signal && state->n_frames;
	state->from = *from;
	state->is_from_live = state->n_frames && state->frames[state->n_frames - 1].is_live;
	/* An id includes how the stack ends, so another end changes all ids. */
	if (state->end != old_end)
		state->n_known = 0;
}
