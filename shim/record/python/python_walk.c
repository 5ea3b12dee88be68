/*
 * python_walk.c - follow a thread's frames from the innermost one outward. This is sound without
 * the interpreter's lock: only this thread writes its frames, their links and positions, and each
 * frame owns a reference to its code.
 *
 * Two gaps are left, both for a thread that runs C code without the lock. A daemon thread's state
 * may be freed if the interpreter starts to finalize after it was asked. A host may run one thread
 * state in several threads in turn, which Python's own GILState functions do not support either.
 */
#include "record/python/python_walk.h"

#include <string.h>

#include "base/hot.h"
#include "record/python/python_parts.h"

/*
 * The number of kept frames to search for a frame: about the difference in depth of consecutive
 * launches. Chosen, not measured.
 */
enum { SEARCHED = 16 };

/* The owner is in the highest byte, which user addresses on x86-64 leave free. */
enum { OWNER_SHIFT = 56 };

/* Since 3.14 the lowest bits of a pointer to a code object say how the frame refers to it. */
#define CODE_POINTER (((uint64_t)1 << OWNER_SHIFT) - 8)

static uint64_t word_at(const char *object, size_t offset)
{
	uint64_t word = 0;
	memcpy(&word, object + offset, sizeof(word));
	return word;
}

static const char *pointer_at(const char *object, size_t offset)
{
	const char *pointer = NULL;
	memcpy(&pointer, object + offset, sizeof(pointer));
	return pointer;
}

static bool is_frame_object(const struct python_layout *layout)
{
	return layout->frames == PYTHON_FRAME_OBJECTS;
}

static uint64_t owner_of(const struct python_layout *layout, const char *frame)
{
	return (unsigned char)frame[layout->frame.owner];
}

/* Return the first frame from `frame` outward that runs Python code, or NULL. */
static const char *skip_shims(const struct python_layout *layout, const char *frame)
{
	while (frame && !is_frame_object(layout) && owner_of(layout, frame) >= PYTHON_OWNER_SHIM)
		frame = pointer_at(frame, layout->frame.previous);
	return frame;
}

static struct python_location place_of(const struct python_layout *layout, const char *frame)
{
	uint64_t code = word_at(frame, layout->frame.code);
	if (!is_frame_object(layout))
		return (struct python_location){code | owner_of(layout, frame) << OWNER_SHIFT,
						word_at(frame, layout->frame.position)};
	uint32_t lasti = 0;
	memcpy(&lasti, frame + layout->frame.position, sizeof(lasti));
	return (struct python_location){code, lasti};
}

/*
 * The walk is at the innermost of the `kept` frames. Each of the two functions returns 0 if that
 * frame and all outer ones are unchanged, else the number of frames that are left. The innermost of
 * these is still there, but differs, or has another caller than before. They are separate functions
 * so that their loops, which a launch pays for, have all registers.
 *
 * This one is for versions up to 3.10.
 */
static HOT __attribute__((noinline)) size_t verify_frame_objects(const struct python_layout *layout,
								 const struct python_frame *frames,
								 size_t kept)
{
	size_t previous = layout->frame.previous;
	size_t code = layout->frame.code;
	size_t position = layout->frame.position;
	const struct python_frame *frame = frames + kept;
	const char *address = frame->address;
	for (; frame > frames; frame--) {
		uint32_t lasti = 0;
		memcpy(&lasti, address + position, sizeof(lasti));
		struct python_location location = {word_at(address, code), lasti};
		const char *caller = pointer_at(address, previous);
		address = frame[-1].address;
		if (!python_location_is_same(&location, &frame->location) || caller != address)
			break;
	}
	return (size_t)(frame - frames);
}

static HOT __attribute__((noinline)) size_t
verify_interpreter_frames(const struct python_layout *layout, const struct python_frame *frames,
			  size_t kept)
{
	size_t previous = layout->frame.previous;
	size_t code = layout->frame.code;
	size_t position = layout->frame.position;
	size_t owner = layout->frame.owner;
	const struct python_frame *frame = frames + kept;
	const char *address = frame->address;
	for (; frame > frames; frame--) {
		uint64_t held_by = (unsigned char)address[owner];
		struct python_location location = {word_at(address, code) | held_by << OWNER_SHIFT,
						   word_at(address, position)};
		const char *caller = pointer_at(address, previous);
		address = frame[-1].address;
		if (caller != address)
			caller = skip_shims(layout, caller);
		if (!python_location_is_same(&location, &frame->location) || caller != address)
			break;
	}
	return (size_t)(frame - frames);
}

static size_t verify(const struct python_layout *layout, const struct python_frame *frames,
		     size_t kept)
{
	return is_frame_object(layout) ? verify_frame_objects(layout, frames, kept)
				       : verify_interpreter_frames(layout, frames, kept);
}

/* Return the number of kept frames up to the one at this address, within SEARCHED; 0: none. */
static size_t find(const struct python_frame *frames, size_t kept, const char *address)
{
	size_t end = kept > SEARCHED ? kept - SEARCHED : 0;
	while (kept > end && frames[kept].address != address)
		kept--;
	return kept > end ? kept : 0;
}

/* Push frames (from, to] of the kept ones, innermost first, as far as there is room. */
static size_t push_kept(struct python_chain *stack, size_t from, size_t to, size_t n_fresh)
{
	while (to > from && n_fresh < PYTHON_FRAMES)
		stack->fresh[n_fresh++] = stack->frames[to--];
	return n_fresh;
}

/* Append the fresh frames inside the `kept` ones; there is room for all. */
static void append_fresh(struct python_chain *stack, size_t kept, size_t n_fresh)
{
	stack->n = kept + n_fresh;
	while (n_fresh)
		stack->frames[++kept] = stack->fresh[--n_fresh];
}

/* Keep the kept frames as the outer part. Returns what python_walk() does, like replace(). */
static size_t join(struct python_chain *stack, size_t kept, size_t n_fresh)
{
	size_t n_common = kept;
	if (kept + n_fresh > PYTHON_FRAMES) {
		size_t n_excess = kept + n_fresh - PYTHON_FRAMES;
		kept -= n_excess;
		memmove(stack->frames + 1, stack->frames + 1 + n_excess,
			kept * sizeof(*stack->frames));
		stack->is_cut = true;
		n_common = 0;
	}
	append_fresh(stack, kept, n_fresh);
	return n_common;
}

/* Use only the fresh frames. */
static size_t replace(struct python_chain *stack, size_t n_fresh, bool is_cut)
{
	size_t n = 0;
	while (is_cut == stack->is_cut && n < n_fresh && n < stack->n &&
	       python_location_is_same(&stack->fresh[n_fresh - 1 - n].location,
				       &stack->frames[n + 1].location))
		n++;
	stack->is_cut = is_cut;
	append_fresh(stack, 0, n_fresh);
	return n;
}

static const char *innermost(const struct python_layout *layout, const void *thread)
{
	const char *frame = pointer_at(thread, layout->thread.frame);
	if (layout->thread.cframe != PYTHON_NO_MEMBER && frame)
		frame = pointer_at(frame, layout->thread.cframe);
	return skip_shims(layout, frame);
}

HOT size_t python_walk(const struct python *python, const void *thread, struct python_chain *stack)
{
	const struct python_layout *layout = python->layout;
	const char *frame = innermost(layout, thread);
	size_t kept = stack->is_cut ? 0 : stack->n;
	size_t n_fresh = 0;
	while (frame && n_fresh < PYTHON_FRAMES) {
		size_t found = find(stack->frames, kept, frame);
		size_t n_left = verify(layout, stack->frames, found);
		if (found && !n_left)
			return join(stack, found, n_fresh);
		if (found) {
			n_fresh = push_kept(stack, n_left, found, n_fresh);
			frame = skip_shims(layout, stack->frames[n_left].address);
			kept = n_left - 1;
		}
		if (!frame || n_fresh == PYTHON_FRAMES)
			break;
		stack->fresh[n_fresh++] = (struct python_frame){frame, place_of(layout, frame)};
		frame = skip_shims(layout, pointer_at(frame, layout->frame.previous));
	}
	return replace(stack, n_fresh, frame);
}

const void *python_location_code(const struct python_location *location)
{
	return (const void *)(uintptr_t)(location->code & CODE_POINTER);
}

/* f_lasti is -1 before the first instruction. */
uint32_t python_location_position(const struct python *python,
				  const struct python_location *location)
{
	const struct python_layout *layout = python->layout;
	if (layout->frames == PYTHON_FRAME_OBJECTS)
		return location->at <= INT32_MAX ? (uint32_t)location->at * layout->lasti_unit : 0;
	return (uint32_t)(location->at - (location->code & CODE_POINTER) -
			  layout->code.instructions);
}

bool python_location_is_whole(const struct python *python, const struct python_location *location)
{
	const struct python_layout *layout = python->layout;
	int32_t first = 0; /* in instructions of two bytes */
	if (layout->frames == PYTHON_FRAME_OBJECTS ||
	    location->code >> OWNER_SHIFT == PYTHON_OWNER_GENERATOR)
		return true;
	memcpy(&first, (const char *)python_location_code(location) + layout->code.first_traceable,
	       sizeof(first));
	/* A frame that has not started yet is before the first instruction. */
	return (int32_t)python_location_position(python, location) >= 2 * first;
}
