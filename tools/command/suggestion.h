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

/*
 * unknown_settings.c: variables that look like settings but are not. A misspelt setting silently
 * does nothing.
 *
 * Prints a line for each CULPRIT_* variable of the environment that has no effect.
 */
void unknown_settings_tell(void (*tell)(void *data, const char *line), void *data);

#endif
