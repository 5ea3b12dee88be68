/*
 * recorder.h - the recorder of Python stacks as a library of its own, for Python programs to load
 * with ctypes: the shim's own files, with a journal in memory.
 */
#ifndef CULPRIT_TESTS_PYTHON_RECORDER_H
#define CULPRIT_TESTS_PYTHON_RECORDER_H

#include <stddef.h>
#include <stdint.h>

/*
 * Find the interpreter, with room for `n_rows` rows in each table. Returns 0, or -1 if it cannot be
 * read; see recorder_status(). Call this once.
 */
int recorder_start(uint64_t n_rows);

/* Return what the shim says about the interpreter; see python_start(). */
const char *recorder_status(void);

/*
 * Capture the calling thread's stack and read it back from the journal, innermost frame first.
 * `out` receives "file\tname\tposition\tline\n" for each frame and "...\n" for callers that are
 * left out; text that does not fit is cut. Returns the stack id, or 0 if there is no stack.
 */
uint32_t recorder_capture(char *out, size_t capacity);

/* Return the cost of a capture in ns, from the quickest of several rounds of `n` captures. */
double recorder_cost(long n);

/*
 * Capture in a thread that Python does not know, before and after it calls `call`, which is Python
 * code. Returns the number of these two captures that found Python frames.
 */
int recorder_call_elsewhere(int (*call)(void));

/* Return a number that starts at 1 and counts code objects that had an id and died. */
uint64_t recorder_generation(void);

#endif
