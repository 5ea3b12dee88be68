/*
 * python_walk.h - walk the Python frames of the calling thread in memory.
 */
#ifndef CULPRIT_RECORD_PYTHON_WALK_H
#define CULPRIT_RECORD_PYTHON_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct python;

/*
 * A frame's code and position, as the frame's own words. The walk, which runs at every launch, only
 * copies and compares them. Frames with equal words look equal to a person.
 */
struct python_location {
	uint64_t code; /* the pointer with its tag bits; the highest byte is enum python_owner */
	uint64_t at;   /* f_lasti, or a pointer into the code */
};

static inline bool python_location_is_same(const struct python_location *one,
					   const struct python_location *other)
{
	return ((one->code ^ other->code) | (one->at ^ other->at)) == 0;
}

/* The address is where the frame was; it is only valid after a walk has reached it again. */
struct python_frame {
	const char *address;
	struct python_location location;
};

/* Callers further out are left out. Python itself stops a recursion at a thousand. */
enum { PYTHON_FRAMES = 1023 };

/*
 * The stack of the last walk. When the next walk reaches a kept frame, it compares that frame and
 * the ones after it with their old values. A frame is read at its kept address once the frame
 * before it was seen to lead there, so the processor need not wait for one frame to find the next.
 * Changed frames are read anew, so the result is that of a full walk.
 */
struct python_chain {
	size_t n;
	bool is_cut;                                   /* there are more frames, further out */
	struct python_frame frames[1 + PYTHON_FRAMES]; /* from 1, the outermost; 0 stays all zero */
	struct python_frame fresh[PYTHON_FRAMES];      /* during a walk, innermost first */
};

/*
 * Walk the frames of the calling thread, whose state is `thread`. Reads neither code objects nor
 * anything that another thread writes. Return how many outer frames equal those of the last walk;
 * set n to 0 to have no last walk.
 */
size_t python_walk(const struct python *python, const void *thread, struct python_chain *stack);

/* Return the object that the place's frame runs: presumably a code object. */
const void *python_location_code(const struct python_location *location);

/* Return the position in bytes from the code's first instruction. */
uint32_t python_location_position(const struct python *python,
				  const struct python_location *location);

/*
 * True if the frame has started to run its function. As in CPython's own stacks, frames that are
 * still being set up, or that only clean up after a constructor, are left out. Reads the code
 * object.
 */
bool python_location_is_whole(const struct python *python, const struct python_location *location);

#endif
