/*
 * unwind.h - walks the calling thread's stack by rules, and re-walks it for less: the last stack is
 * kept, and the part that is still there is verified instead of unwound.
 *
 * A frame's state is (ip, rsp, rbp). The caller's state follows from it, from the rule for ip and
 * from at most two words of the stack. So where a walk reaches a state that it had last time, the
 * kept frames from there on are right for as long as the words that led from one to the next are
 * what they were: each is read again and compared. At the first difference the walk goes on from
 * the words just read. By induction the result is what a full walk gives. rbp counts only where
 * some rule further out reads it before it is reloaded (is_live): most code keeps other things in
 * it, that change from call to call.
 *
 * Nothing is read that is not known to be there (unwind_memory.h). A stack that is not the thread's
 * own may go between two walks: what is kept of one is asked for before it is read.
 *
 * All of it belongs to one thread; what is shared is behind unwind_table.h.
 */
#ifndef CULPRIT_RECORD_UNWIND_H
#define CULPRIT_RECORD_UNWIND_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hot.h"
#include "base/journal_format.h"
#include "record/python/python_join.h"
#include "record/stacks/unwind_memory.h"
#include "record/stacks/unwind_rules.h"

/*
 * The outer frames of deeper stacks are left out. There is room for few frames from the start, and
 * for more from when they come. All powers of two.
 */
enum { UNWIND_FRAMES = 1024, UNWIND_FEW = 128, UNWIND_RULES = 512 };

/* The registers behind a call, as they are when it returns. */
struct unwind_point {
	uint64_t ip, rsp, rbp;
};

struct unwind_frame {
	struct unwind_point at;
	uint32_t id; /* the user's; of the first n_known frames only */
	/* Of the rule for ip: where the caller's rbp is saved, from the CFA on, 0: nowhere; of one
	   that is realigned, where the CFA is, from its rbp on, 0: too far to say. */
	int16_t offset;
	bool cfa_is_rbp : 1;
	bool is_realigned : 1;
	bool is_live : 1;  /* the rbp decides where an outer frame is; else it may be outdated */
	bool is_plain : 1; /* of kept ones: to verify it, the return address is enough */
};

/*
 * Of a kept frame, for its verification: where its return address lies, and what it was. A frame
 * that has more to be looked at, and the outermost one, has UNWIND_MORE for it, which is no return
 * address, and the address of `words` in its state, which is none: so one comparison tells those
 * that are as they were.
 */
struct unwind_word {
	uint64_t address, value;
};

enum { UNWIND_MORE = 1 };

/*
 * Begins as all zero, with unwind_forget(). Invariant between walks: the CFA of frames[i] is
 * frames[i - 1].at.rsp, unless is_partial.
 */
struct unwind_state {
	/* In one line of 64 bytes what is looked at where the stack is as it was: */
	uint64_t stamp;            /* the user's */
	struct unwind_word *words; /* of frames[] */
	struct unwind_point from;  /* the innermost frame */
	uint32_t n_frames;
	uint32_t id;             /* the user's, of the whole of it; and so: */
	struct python_join join; /* the last one; void with the id */
	bool is_certain;   /* as long as the words of the stack are the same, it is: none has to be
			      asked for */
	bool is_from_live; /* as is_live of the innermost frame */
	/* The rest is for walks. */
	uint64_t generation;
	struct unwind_frame *frames; /* outermost first; an ip of 0 ends a stack too */
	struct unwind_work *work;    /* see unwind_forget() */
	uint32_t n_room;
	uint32_t end;      /* enum stack_end bits; 0: frames[] is the whole stack */
	bool is_partial;   /* nothing to join: there is a signal's frame in it */
	uint32_t n_known;  /* the outer frames that are those of the walk before: their ids hold */
	uint32_t n_joined; /* the outer frames that were verified instead of unwound */
	/* words[] and frames[] as long as they are few. Each lies in one line of 64 bytes. */
	_Alignas(64) struct unwind_word few_words[UNWIND_FEW];
	struct unwind_frame few[UNWIND_FEW];
};

/*
 * What all states of a thread use. The rules are of this generation, and such as the thread came
 * across: none at first (zeroed).
 */
struct unwind_work {
	struct unwind_rule rules[UNWIND_RULES]; /* direct-mapped by ip */
	struct unwind_memory memory;
	struct unwind_frame *fresh; /* within a walk, innermost first */
	uint32_t n_fresh;
	uint32_t n_fresh_room;
	bool is_interrupted; /* within a walk: where it is now a signal came, and there was no call
			      */
	bool has_signal;     /* a signal's frame was met */
	_Alignas(32) struct unwind_frame few[UNWIND_FEW]; /* fresh[] as long as they are few */
};

/*
 * Forgets the kept frames: before the first walk, and whenever a module was unloaded. The
 * generation counts that, from 1.
 */
void unwind_forget(struct unwind_state *state, uint64_t generation, struct unwind_work *work);

/* A word of the stack, which is known to be there. */
static inline uint64_t unwind_load(uint64_t address)
{
	uint64_t word;
	memcpy(&word, (const void *)(uintptr_t)address, sizeof(word));
	return word;
}

/* Of a frame that is not plain: how many are left if it is the first that differs, else 0. */
uint32_t unwind_compare_frame(const struct unwind_state *state, uint32_t index);

/*
 * The innermost of the `kept` frames is where the stack is now. Reads again what led from each to
 * the next; returns 0 when all of it holds. Otherwise the number of frames that are left: the
 * innermost of these is not the one that is there now, or how it was left is to be found anew. An
 * rbp that is live and was not saved is the one that was compared further in.
 */
static inline uint32_t unwind_find_difference(const struct unwind_state *state, uint32_t kept)
{
	for (const struct unwind_word *word = &state->words[kept - 1];; word--) {
		while (USUALLY(unwind_load(word->address) == word->value))
			word--;
		if (!USUALLY(word->value == UNWIND_MORE))
			return (uint32_t)(word - state->words);
		if (USUALLY(word == state->words))
			return 0;
		uint32_t n_left = unwind_compare_frame(state, (uint32_t)(word - state->words));
		if (n_left)
			return n_left;
	}
}

/*
 * Would a walk from `from`, a frame of the calling thread, find the very stack that is kept? No, at
 * least not for certain, where one is to be walked anew. It is kept as it is.
 */
static inline bool unwind_is_same(const struct unwind_state *state, const struct unwind_point *from)
{
	return USUALLY(state->is_certain) && USUALLY(state->from.ip == from->ip) &&
	       USUALLY(state->from.rsp == from->rsp) &&
	       USUALLY(!state->is_from_live || state->from.rbp == from->rbp) &&
	       USUALLY(unwind_find_difference(state, state->n_frames) == 0);
}

/*
 * Walks outward from `from`, which must be a frame of the calling thread; frames[] is then the
 * stack. An end at generated code (STACK_END_NO_MODULE) holds until a module is loaded: to see that
 * is the caller's part. Keeps errno.
 */
void unwind_walk(struct unwind_state *state, const struct unwind_point *from);

#endif
