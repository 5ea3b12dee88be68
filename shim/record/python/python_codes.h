/*
 * python_codes.h - ids of code objects. Two objects never share an id, although Python reuses the
 * memory of a freed one.
 *
 * The deallocator of Python's code type is replaced by one that forgets the object's id and then
 * calls the original. Each deallocation of a known object starts a new generation: cached facts by
 * address are then void. A thread sees the new generation before it can see other code at the
 * address: it got that code through Python, whose locks order it after the deallocation. The row of
 * a freed object is used again much later (row_uses.h).
 */
#ifndef CULPRIT_RECORD_PYTHON_CODES_H
#define CULPRIT_RECORD_PYTHON_CODES_H

#include <stdbool.h>
#include <stdint.h>

struct python;

/* Start to watch deallocations, once, before the first id is asked for. Any thread. */
void python_codes_watch(const struct python *python);

/* Return the generation: it counts deallocations of objects with an id, and calls of
 * python_codes_begin_generation(), from 1. Any thread. */
uint64_t python_codes_generation(void);

/* Invalidate everything that threads have cached about frames. Any thread. */
void python_codes_begin_generation(void);

/* True if it is a code object. For objects that a frame of this thread runs. */
bool python_is_code(const struct python *python, const void *object);

/*
 * Return the id in python-codes of a code object that a frame of this thread runs; 0: no room. It
 * is journaled when it is discovered. Any thread.
 */
uint32_t python_codes_id(const struct python *python, const void *code);

#endif
