/*
 * error_text.h - the driver's text of an error code, with the name of the culprit.
 */
#ifndef CULPRIT_BASE_ERROR_TEXT_H
#define CULPRIT_BASE_ERROR_TEXT_H

#include <stdbool.h>

/*
 * Programs print "CUDA error 700: %s" and the like into a buffer. The driver's own texts have up to
 * 70 bytes, so that 96 bytes have been enough for ever: this leaves 16 of them to the program.
 */
enum { ERROR_TEXT_MAX = 79 };

/*
 * Write "TEXT (culprit: NAME, VERDICT)" into `out` of ERROR_TEXT_MAX + 1 bytes; a long name loses
 * its middle. False if it does not fit in a way that can be read: `out` is then not to be used.
 */
bool error_text_make(const char *text, const char *name, const char *verdict, char *out);

#endif
