/*
 * report_stack.h - stacks as text: native ones, and Python where there is any.
 */
#ifndef CULPRIT_VERDICT_REPORT_STACK_H
#define CULPRIT_VERDICT_REPORT_STACK_H

#include "base/text.h"
#include "verdict/report/page.h"

/*
 * The code that a stack runs through, innermost first: up to `max` frames joined by "  <- ". Of a
 * stack with Python the user's own Python frames; else native ones, without those of culprit,
 * CUDA's own libraries and the C library. "unknown" if nothing is left.
 */
void report_stack(const struct report *report, uint32_t stack, size_t max, struct text *out);

/* The same in the line that was begun, with the places. */
void report_add_stack(struct page *page, uint32_t stack, size_t max);

/*
 * What a stack leaves open (view_stack_end) as one phrase: "outer frames not known: called by
 * generated code". False, and nothing is added, for a stack that is whole.
 */
bool report_stack_end(uint32_t end, struct text *out);

/* Is a frame of this module, or of this function (NULL unknown), of no interest to the user? */
bool report_is_plumbing(const char *module_path, const struct source_frame *frame);

/* Is the module a part of Python itself, or of how it calls C? */
bool report_is_interpreter(const char *module_path);

/* The native frames of a stack with Python, without Python's own; false: there are none. */
bool report_add_native_beside(struct page *page, uint32_t stack, size_t max);

#endif
