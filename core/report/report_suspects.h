/*
 * report_suspects.h - lines about the suspects.
 */
#ifndef CULPRIT_VERDICT_REPORT_SUSPECTS_H
#define CULPRIT_VERDICT_REPORT_SUSPECTS_H

#include "report/page.h"

/* Add lines about the first suspect: what was launched, from where, with what. */
void report_add_suspect(struct page *page);

/* Add a line for each other suspect, or for each group of them if a group has several. */
void report_add_suspect_list(struct page *page);

/*
 * Append to the headline the most likely of suspects from several places, and why. Without a
 * reason, append the places with their numbers.
 */
void report_add_groups(struct page *page);

/*
 * Whether all suspects come from one line of the user's Python code. EXACT: that line caused the
 * failure, because all other work is cleared by proof. LIKELY: only as certain as the verdict.
 */
enum line_certainty { LINE_NONE, LINE_LIKELY, LINE_EXACT };

/* True if every suspect is known to be a launch of a kernel. Any thread. */
bool report_are_all_kernels(const struct verdict *verdict);

/* Return whether they do; *out_is_kernel: all launch the same kernel. Any thread. */
enum line_certainty report_suspects_line(const struct report *report, bool *out_is_kernel);

/* Return "exact" or "likely"; NULL for LINE_NONE. */
const char *report_line_word(enum line_certainty certainty);

#endif
