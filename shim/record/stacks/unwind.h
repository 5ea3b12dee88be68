/*
 * unwind.h - walk the calling thread's stack by rules, and make the next walk cheaper: the last
 * stack is kept, and the part that is still there is verified instead of unwound.
 *
 * A frame's state is (ip, rsp, rbp). The caller's state follows from it, from the rule for ip and
 * from at most two words of the stack. Suppose a walk reaches a state that the last walk had. The
 * kept frames from there on are right as long as the words that led from one to the next are
 * unchanged: each is read again and compared. At the first difference the walk continues from the
 * words just read. By induction the result equals that of a full walk. rbp counts only if a rule
 * further out reads it before it is reloaded (is_live): most code keeps other values in it, which
 * change from call to call.
 *
 * Only memory that is known to exist is read (unwind_memory.h). A stack that is not the thread's
 * own may vanish between two walks, so its memory is checked before it is read.
 *
 * All of this belongs to one thread; unwind_table.h has the shared part.
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
 * for more once they are needed. All are powers of two.
 */
enum { UNWIND_FRAMES = 1024, UNWIND_FEW = 128, UNWIND_RULES = 512 };

/* The registers after a call returns. */
struct unwind_point {
	uint64_t ip, rsp, rbp;
};

struct unwind_frame {
	struct unwind_point at;
	uint32_t id; /* the user's; in the first n_known frames only */
	/* By the rule for ip: where the caller's rbp is saved, relative to the CFA, 0: nowhere. In
	   a realigned frame: where the CFA is, relative to rbp, 0: too far to store. */
	int16_t offset;
	bool cfa_is_rbp : 1;
	bool is_realigned : 1;
	bool is_live : 1;  /* the rbp decides where an outer frame is; if not, it may be outdated */
	bool is_plain : 1; /* a kept frame whose return address is enough to verify it */
};

/*
 * For verifying a kept frame: where its return address is, and its value. A frame that needs more
 * checks, and the outermost frame, have the value UNWIND_MORE, which is no return address. Their
 * address is that of `words` in their state, which never holds UNWIND_MORE. So one comparison finds
 * the frames that are unchanged.
 */
struct unwind_word {
	uint64_t address, value;
};

enum { UNWIND_MORE = 1 };

/*
 * Starts as all zero, with unwind_forget(). Invariant between walks: the CFA of frames[i] is
 * frames[i - 1].at.rsp, unless is_partial.
 */
struct unwind_state {
	/* One line of 64 bytes with all that is read if the stack is unchanged: */
	uint64_t stamp;            /* the user's */
	struct unwind_word *words; /* one for each of frames[] */
	struct unwind_point from;  /* the innermost frame */
	uint32_t n_frames;
	uint32_t id;             /* the user's, of the whole stack, like join: */
	struct python_join join; /* the last one; void with the id */
	bool is_certain;   /* while the words of the stack are the same, so is the stack, without
			      asking the kernel about any */
	bool is_from_live; /* is_live of the innermost frame */
	/* The rest is for walks. */
	uint64_t generation;
	struct unwind_frame *frames; /* outermost first; an ip of 0 ends a stack too */
	struct unwind_work *work;    /* see unwind_forget() */
	uint32_t n_room;
	uint32_t end;      /* enum stack_end bits; 0: frames[] is the whole stack */
	bool is_partial;   /* later walks cannot join it: it contains a signal's frame */
	uint32_t n_known;  /* the outer frames that are those of the last walk: their ids hold */
	uint32_t n_joined; /* the outer frames that were verified instead of unwound */
	/* words[] and frames[] while they are few. Each is in one line of 64 bytes. */
	_Alignas(64) struct unwind_word few_words[UNWIND_FEW];
	struct unwind_frame few[UNWIND_FEW];
};

/*
 * Memory shared by all states of a thread. The rules are of this generation, and those that the
 * thread has needed; there is none at first (zeroed).
 */
struct unwind_work {
	struct unwind_rule rules[UNWIND_RULES]; /* direct-mapped by ip */
	struct unwind_memory memory;
	struct unwind_frame *fresh; /* during a walk, innermost first */
	uint32_t n_fresh;
	uint32_t n_fresh_room;
	bool is_interrupted; /* during a walk: a signal, not a call, interrupted the current frame
			      */
	bool has_signal;     /* a signal's frame was found */
	_Alignas(32) struct unwind_frame few[UNWIND_FEW]; /* fresh[] while they are few */
};

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
 * innermost of these differs now, or the way out of it must be found anew. An rbp that is live and
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

/*
 * True if a walk from `from`, a frame of the calling thread, is certain to find exactly the kept
 * stack. False may also mean that only a new walk can tell. The kept stack stays unchanged.
 */
static inline bool unwind_is_same(const struct unwind_state *state, const struct unwind_point *from)
{
	return LIKELY(state->is_certain) && LIKELY(state->from.ip == from->ip) &&
	       LIKELY(state->from.rsp == from->rsp) &&
	       LIKELY(!state->is_from_live || state->from.rbp == from->rbp) &&
	       LIKELY(unwind_find_difference(state, state->n_frames) == 0);
}

/*
 * Walk outward from `from`, which must be a frame of the calling thread; frames[] is then the
 * stack. An end at generated code (STACK_END_NO_MODULE) holds until a module is loaded, which the
 * caller must check. Keeps errno.
 */
void unwind_walk(struct unwind_state *state, const struct unwind_point *from);

#endif
