/*
 * python.h - the CPython interpreter in this process, if it is one that we can read.
 *
 * None of the python files takes the interpreter's lock, runs Python code or allocates Python
 * objects: a thread reads its own frames, which no other thread writes.
 */
#ifndef CULPRIT_RECORD_PYTHON_H
#define CULPRIT_RECORD_PYTHON_H

#include <stdbool.h>

struct python;

/*
 * Look for an interpreter, if wanted. The result is recorded as META_PYTHON, also later: "none",
 * "CPython 3.12.1", or why one cannot be read, as in "CPython 3.16.0: unknown version". Start-up
 * only.
 */
void python_start(bool is_wanted);

/* Return the interpreter, NULL if there is none or none that can be read. Any thread. */
extern __attribute__((visibility("hidden"))) const struct python *python_found; /* atomic */
static inline const struct python *python_running(void)
{
	return __atomic_load_n(&python_found, __ATOMIC_ACQUIRE);
}

/*
 * Call this after a stack was walked: look again, if the journal has discovered a module since the
 * last look. The first stack from an interpreter that was loaded meanwhile is such a case. Any
 * thread.
 */
void python_discover(void);

#endif
