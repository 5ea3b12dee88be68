/*
 * refused_rows.h - the journal's rows of refused calls. Most processes have none: the table is
 * opened for the first one.
 */
#ifndef CULPRIT_REFUSAL_REFUSED_ROWS_H
#define CULPRIT_REFUSAL_REFUSED_ROWS_H

#include <stdint.h>

#include "base/journal_format.h"

/* Append a row and mark it as the last. Return its id, 0 without room. Any thread. */
uint32_t refused_rows_add(const struct refusal_row *row);

/* Return the row, NULL for an id that no row has. Any thread. */
struct refusal_row *refused_rows_get(uint32_t id);

/* Mark the row as the last one that was refused. Any thread. */
void refused_rows_mark(struct refusal_row *row);

#endif
