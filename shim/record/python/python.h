/*
 * python.h - the CPython interpreter in this process, if there is one that we know how to read.
 *
 * Nothing here or in the other python files takes the interpreter's lock, runs Python code or
 * allocates its objects: a thread reads its own frames, which nobody else writes.
 */
#ifndef CULPRIT_RECORD_PYTHON_H
#define CULPRIT_RECORD_PYTHON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct python;

/*
 * Looks for an interpreter, unless that is not wanted. What was found is told as META_PYTHON, also
 * later: "none", "CPython 3.12.1", or why one cannot be read, as in "CPython 3.16.0: unknown
 * version". Start-up only.
 */
void python_start(bool is_wanted);

/* The interpreter, or NULL: there is none, or none that can be read. Any thread. */
extern __attribute__((visibility("hidden"))) const struct python *python_found; /* atomic */
static inline const struct python *python_running(void)
{
	return __atomic_load_n(&python_found, __ATOMIC_ACQUIRE);
}

/*
 * A stack was walked: looks again, if the journal has met a new module since the last look. A stack
 * that comes from an interpreter loaded meanwhile has, and was not there before. Any thread.
 */
void python_meet(void);

#endif
