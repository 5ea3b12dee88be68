/*
 * report_python.h - the Python part of a stack as text, one function for each line of the report.
 * Each tells whether it had anything to add.
 */
#ifndef CULPRIT_VERDICT_REPORT_PYTHON_H
#define CULPRIT_VERDICT_REPORT_PYTHON_H

#include "base/text.h"
#include "verdict/report/page.h"
#include "verdict/view/python_frame.h"

bool report_has_python(const struct report *report, uint32_t stack);

/*
 * The Python frames that people look for, up to `max` of them: the user's own, from the innermost
 * one outwards, with runs of library frames between them folded to "12 frames of torch". In a
 * stack without any of the user's, all frames. With a max of 1 only that one, else "3 more frames"
 * behind the last one. They are added to `out`; `page`, if it is not NULL, is whose text that is.
 */
bool report_python_stack(const struct report *report, uint32_t stack, size_t max, struct page *page,
			 struct text *out);

/* What the innermost one of these called on its way to the driver: libraries, generated code. */
bool report_add_python_through(struct page *page, uint32_t stack);

/* The innermost frame of generated code, into *out. False, and *out is as it was: none. */
bool report_python_generated(const struct report *report, uint32_t stack, struct python_frame *out);

/* The innermost of the user's Python frames, into *out. False: there is none, or no line of it. */
bool report_python_place(const struct report *report, uint32_t stack, struct python_frame *out);

/*
 * "train.py:14" of the innermost of the user's Python frames, with `before` in front; neither where
 * it is not known, or longer than anybody reads.
 */
bool report_add_python_place(struct page *page, const char *before, uint32_t stack);

#endif
