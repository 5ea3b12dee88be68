/*
 * rejected_rows.h - the journal's rows of refused calls. Most processes have none: the table is
 * opened for the first one.
 */
#ifndef CULPRIT_REFUSAL_REJECTED_ROWS_H
#define CULPRIT_REFUSAL_REJECTED_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal_format.h"
#include "report/report_model.h"

/* Append a row and mark it as the last. Return its id, 0 without room. Any thread. */
uint32_t rejected_rows_add(const struct rejection_row *row);

/* Return the row, NULL for an id that no row has. Any thread. */
struct rejection_row *rejected_rows_get(uint32_t id);

/* Mark the row as the last one that was refused. Any thread. */
void rejected_rows_mark(struct rejection_row *row);

/*
 * rejected_end.c: the end of a process. The last refused call is printed if the process fails and
 * `culprit run` does not do it.
 */

/* True if the driver refused a call and the program did not recover from it. Any thread. */
bool rejected_end_is_open(void);

/*
 * Print the last refused call, if there is one, once in a process; with `is_rest` only what was not
 * printed at once. `end` says how the process ends. Any thread, signal handlers too.
 */
void rejected_end_print(struct report_end end, bool is_rest);

#endif
