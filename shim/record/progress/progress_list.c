/*
 * progress_list.c - walk the driver's linked list of streams.
 */
#include "record/progress/progress_list.h"

enum { NEIGHBOURS_END = 0x400, PIECE = 0x100 };

bool progress_list_is_stream(struct own_memory *memory, const struct progress_layout *layout,
			     uint64_t tracker_class, uint64_t object)
{
	if (object < 4096 || object % 8 != 0)
		return false;
	uint64_t tracker = own_memory_word(memory, object + layout->tracker);
	return tracker && own_memory_word(memory, tracker) == tracker_class &&
	       progress_layout_entries(layout, memory, tracker) != 0;
}

/* Return the one offset at which an object names another one; 0: none, or several. */
static uint32_t find_name(struct own_memory *memory, uint64_t object, uint64_t other)
{
	uint32_t found = 0;
	uint64_t words[PIECE / 8];
	for (uint32_t at = 0; at < NEIGHBOURS_END; at += 8) {
		if (at % PIECE == 0 && !own_memory_read(memory, object + at, words, PIECE))
			return 0;
		if (words[at % PIECE / 8] != other)
			continue;
		if (found || at == 0)
			return 0;
		found = at;
	}
	return found;
}

bool progress_list_learn(struct own_memory *memory, uint64_t earlier, uint64_t later,
			 struct progress_layout *layout)
{
	uint32_t next = find_name(memory, earlier, later);
	uint32_t previous = find_name(memory, later, earlier);
	if (!next || !previous || next == previous)
		return false;
	layout->next = next;
	layout->previous = previous;
	layout->has_list = true;
	return true;
}

/* Read a neighbour's name in an object. False: it cannot be read. */
static bool read_name(struct own_memory *memory, uint64_t object, uint32_t offset,
		      uint64_t *out_name)
{
	return own_memory_read(memory, object + offset, out_name, sizeof(*out_name));
}

uint64_t progress_list_first(struct own_memory *memory, const struct progress_layout *layout,
			     uint64_t tracker_class, uint64_t object)
{
	for (int n = 0; n < PROGRESS_LIST_MAX; n++) {
		uint64_t previous = 0;
		if (!progress_list_is_stream(memory, layout, tracker_class, object) ||
		    !read_name(memory, object, layout->previous, &previous))
			return 0;
		if (!previous)
			return object;
		uint64_t next = 0;
		if (!read_name(memory, previous, layout->next, &next) || next != object)
			return 0;
		object = previous;
	}
	return 0;
}

/* True if it is a stream that comes after the one that named it. */
static bool is_behind(struct own_memory *memory, const struct progress_layout *layout,
		      uint64_t tracker_class, uint64_t object, uint64_t expected)
{
	uint64_t previous = 0;
	return progress_list_is_stream(memory, layout, tracker_class, object) &&
	       read_name(memory, object, layout->previous, &previous) && previous == expected;
}

/* Walk the list. With `is_again`, compare it with `objects`. */
static int go_along(struct own_memory *memory, const struct progress_layout *layout,
		    uint64_t tracker_class, uint64_t first, uint64_t objects[PROGRESS_LIST_MAX],
		    bool is_again)
{
	uint64_t previous = 0;
	int n = 0;
	for (uint64_t object = first; object; n++) {
		if (n == PROGRESS_LIST_MAX ||
		    !is_behind(memory, layout, tracker_class, object, previous) ||
		    (is_again && objects[n] != object))
			return 0;
		objects[n] = previous = object;
		if (!read_name(memory, object, layout->next, &object))
			return 0;
	}
	return n;
}

/* Read twice: a stream being removed may end the list the first time, but is missing the second
 * time. */
int progress_list_read(struct own_memory *memory, const struct progress_layout *layout,
		       uint64_t tracker_class, uint64_t first, uint64_t objects[PROGRESS_LIST_MAX])
{
	int n = go_along(memory, layout, tracker_class, first, objects, false);
	return go_along(memory, layout, tracker_class, first, objects, true) == n ? n : 0;
}
