/*
 * unwind.h - walks the calling thread's stack by rules, and re-walks it for less: the last stack is
 * kept, and the part that is still there is verified instead of unwound.
 *
 * A frame's state is (ip, rsp, rbp). The caller's state follows from it, from the rule for ip and
 * from at most two words of the stack. So where a walk reaches a state that it had last time, the
 * kept frames from there on are right for as long as the words that led from one to the next are
 * what they were: each is read again and compared. At the first difference the walk goes on from
 * the words just read, as it does at a frame that realigned its stack: rare, and walked anew. By
 * induction the result is what a full walk gives. rbp counts only where some rule further out reads
 * it before it is reloaded (is_live): most code keeps other things in it, that change from call to
 * call.
 *
 * All of it belongs to one thread; what is shared is behind unwind_table.h.
 */
#ifndef CULPRIT_RECORD_UNWIND_H
#define CULPRIT_RECORD_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "journal_format.h"
#include "unwind_rules.h"

/* The outer frames of deeper stacks are left out. UNWIND_RULES is a power of two. */
enum { UNWIND_FRAMES = 128, UNWIND_RULES = 512 };

/* The registers behind a call, as they are when it returns. */
struct unwind_point {
	uint64_t ip, rsp, rbp;
};

struct unwind_frame {
	struct unwind_point at;
	uint32_t id;        /* the user's; of the first n_known frames only */
	int16_t rbp_offset; /* of the rule for ip, as the next */
	bool cfa_is_rbp : 1;
	bool is_realigned : 1;
	bool is_live : 1;  /* the rbp decides where an outer frame is; else it may be outdated */
	bool is_plain : 1; /* of kept ones: to verify it, the return address is enough */
};

/*
 * Begins with unwind_forget(). Invariant between walks: the CFA of frames[i] is
 * frames[i - 1].at.rsp, unless is_partial.
 */
struct unwind_state {
	uint64_t generation;
	uint32_t n_frames;
	uint32_t n_known; /* the outer frames that are those of the walk before: their ids hold */
	uint32_t n_fresh;
	uint32_t n_joined; /* the outer frames that were verified instead of unwound */
	bool is_partial;   /* nothing to join: the outer end is missing or was not our own find */
	uint32_t end;      /* enum stack_end bits; 0: frames[] is the whole stack */
	uint32_t id;       /* the user's, of the whole of it */
	struct unwind_work *work; /* see unwind_forget() */
	/* Outermost first; an ip of 0 ends a stack too. Each lies in one line of 64 bytes. */
	_Alignas(32) struct unwind_frame frames[UNWIND_FRAMES];
};

/*
 * What all states of a thread use. The rules are of this generation, and such as the thread came
 * across: none at first (zeroed).
 */
struct unwind_work {
	struct unwind_rule rules[UNWIND_RULES];   /* direct-mapped by ip */
	struct unwind_frame fresh[UNWIND_FRAMES]; /* within a walk, innermost first */
};

/*
 * Forgets the kept frames: before the first walk, and whenever a module was unloaded. The
 * generation counts that, from 1.
 */
void unwind_forget(struct unwind_state *state, uint64_t generation, struct unwind_work *work);

/*
 * Would a walk from `from`, a frame of the calling thread, find the very stack that is kept? No, at
 * least not for certain, where one is to be walked anew. It is kept as it is.
 */
bool unwind_is_same(const struct unwind_state *state, const struct unwind_point *from);

/*
 * Walks outward from `from`, which must be a frame of the calling thread; frames[] is then the
 * stack. Returns 0, or -ENOTSUP when a frame takes more than a rule: nothing is kept
 * then, and it is for unwind_adopt().
 */
int unwind_walk(struct unwind_state *state, const struct unwind_point *from);

/*
 * Takes over a stack that another unwinder found, innermost first, at most UNWIND_FRAMES. `end` is
 * what that one leaves open; why it went no further is added.
 */
void unwind_adopt(struct unwind_state *state, void *const *addresses, uint32_t n_addresses,
		  uint32_t end);

#endif
