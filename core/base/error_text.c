/*
 * error_text.c - fits a name into what is left of a short text.
 */
#include "base/error_text.h"

#include <string.h>

#include "base/text.h"

static const char gap[] = "..";
enum { SHORTEST_NAME = 12, GAP_SIZE = sizeof(gap) - 1 };

/* A byte within a character of UTF-8: no cut is made before it. */
static bool is_inside(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The name, or its two ends, in `room` bytes. */
static void add_name(const char *name, size_t length, size_t room, struct text *out)
{
	if (length <= room) {
		text_add(out, name);
		return;
	}
	size_t tail = (room - GAP_SIZE) / 2;
	size_t head = room - GAP_SIZE - tail;
	while (head > 0 && is_inside(name[head]))
		head--;
	while (tail > 0 && is_inside(name[length - tail]))
		tail--;
	text_addf(out, "%.*s%s%s", (int)head, name, gap, name + length - tail);
}

bool error_text_make(const char *text, const char *name, const char *verdict, char *out)
{
	struct text whole = text_in(out, ERROR_TEXT_MAX + 1);
	size_t length = strlen(name);
	size_t taken = strlen(text) + strlen(" (culprit: , )") + strlen(verdict);
	size_t room = taken < ERROR_TEXT_MAX ? ERROR_TEXT_MAX - taken : 0;
	if (strchr(text, '\n') || strchr(name, '\n') ||
	    room < (length < SHORTEST_NAME ? length : SHORTEST_NAME))
		return false;
	text_addf(&whole, "%s (culprit: ", text);
	add_name(name, length, room, &whole);
	text_addf(&whole, ", %s)", verdict);
	return true;
}
