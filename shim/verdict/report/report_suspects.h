/*
 * report_suspects.h - the lines about the suspects.
 */
#ifndef CULPRIT_VERDICT_REPORT_SUSPECTS_H
#define CULPRIT_VERDICT_REPORT_SUSPECTS_H

#include "verdict/report/page.h"

/* The first one in full: what was launched, from where, with what. */
void report_add_suspect(struct page *page);

/* One line for each of the next ones; for each of their groups where these have several. */
void report_add_suspect_list(struct page *page);

/*
 * To the headline: who is the most likely of suspects from several places, and why; where there is
 * no reason, which places these are, with their numbers.
 */
void report_add_groups(struct page *page);

/*
 * Do all suspects come from one line of the user's Python code? EXACT: and that line did it, for
 * what else there was is cleared by proof; LIKELY: as far as the verdict goes.
 */
enum line_certainty { LINE_NONE, LINE_LIKELY, LINE_EXACT };

/*
 * Append the claim of a bundle without a failure to the line that is begun. It never says that the
 * GPU did not fail: calls may have gone to the driver without culprit.
 */
void report_add_no_failure(struct page *page);

/* *out_is_kernel: do they all launch the same kernel? Any thread. */
enum line_certainty report_suspects_line(const struct report *report, bool *out_is_kernel);

/* "exact", "likely"; NULL for none. */
const char *report_line_word(enum line_certainty certainty);

#endif
