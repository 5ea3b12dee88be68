/*
 * recorder.h - the recorder of Python stacks as a library of its own, for Python programs to load
 * with ctypes: the shim's own files, with a journal in memory.
 */
#ifndef CULPRIT_TESTS_PYTHON_RECORDER_H
#define CULPRIT_TESTS_PYTHON_RECORDER_H

#include <stddef.h>
#include <stdint.h>

/*
 * Looks for the interpreter, with room for `n_rows` rows in each table. 0, or -1: it cannot be
 * read, see recorder_status(). Once.
 */
int recorder_start(uint64_t n_rows);

/* What the shim says of the interpreter: see python_start(). */
const char *recorder_status(void);

/*
 * Captures the calling thread's stack and reads it back from the journal, innermost frame first:
 * "file\tname\tposition\tline\n" for each, "...\n" for callers that are left out. Returns the stack
 * id, 0: none. What does not fit is cut.
 */
uint32_t recorder_capture(char *out, size_t capacity);

/* What a capture costs in ns, by the quickest of some rounds of `n` captures. */
double recorder_cost(long n);

/*
 * Captures in a thread that Python does not know, before it calls `call`, Python code, and after.
 * How many of the two found Python frames.
 */
int recorder_call_elsewhere(int (*call)(void));

/* Counts code objects that had an id and died, from 1. */
uint64_t recorder_generation(void);

#endif
