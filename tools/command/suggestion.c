/*
 * suggestion.c - counts the characters by which two words differ.
 */
#include "command/suggestion.h"

#include <string.h>

enum { MAX_LENGTH = 40, MAX_DISTANCE = 3, CHARACTERS_PER_FAULT = 3 };

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Count insertions, removals, replacements and swapped neighbours. */
static size_t distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][MAX_LENGTH + 1] = {{0}}; /* by the prefix of a, modulo 3 */
	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t *row = rows[i % 3];
		const size_t *above = rows[(i + 2) % 3];
		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
			row[j] = min(replaced, min(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = min(row[j], rows[(i + 1) % 3][j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

void suggestion_offer(struct suggestion *best, const char *word, size_t length,
		      const char *candidate)
{
	size_t candidate_length = strlen(candidate);
	if (length > MAX_LENGTH || candidate_length > MAX_LENGTH)
		return;
	size_t distance = distance_of(word, length, candidate, candidate_length);
	if (distance > MAX_DISTANCE || distance * CHARACTERS_PER_FAULT > candidate_length ||
	    (best->word && distance >= best->distance))
		return;
	best->word = candidate;
	best->distance = distance;
}
