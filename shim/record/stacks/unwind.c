/*
 * unwind.c - the verified incremental walk. unwind.h explains why it is right; a full walk is the
 * same code with no frames kept.
 */
#include "record/stacks/unwind.h"

#include <string.h>

#include "base/hash.h"
#include "base/hot.h"
#include "record/stacks/unwind_rules.h"
#include "record/stacks/unwind_state.h"

enum {
	MAX_FRAME_SIZE = 1 << 20, /* a larger distance counts as damage */
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
		state->n_room = state->n_word_room = UNWIND_FEW;
	}
	if (!work->fresh) {
		work->fresh = work->few;
		work->n_fresh_room = UNWIND_FEW;
	}
}

static bool has_room(struct unwind_work *work)
{
	if (work->n_fresh == work->n_fresh_room)
		unwind_room_for_fresh(work, work->n_fresh + 1);
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
	return cfa > at->sp && cfa - at->sp <= MAX_FRAME_SIZE && cfa % 8 == 0;
}

static enum step end_at(struct unwind_state *state, uint32_t end)
{
	state->end = end;
	return STEP_END;
}

/*
 * End a stack at code whose caller is unknown. The function in which a program starts has no
 * caller: before 2.34, glibc has no rule that says so on aarch64, and zig has none for it at all.
 */
static enum step end_without_rule(struct unwind_state *state, const struct unwind_point *at)
{
	return end_at(state, unwind_memory_is_first_frame(at->sp) ? 0 : STACK_END_NO_RULES);
}

/* Return the CFA by the rule, or 0 if fp does not point into this frame. */
static uint64_t cfa_by(const struct unwind_rule *rule, const struct unwind_point *at,
		       struct unwind_memory *memory)
{
	uint64_t offset = (uint64_t)(int64_t)rule->cfa_offset * FRAME_CFA_UNIT;
	if (rule->type == UNWIND_STANDARD)
		return (rule->cfa_is_fp ? at->fp : at->sp) + offset;
	bool is_in_frame = is_plausible(at, at->fp) && at->fp + offset >= at->sp;
	return is_in_frame && unwind_memory_has(memory, at->fp + offset)
		       ? unwind_load(at->fp + offset)
		       : 0;
}

/* Return where the caller's fp is saved; 0 if it is still in place. */
static uint64_t fp_slot(const struct unwind_rule *rule, const struct unwind_point *at, uint64_t cfa)
{
	if (rule->type == UNWIND_REALIGNED)
		return at->fp;
	return frame_saved_fp(rule->saves, cfa);
}

/* Move *at to the CFA, with the caller's fp if the word with it exists; at->ip is to be set. */
static enum step leave_frame(struct unwind_state *state, const struct unwind_rule *rule,
			     struct unwind_point *at, uint64_t cfa)
{
	uint64_t slot = fp_slot(rule, at, cfa);
	if (slot &&
	    (slot < at->sp - FRAME_RED_ZONE || !unwind_memory_has(&state->work->memory, slot)))
		return end_at(state, STACK_END_NO_FRAME);
	if (slot)
		at->fp = unwind_load(slot);
	at->sp = cfa;
	return STEP_ON;
}

/* Move *at to its caller, if the words that lead there exist. */
static enum step follow_rule(struct unwind_state *state, const struct unwind_rule *rule,
			     struct unwind_point *at)
{
	struct unwind_memory *memory = &state->work->memory;
	uint64_t cfa = cfa_by(rule, at, memory);
	uint64_t slot = frame_saved_ip(rule->saves, cfa);
	if (!is_plausible(at, cfa) || (FRAME_HAS_LINK && slot < at->sp) ||
	    !unwind_memory_has(memory, slot))
		return end_at(state, STACK_END_NO_FRAME);
	if (leave_frame(state, rule, at, cfa) == STEP_END)
		return STEP_END;
	at->ip = frame_strip(unwind_load(slot));
	return STEP_ON;
}

/*
 * Leave a function that has not saved its return address, and may have no frame. Only a signal can
 * have interrupted it there: a call would have replaced the address.
 */
static enum step leave_leaf(struct unwind_state *state, const struct unwind_rule *rule,
			    struct unwind_point *at, bool is_interrupted)
{
	if (!is_interrupted)
		return end_without_rule(state, at);
	uint64_t cfa = cfa_by(rule, at, &state->work->memory);
	if (cfa != at->sp && !is_plausible(at, cfa))
		return end_at(state, STACK_END_NO_FRAME);
	at->ip = state->work->link;
	return leave_frame(state, rule, at, cfa);
}

/* Move *at to the point that the signal interrupted, on whatever stack that was. */
static enum step leave_signal(struct unwind_state *state, struct unwind_point *at)
{
	struct unwind_work *work = state->work;
	uint64_t context = at->sp;
	work->has_signal = true;
	if (!unwind_memory_has(&work->memory, context + FRAME_SIGNAL_FP) ||
	    !unwind_memory_has(&work->memory, context + FRAME_SIGNAL_SP) ||
	    !unwind_memory_has(&work->memory, context + FRAME_SIGNAL_IP))
		return end_at(state, STACK_END_NO_FRAME);
	*at = (struct unwind_point){
		.ip = unwind_load(context + FRAME_SIGNAL_IP),
		.sp = unwind_load(context + FRAME_SIGNAL_SP),
		.fp = unwind_load(context + FRAME_SIGNAL_FP),
	};
	work->is_interrupted = true;
	/* Its word is between the other two, so it exists. */
	if (FRAME_HAS_LINK)
		work->link = frame_strip(unwind_load(context + FRAME_SIGNAL_LINK));
	return STEP_ON;
}

/* Move *at to its caller and keep the frame that was left. The caller has made room. */
static enum step step_out(struct unwind_state *state, struct unwind_point *at)
{
	static const struct unwind_rule bottom = {.type = UNWIND_LAST};
	struct unwind_work *work = state->work;
	/* A stack or coroutine starts with a return address of 0, by convention. An interrupted
	   point is treated like a call that ends just there. */
	bool is_interrupted = work->is_interrupted;
	const struct unwind_rule *rule = at->ip ? rule_of(state, at->ip + is_interrupted) : &bottom;
	bool is_realigned = rule->type == UNWIND_REALIGNED;
	work->is_interrupted = false;
	/* Build it in place: copying what was just written in pieces stalls the processor. */
	work->fresh[work->n_fresh++] = (struct unwind_frame){
		.at = *at,
		.saves = rule->saves,
		.cfa_is_fp = rule->cfa_is_fp,
		.is_realigned = is_realigned,
	};
	if (rule->type == UNWIND_STANDARD && !frame_ip_is_saved(rule->saves))
		return leave_leaf(state, rule, at, is_interrupted);
	if (rule->type == UNWIND_STANDARD || is_realigned)
		return follow_rule(state, rule, at);
	if (rule->type == UNWIND_SIGNAL)
		return leave_signal(state, at);
	if (rule->type == UNWIND_LAST || rule->type == UNWIND_NONE)
		return end_at(state, rule->type == UNWIND_LAST ? 0 : STACK_END_NO_MODULE);
	return end_without_rule(state, at);
}

static bool is_same_state(const struct unwind_frame *frame, const struct unwind_point *at)
{
	return frame->at.ip == at->ip && frame->at.sp == at->sp &&
	       (!frame->is_live || frame->at.fp == at->fp);
}

/* Move *kept (a count: the candidate is the frame before) out to where `at` may be. */
static bool joins(const struct unwind_state *state, uint32_t *kept, const struct unwind_point *at)
{
	while (*kept && state->frames[*kept - 1].at.sp < at->sp)
		(*kept)--;
	return *kept && is_same_state(&state->frames[*kept - 1], at);
}

/*
 * Move *at, the innermost of the `kept` frames, outward until n_left are left. Update each frame's
 * fp: one that was not live may become live when outer frames are replaced.
 */
static void follow(struct unwind_state *state, uint32_t kept, uint32_t n_left,
		   struct unwind_point *at)
{
	for (uint32_t i = kept; i-- > n_left;) {
		struct unwind_frame *frame = &state->frames[i];
		frame->at.fp = at->fp;
		at->sp = frame[-1].at.sp;
		at->ip = frame_strip(unwind_load(frame_saved_ip(frame->saves, at->sp)));
		uint64_t slot = unwind_kept_fp_slot(frame, at->sp);
		if (slot)
			at->fp = unwind_load(slot);
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
		if (!unwind_memory_spans(&state->work->memory, at.sp, state->frames[0].at.sp)) {
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
		.saves = frame->saves,
		.cfa_is_fp = frame->cfa_is_fp,
		.is_realigned = frame->is_realigned,
		.is_live = frame->cfa_is_fp || (is_callers_live && !frame->saves.fp),
	};
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
		unwind_room_for_kept(state, n);
	return n > state->n_room ? leave_out(state, kept) : kept;
}

HOT void unwind_walk(struct unwind_state *state, const struct unwind_point *from)
{
	uint32_t old_end = state->end;
	struct unwind_work *work = state->work;
	work->n_fresh = 0;
	work->is_interrupted = false;
	work->has_signal = false;
	unwind_memory_begin(&work->memory, from->sp);
	uint32_t kept = 0;
	walk(state, *from, &kept);
	state->n_known = state->n_frames;
	state->n_joined = kept;
	state->is_partial = work->has_signal;
	state->n_frames = fit(state, kept);
	append_fresh(state);
	state->is_certain = work->memory.is_own && !work->has_signal && state->n_frames &&
			    unwind_words_list(state);
	state->from_ip = from->ip;
	state->from_sp = from->sp;
	state->from_fp = from->fp;
	state->is_from_live = state->n_frames && state->frames[state->n_frames - 1].is_live;
	/* An id includes how the stack ends, so another end changes all ids. */
	if (state->end != old_end)
		state->n_known = 0;
}
