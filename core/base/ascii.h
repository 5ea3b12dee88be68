/*
 * ascii.h - text for people whose locale has no UTF-8.
 */
#ifndef CULPRIT_BASE_ASCII_H
#define CULPRIT_BASE_ASCII_H

#include <stdbool.h>
#include <stddef.h>

/*
 * True if LC_ALL, LC_CTYPE or LANG, the first that is set to something, names no UTF-8; also if
 * none is set. Reads the environment: start-up only.
 */
bool ascii_is_wanted(void);

/*
 * Replace each character that is not ASCII, in place: a dash by '-', a dot in the middle of a line
 * by '|', an ellipsis by "...", others by '?'. Returns the new size, at most the old one.
 */
size_t ascii_make(char *bytes, size_t size);

#endif
