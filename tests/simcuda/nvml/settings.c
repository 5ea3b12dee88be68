/*
 * settings.c - read SIMNVML anew each time: a process asks for it a few times only.
 */
#include "nvml/settings.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Return what follows the `nth` occurrence of the word in the list, or NULL. */
static const char *find(const char *word, unsigned nth)
{
	size_t length = strlen(word);
	const char *at = getenv("SIMNVML");
	while (at && *at) {
		size_t end = strcspn(at, ",");
		bool is_it = !strncmp(at, word, length) && strchr("=,", at[length]);
		if (is_it && !nth--)
			return at + length;
		at += end;
		at += *at == ',';
	}
	return NULL;
}

bool settings_has(const char *word)
{
	return find(word, 0) != NULL;
}

long settings_number(const char *word, long otherwise)
{
	const char *value = find(word, 0);
	return value && *value == '=' ? strtol(value + 1, NULL, 10) : otherwise;
}

bool settings_numbers(const char *word, unsigned nth, long out[3])
{
	const char *at = find(word, nth);
	if (!at)
		return false;
	for (int i = 0; i < 3 && (*at == '=' || *at == '/'); i++) {
		char *end = NULL;
		out[i] = strtol(at + 1, &end, 10);
		at = end;
	}
	return true;
}
