/*
 * last_rejection.h - the last call that the driver refused in a process that failed without a GPU
 * failure, and what followed from it. Pure: runs in the process and in the tools.
 */
#ifndef CULPRIT_REPORT_LAST_REJECTION_H
#define CULPRIT_REPORT_LAST_REJECTION_H

#include "base/text.h"
#include "report/report_model.h"

struct last_rejection {
	const struct rejection_row *row; /* of the view */
	uint64_t n_followed;             /* submissions that the driver accepted after it */
};

/*
 * Find the last refused call that the program did not recover from. A program has recovered from a
 * refused allocation once it gets as much memory or submits other work, and from a refused image
 * once it launches a kernel. False if it recovered from all. Any thread.
 */
bool last_rejection_find(const struct bundle_view *view, struct last_rejection *out);

/*
 * Write whole lines: what was refused, from where, why, and what followed. The report's process is
 * needed: its pid and its end. Any thread.
 */
void last_rejection_text(const struct report *report, const struct last_rejection *last,
			 struct text *out);

/* Return the id of the rule that explains it; "" if it is not one that a shell takes as a word. */
const char *last_rejection_rule(const struct bundle_view *view, const struct last_rejection *last);

#endif
