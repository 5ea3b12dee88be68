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

#include "base/hot.h"
#include "record/journal/modules.h"

struct python;

/*
 * Looks for an interpreter, unless that is not wanted. What was found is told as META_PYTHON, also
 * later: "none", "CPython 3.12.1", or why one cannot be read, as in "CPython 3.16.0: unknown
 * version". Start-up only.
 */
void python_start(bool is_wanted);

/*
 * The interpreter, or NULL: there is none, or none that can be read. Looks again when the journal
 * has met a new module since: a stack that comes from an interpreter loaded meanwhile has. Any
 * thread.
 */
const struct python *python_look_again(void);
extern __attribute__((visibility("hidden"))) const struct python *python_found; /* atomic */
extern __attribute__((visibility("hidden")))
uint64_t python_n_met; /* atomic: before the last look */
static inline const struct python *python_running(void)
{
	const struct python *found = __atomic_load_n(&python_found, __ATOMIC_ACQUIRE);
	if (USUALLY(found || modules_met() == __atomic_load_n(&python_n_met, __ATOMIC_RELAXED)))
		return found;
	return python_look_again();
}

#endif
