/*
 * python_walk.c - follows a thread's frames from the innermost one outward. Sound without the
 * interpreter's lock: a thread's frames, their links and positions are written by this thread only,
 * which is here, and each frame owns a reference to its code.
 *
 * Two gaps are left, both of a thread that runs C code without the lock meanwhile: a daemon thread
 * whose state is freed because the interpreter began to finalize after it was asked; and a host
 * that runs one thread state in several threads in turn, which Python's own GILState functions do
 * not allow for either.
 */
#include "python_walk.h"

#include <string.h>

#include "python.h"

/* In the highest byte, which user addresses on x86-64 have free. */
enum { OWNER_SHIFT = 56 };

/* The lowest bits of a pointer to a code object tell, since 3.14, how the frame refers to it. */
#define CODE_POINTER (((uint64_t)1 << OWNER_SHIFT) - 8)

static uint64_t word_at(const char *object, size_t offset)
{
	uint64_t word;
	memcpy(&word, object + offset, sizeof(word));
	return word;
}

static const char *pointer_at(const char *object, size_t offset)
{
	const char *pointer;
	memcpy(&pointer, object + offset, sizeof(pointer));
	return pointer;
}

static bool is_same(const struct python_place *one, const struct python_place *other)
{
	return ((one->code ^ other->code) | (one->at ^ other->at)) == 0;
}

/*
 * Each of the two walks returns how many inner frames may differ from those of `last` at the same
 * distance from the innermost.
 *
 * Up to 3.10.
 */
static size_t walk_frame_objects(const struct python_layout *layout, const char *frame,
				 const struct python_place *last, struct python_places *out)
{
	struct python_place *places = out->places;
	size_t n = 0, n_changed = 0;
	for (; frame && n < PYTHON_FRAMES; frame = pointer_at(frame, layout->frame.previous)) {
		uint32_t lasti;
		memcpy(&lasti, frame + layout->frame.position, sizeof(lasti));
		places[n] = (struct python_place){word_at(frame, layout->frame.code), lasti};
		n_changed = is_same(&places[n], &last[n]) ? n_changed : n + 1;
		n++;
	}
	out->n = n;
	out->is_cut = frame;
	return n_changed;
}

static size_t walk_interpreter_frames(const struct python_layout *layout, const char *frame,
				      const struct python_place *last, struct python_places *out)
{
	/* In registers: the loop is what a launch pays for. */
	size_t previous = layout->frame.previous, code = layout->frame.code;
	size_t position = layout->frame.position, owner = layout->frame.owner;
	struct python_place *places = out->places;
	size_t n = 0, n_changed = 0;
	for (; frame && n < PYTHON_FRAMES; frame = pointer_at(frame, previous)) {
		uint64_t held_by = (unsigned char)frame[owner];
		if (held_by >= PYTHON_OWNER_SHIM)
			continue;
		places[n].code = word_at(frame, code) | held_by << OWNER_SHIFT;
		places[n].at = word_at(frame, position);
		n_changed = is_same(&places[n], &last[n]) ? n_changed : n + 1;
		n++;
	}
	out->n = n;
	out->is_cut = frame;
	return n_changed;
}

/* How many outer frames two stacks of different depths have in common. */
static size_t count_common(const struct python_places *one, const struct python_places *other)
{
	size_t most = one->n < other->n ? one->n : other->n;
	const struct python_place *left = one->places + one->n - 1;
	const struct python_place *right = other->places + other->n - 1;
	size_t n = 0;
	while (n < most && is_same(left - n, right - n))
		n++;
	return n;
}

size_t python_walk(const struct python *python, const void *thread,
		   const struct python_places *last, struct python_places *out)
{
	const struct python_layout *layout = python->layout;
	const char *frame = pointer_at(thread, layout->thread.frame);
	if (layout->thread.cframe != PYTHON_NO_MEMBER && frame)
		frame = pointer_at(frame, layout->thread.cframe);
	size_t n_changed = layout->frames == PYTHON_FRAME_OBJECTS
				   ? walk_frame_objects(layout, frame, last->places, out)
				   : walk_interpreter_frames(layout, frame, last->places, out);
	if (out->is_cut != last->is_cut)
		return 0;
	return out->n == last->n ? out->n - n_changed : count_common(out, last);
}

const void *python_place_code(const struct python_place *place)
{
	return (const void *)(uintptr_t)(place->code & CODE_POINTER);
}

/* f_lasti is -1 before the first instruction. */
uint32_t python_place_position(const struct python *python, const struct python_place *place)
{
	const struct python_layout *layout = python->layout;
	if (layout->frames == PYTHON_FRAME_OBJECTS)
		return place->at <= INT32_MAX ? (uint32_t)place->at * layout->lasti_unit : 0;
	return (uint32_t)(place->at - (place->code & CODE_POINTER) - layout->code.instructions);
}

bool python_place_is_whole(const struct python *python, const struct python_place *place)
{
	const struct python_layout *layout = python->layout;
	int32_t first; /* in instructions of two bytes */
	if (layout->frames == PYTHON_FRAME_OBJECTS ||
	    place->code >> OWNER_SHIFT == PYTHON_OWNER_GENERATOR)
		return true;
	memcpy(&first, (const char *)python_place_code(place) + layout->code.first_traceable,
	       sizeof(first));
	/* One that has not started yet is before the first instruction. */
	return (int32_t)python_place_position(python, place) >= 2 * first;
}
