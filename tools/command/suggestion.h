/*
 * suggestion.h - what somebody may have meant by a word that is none: "did you mean".
 */
#ifndef CULPRIT_TOOLS_SUGGESTION_H
#define CULPRIT_TOOLS_SUGGESTION_H

#include <stddef.h>

/* The nearest of the candidates so far; starts as zeros. */
struct suggestion {
	const char *word; /* NULL: none is near enough */
	size_t distance;
};

/* Is `candidate` nearer to word[0..length)? Near is one wrong character of three, two of six. */
void suggestion_offer(struct suggestion *best, const char *word, size_t length,
		      const char *candidate);

#endif
