/*
 * report_python.h - the Python part of a stack as text, one function for each line of the report.
 * Each returns whether there was anything to add.
 */
#ifndef CULPRIT_REPORT_REPORT_PYTHON_H
#define CULPRIT_REPORT_REPORT_PYTHON_H

#include "base/text.h"
#include "report/page.h"
#include "view/python_frame.h"

/* True if the stack has Python frames. */
bool report_has_python(const struct report *report, uint32_t stack);

/*
 * Append up to `max` Python frames to `out`: the user's own, innermost first, with runs of library
 * frames between them folded to "12 frames of torch". A stack without user frames shows all frames.
 * Frames beyond `max` become "3 more frames", except with a max of 1. `page` is the page whose text
 * `out` is, or NULL.
 */
bool report_python_stack(const struct report *report, uint32_t stack, size_t max, struct page *page,
			 struct text *out);

/* Append what the innermost of these frames called before the driver: libraries, generated code. */
bool report_add_python_through(struct page *page, uint32_t stack);

/* Find the innermost frame of generated code; false and *out unchanged if there is none. */
bool report_python_generated(const struct report *report, uint32_t stack, struct python_frame *out);

/*
 * Read the innermost of the user's Python frames, or of all frames if none is the user's. False if
 * the stack has no Python or the frame's line is not known.
 */
bool report_python_location(const struct report *report, uint32_t stack, struct python_frame *out);

/*
 * Append `before` and "train.py:14" of that frame. Append nothing and return false if it is not
 * known, or too long to be readable.
 */
bool report_add_python_location(struct page *page, const char *before, uint32_t stack);

#endif
