/*
 * brief_rows.h - the rows of a short report: the user's code, the cause and the reasons.
 */
#ifndef CULPRIT_BRIEF_ROWS_H
#define CULPRIT_BRIEF_ROWS_H

#include "brief/brief_cause.h"
#include "report/page.h"

/* Add the user's line and what was submitted there, or the suspects, the most likely one first. */
void brief_add_code(const struct page *full, struct page *out);

/* Add the fault, and where its memory was freed and allocated. */
void brief_add_cause(const struct page *full, const struct brief_cause *cause, struct page *out);

/* Add the nodes of a graph that may have failed, and where they were made. */
void brief_add_nodes(const struct page *full, struct page *out);

/* Add the call that returned the error, and one line with the reasons. */
void brief_add_reasons(const struct page *full, const struct brief_cause *cause, struct page *out);

#endif
