/*
 * python_lines.c - decodes the three formats of line tables in CPython 3.8 to 3.15, as described in
 * Objects/lnotab_notes.txt of 3.8 and of 3.10 and in Objects/locations.md of 3.11. Each table is a
 * list of steps in bytes of code and in lines. A search adds them up from the start.
 */
#include "view/python_lines.h"

#include <stdbool.h>

enum { FIRST_VERSION = 0x308, FIRST_RANGES = 0x30a, FIRST_LOCATIONS = 0x30b, LAST_VERSION = 0x30f };

/* The rest of a table, and the position in code and source after the steps read so far. */
struct walk {
	const uint8_t *at;
	const uint8_t *end;
	uint64_t code; /* bytes */
	int64_t line;
};

/* Return the line; 0 if the sum of foreign numbers is not a line number. */
static uint32_t line_of(const struct walk *walk)
{
	return walk->line > 0 && walk->line <= INT32_MAX ? (uint32_t)walk->line : 0;
}

/* co_lnotab: code and line steps alternate. A line holds until the next step or the code's end. */
static uint32_t find_in_steps(struct walk walk, uint32_t position)
{
	for (; walk.end - walk.at >= 2; walk.at += 2) {
		walk.code += walk.at[0];
		if (walk.code > position)
			break;
		walk.line += (int8_t)walk.at[1];
	}
	return line_of(&walk);
}

/* co_linetable of 3.10: each pair is a range of code and its line, -128 for none. */
static uint32_t find_in_ranges(struct walk walk, uint32_t position)
{
	enum { NO_LINE = -128 };
	for (; walk.end - walk.at >= 2; walk.at += 2) {
		int8_t step = (int8_t)walk.at[1];
		walk.code += walk.at[0];
		walk.line += step != NO_LINE ? step : 0;
		if (walk.code > position)
			return step != NO_LINE ? line_of(&walk) : 0;
	}
	return 0;
}

/* Read six bits per byte, lowest first, while bit 6 is set. False if the number does not end. */
static bool read_varint(struct walk *walk, uint32_t *out)
{
	uint32_t value = 0;
	for (unsigned int shift = 0; shift < 32 && walk->at < walk->end; shift += 6) {
		uint8_t byte = *walk->at++;
		value |= (uint32_t)(byte & 0x3f) << shift;
		if (!(byte & 0x40)) {
			*out = value;
			return true;
		}
	}
	return false;
}

/* Step the line by a signed number, whose sign is bit 0. */
static bool step_by_varint(struct walk *walk)
{
	uint32_t value = 0;
	if (!read_varint(walk, &value))
		return false;
	walk->line += value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
	return true;
}

/*
 * co_linetable since 3.11: an entry's first byte has bit 7 set. Its bits 3-6 are the kind, bits 0-2
 * the length in code units of two bytes, minus one. The columns that follow are skipped.
 */
static uint32_t find_in_locations(struct walk walk, uint32_t position)
{
	enum { ONE_LINE_0 = 10, ONE_LINE_2 = 12, NO_COLUMNS = 13, LONG = 14, NONE = 15 };
	while (walk.at < walk.end) {
		uint8_t first = *walk.at++;
		unsigned int kind = first >> 3 & 15;
		walk.code += ((first & 7) + (uint64_t)1) * 2;
		if (kind >= ONE_LINE_0 && kind <= ONE_LINE_2)
			walk.line += kind - ONE_LINE_0;
		else if ((kind == NO_COLUMNS || kind == LONG) && !step_by_varint(&walk))
			return 0;
		if (walk.code > position)
			return kind != NONE ? line_of(&walk) : 0;
		while (walk.at < walk.end && !(*walk.at & 0x80))
			walk.at++;
	}
	return 0;
}

uint32_t python_lines_find(const uint8_t *table, size_t size, uint16_t version, uint32_t first_line,
			   uint32_t position)
{
	struct walk walk = {
		.at = table, .end = size > 0 ? table + size : table, .line = first_line};
	if (version < FIRST_VERSION || version > LAST_VERSION)
		return 0;
	if (version < FIRST_RANGES)
		return find_in_steps(walk, position);
	if (version < FIRST_LOCATIONS)
		return find_in_ranges(walk, position);
	return find_in_locations(walk, position);
}
