/*
 * python_text.h - Python's strings as those of the bundle.
 */
#ifndef CULPRIT_RECORD_PYTHON_TEXT_H
#define CULPRIT_RECORD_PYTHON_TEXT_H

#include <stdint.h>

struct python;

/*
 * The bundle's string of a str object that this thread's frames keep alive, as UTF-8; bytes of a
 * file name that Python could not decode are those bytes again. Cut after some thousand bytes. 0:
 * NULL, not a str of the usual form, or no room. Under the lock of python_codes.c.
 */
uint32_t python_text_hold(const struct python *python, const void *object);

#endif
