/*
 * report_stack.h - native and Python stacks as text.
 */
#ifndef CULPRIT_REPORT_REPORT_STACK_H
#define CULPRIT_REPORT_REPORT_STACK_H

#include "base/text.h"
#include "report/page.h"

/*
 * Append up to `max` frames of a stack, innermost first, joined by "  <- ". A stack with Python
 * shows the user's own Python frames. Any other shows native frames, without those of culprit,
 * CUDA's libraries and the C library. "unknown" if no frame remains.
 */
void report_stack(const struct report *report, uint32_t stack, size_t max, struct text *out);

/* Append the same to the current line, with the places. */
void report_add_stack(struct page *page, uint32_t stack, size_t max);

/*
 * Append why a stack may be incomplete (view_stack_end): "outer frames not known: called by
 * generated code". False, and nothing is appended, for a complete stack.
 */
bool report_stack_end(uint32_t end, struct text *out);

/*
 * Append a line that the process wrote without debug information, with "train.c:48 load" in place
 * of "train+0x12ca" where the symbols know more.
 */
void report_add_resolved(const struct report *report, const char *line, size_t length,
			 struct text *out);

/* Append the native frames of a stack with Python, except Python's own; false if none remain. */
bool report_add_native_beside(struct page *page, uint32_t stack, size_t max);

#endif
