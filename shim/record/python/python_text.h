/*
 * python_text.h - copy Python's strings to the bundle's strings.
 */
#ifndef CULPRIT_RECORD_PYTHON_TEXT_H
#define CULPRIT_RECORD_PYTHON_TEXT_H

#include <stdint.h>

struct python;

/*
 * Return the bundle's string for a str object that this thread's frames keep alive, as UTF-8. Bytes
 * of a file name that Python could not decode are restored. Cut after some thousand bytes. 0: NULL,
 * not a str of the usual form, or no room. Under the lock of python_codes.c.
 */
uint32_t python_text_hold(const struct python *python, const void *object);

#endif
