/*
 * unwind_state.h - what a walk over a stack (unwind.h) keeps: frames, the words to verify them by,
 * and the rules that the thread has needed.
 */
#ifndef CULPRIT_RECORD_UNWIND_STATE_H
#define CULPRIT_RECORD_UNWIND_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/frame.h"
#include "base/hot.h"
#include "record/python/python_stack.h"
#include "record/stacks/unwind_memory.h"
#include "record/stacks/unwind_rules.h"

/*
 * The outer frames of deeper stacks are left out. There is room for few frames from the start, and
 * for more once they are needed. All are powers of two.
 */
enum { UNWIND_FRAMES = 1024, UNWIND_FEW = 128, UNWIND_RULES = 512 };

/* The registers after a call returns. */
struct unwind_point {
	uint64_t ip, sp, fp;
};

struct unwind_frame {
	struct unwind_point at;
	uint32_t id;              /* the user's; in the first n_known frames only */
	struct frame_saves saves; /* by the rule for ip */
	bool cfa_is_fp : 1;
	bool is_realigned : 1;
	bool is_live : 1; /* fp decides where an outer frame is; if not, it may be outdated */
};

/* A word that a kept stack depends on: where it is, and its value. See unwind_words.h. */
struct unwind_word {
	uint64_t address, value; /* the value as it is in memory, with a signature if it has one */
};

/* Words are compared a block at a time. A frame has three words at most. */
enum { UNWIND_WORD_BLOCK = 4, UNWIND_WORDS = 4 * UNWIND_FRAMES };

/*
 * Starts as all zero, with unwind_forget(). Invariant between walks: the CFA of frames[i] is
 * frames[i - 1].at.sp, unless is_partial.
 */
struct unwind_state {
	/* One line of 64 bytes with all that is read if the stack is unchanged: */
	uint64_t stamp;            /* the user's */
	struct unwind_word *words; /* if is_certain: all that the stack depends on, besides from */
	uint64_t from_ip, from_sp; /* the innermost frame */
	struct unwind_state *next; /* the user's */
	uint32_t id;               /* the user's, of the whole stack, like join: */
	struct python_join join;   /* the last one; void with the id */
	uint16_t n_words;          /* a multiple of UNWIND_WORD_BLOCK */
	/* If the stack's words are unchanged, so is the stack: the kernel need not be asked. */
	bool is_certain;
	bool is_from_live; /* from_fp counts, too */
	/* The rest is for walks. */
	uint64_t from_fp;
	uint64_t generation;
	struct unwind_frame *frames; /* outermost first; an ip of 0 ends a stack too */
	struct unwind_work *work;    /* see unwind_forget() */
	uint32_t n_frames;
	uint32_t n_room;
	uint32_t n_word_room;
	uint32_t end;      /* enum stack_end bits; 0: frames[] is the whole stack */
	bool is_partial;   /* later walks cannot join it: it contains a signal's frame */
	uint32_t n_known;  /* the outer frames that are those of the last walk: their ids hold */
	uint32_t n_joined; /* the outer frames that were verified instead of unwound */
	/* words[] and frames[] while they are few. Each is in one line of 64 bytes (x86-64). */
	_Alignas(64) struct unwind_word few_words[UNWIND_FEW];
	struct unwind_frame few[UNWIND_FEW];
};

/*
 * Memory shared by all states of a thread. It holds the rules of this generation that the thread
 * has needed, and is zeroed at first.
 */
struct unwind_work {
	struct unwind_rule rules[UNWIND_RULES]; /* direct-mapped by ip */
	struct unwind_memory memory;
	struct unwind_frame *fresh; /* during a walk, innermost first */
	uint32_t n_fresh;
	uint32_t n_fresh_room;
	/* During a walk: a signal, not a call, interrupted the current frame. */
	bool is_interrupted;
	bool has_signal; /* a signal's frame was found */
	uint64_t link;   /* with is_interrupted: that frame's link register, if there is one */
	_Alignas(32) struct unwind_frame few[UNWIND_FEW]; /* fresh[] while they are few */
};

/*
 * Make room for n_wanted frames, but not for more than UNWIND_FRAMES. If memory is short, the room
 * stays as it is. For the thread that owns it, during a walk.
 */
COLD void unwind_room_for_fresh(struct unwind_work *work, uint32_t n_wanted);

/* Do the same for kept frames. */
COLD void unwind_room_for_kept(struct unwind_state *state, uint32_t n_wanted);

/* Do the same for their words, of which there are UNWIND_WORDS at most. */
COLD void unwind_room_for_words(struct unwind_state *state, uint32_t n_wanted);

#endif
