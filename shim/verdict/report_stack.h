/*
 * report_stack.h - the parts of a stack as text, one function for each line of the report. Private
 * to this folder. Each tells whether it had anything to add to `out`.
 */
#ifndef CULPRIT_VERDICT_REPORT_STACK_H
#define CULPRIT_VERDICT_REPORT_STACK_H

#include "python_frame.h"
#include "report.h"

bool report_has_python(const struct report *report, uint32_t stack);

/*
 * The Python frames that people look for, up to `max` of them: the user's own, from the innermost
 * one outwards, with runs of library frames between them folded to "12 frames of torch". In a
 * stack without any of the user's, all frames. With a max of 1 only that one, else "3 more frames"
 * behind the last one.
 */
bool report_python_stack(const struct report *report, uint32_t stack, size_t max, struct text *out);

/* What the innermost one of these called on its way to the driver: libraries, generated code. */
bool report_python_through(const struct report *report, uint32_t stack, struct text *out);

/* The innermost frame of generated code, into *out. False, and *out is as it was: none. */
bool report_python_generated(const struct report *report, uint32_t stack, struct python_frame *out);

/* The native frames of a stack with Python, without Python's own. */
bool report_native_beside(const struct report *report, uint32_t stack, size_t max,
			  struct text *out);

/* "train.py:14" of the innermost of the user's Python frames. */
bool report_python_place(const struct report *report, uint32_t stack, struct text *out);

#endif
