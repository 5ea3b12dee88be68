/*
 * memory_labels.c - a table of the labels in journal_ranges.h.
 */
#include "memory/memory_labels.h"

#include <inttypes.h>
#include <string.h>

#include "base/journal_ranges.h"
#include "base/text.h"

const char *memory_kind_label(uint32_t kind)
{
	static const char *const kinds[] = {
#define KIND(name, number, words) [(number)] = (words),
		RANGE_KINDS(KIND)
#undef KIND
	};

	return kinds[kind < N_RANGE_KINDS ? kind : RANGE_UNKNOWN];
}

const char *memory_size_text(uint64_t bytes, char out[MEMORY_SIZE_TEXT])
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	struct text text = text_in(out, MEMORY_SIZE_TEXT);
	uint64_t part = 0; /* in 1/1024 of the unit */
	size_t unit = 0;
	for (; bytes >= 1024; bytes >>= 10, unit++)
		part = bytes;
	if (unit == 0)
		text_addf(&text, "%" PRIu64 " B", bytes);
	else
		text_addf(&text, "%" PRIu64 ".%" PRIu64 " %s", (part * 10 + 512) / 1024 / 10,
			  (part * 10 + 512) / 1024 % 10, units[unit]);
	return out;
}

const char *memory_size_short(uint64_t bytes, char out[MEMORY_SIZE_TEXT])
{
	(void)memory_size_text(bytes, out);
	char *zero = strstr(out, ".0 ");
	if (zero)
		memmove(zero, zero + 2, strlen(zero + 2) + 1);
	return out;
}
