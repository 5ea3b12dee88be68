/*
 * settings.h - what SIMNVML plants: a list of words, separated by commas.
 */
#ifndef SIMNVML_SETTINGS_H
#define SIMNVML_SETTINGS_H

#include <stdbool.h>

enum { SIMNVML_MAX_GPUS = 8 };

/* True if the list has the word, with or without a value. Any thread. */
bool settings_has(const char *word);

/* Return the number of WORD=NUMBER, or `otherwise`. Any thread. */
long settings_number(const char *word, long otherwise);

/* Get the numbers of the `nth` WORD=A/B/C; missing ones stay as they are. False: no more. */
bool settings_numbers(const char *word, unsigned nth, long out[3]);

#endif
