/*
 * suggestion.h - suggests a known word for an unknown one: "did you mean".
 */
#ifndef CULPRIT_TOOLS_SUGGESTION_H
#define CULPRIT_TOOLS_SUGGESTION_H

#include <stddef.h>

/* The most similar candidate so far. Zero it first. */
struct suggestion {
	const char *word; /* NULL: none is similar enough */
	size_t distance;
};

/*
 * Replaces the best by `candidate` if that is nearer to word[0..length). It may have one wrong
 * character of three, or two of six.
 */
void suggestion_offer(struct suggestion *best, const char *word, size_t length,
		      const char *candidate);

#endif
