/*
 * python_codes.h - which code object is which: ids that are never shared by two of them, although
 * Python uses the memory of a dead one again.
 *
 * The deallocator of Python's code type is replaced by one that forgets the object's id and then
 * calls the original. Every death of a known object begins a new generation: what a cache has by
 * address is void then. A thread sees the new generation before it can see other code at the dead
 * one's address: it got that code through Python, by whose locks the death comes first. The row of
 * a dead one is used again, long after (row_uses.h).
 */
#ifndef CULPRIT_RECORD_PYTHON_CODES_H
#define CULPRIT_RECORD_PYTHON_CODES_H

#include <stdbool.h>
#include <stdint.h>

struct python;

/* Begins to watch deaths, once, before the first id is asked for. Any thread. */
void python_codes_watch(const struct python *python);

/* Counts the deaths of code objects that had an id, and what follows, from 1. Any thread. */
uint64_t python_codes_generation(void);

/* Nothing that threads have kept of frames holds any longer. Any thread. */
void python_codes_begin_generation(void);

/* Is it a code object? For what a frame of this thread runs. */
bool python_is_code(const struct python *python, const void *object);

/*
 * The id in python-codes of a code object that a frame of this thread runs, journaled at its first
 * sight; 0: no room. Any thread.
 */
uint32_t python_codes_id(const struct python *python, const void *code);

#endif
