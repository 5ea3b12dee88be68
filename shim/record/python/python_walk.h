/*
 * python_walk.h - the Python frames of the calling thread as they lie in memory.
 */
#ifndef CULPRIT_RECORD_PYTHON_WALK_H
#define CULPRIT_RECORD_PYTHON_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct python;

/*
 * What a frame runs and where it is, in the words of the frame: the walk, which is done at every
 * launch, only copies and compares them. Frames with equal words are equal for a person.
 */
struct python_place {
	uint64_t code; /* the pointer with its tag bits; in the highest byte enum python_owner */
	uint64_t at;   /* f_lasti, or a pointer into the code */
};

static inline bool python_place_is_same(const struct python_place *one,
					const struct python_place *other)
{
	return ((one->code ^ other->code) | (one->at ^ other->at)) == 0;
}

/* The address is where the frame was: only one that a walk has come to again is there. */
struct python_frame {
	const char *address;
	struct python_place place;
};

/* Callers further out are left out. Python itself ends a recursion at a thousand. */
enum { PYTHON_FRAMES = 1023 };

/*
 * The stack that the last walk found. Where the next one comes to a frame that is kept, it compares
 * that frame, and the ones behind it, with what they were: each is read at its kept address once
 * the frame before has been seen to lead there, so that the processor need not wait for one to know
 * where the next one is. What differs is read anew; so the result is that of a full walk.
 */
struct python_chain {
	size_t n;
	bool is_cut;                                   /* there are more, further out */
	struct python_frame frames[1 + PYTHON_FRAMES]; /* from 1, the outermost; 0 stays all zero */
	struct python_frame fresh[PYTHON_FRAMES];      /* within a walk, innermost first */
};

/*
 * Walks the frames of the thread whose state is `thread`, the calling one. Reads neither code
 * objects nor anything that another thread writes. Returns how many outer frames are those of the
 * walk before; with n = 0 there was none.
 */
size_t python_walk(const struct python *python, const void *thread, struct python_chain *stack);

/* What the place's frame runs: a code object, as far as anybody knows. */
const void *python_place_code(const struct python_place *place);

/* Bytes from the code's first instruction. */
uint32_t python_place_position(const struct python *python, const struct python_place *place);

/*
 * Has the frame begun to run its function? As CPython does in its own stacks, frames that are still
 * being set up, or that only clean up behind a constructor, are left out. Reads the code object.
 */
bool python_place_is_whole(const struct python *python, const struct python_place *place);

#endif
