/*
 * check_rows.h - rows of checked memory: those of one launch follow each other. The table is not
 * trusted.
 */
#ifndef CULPRIT_CHECKS_CHECK_ROWS_H
#define CULPRIT_CHECKS_CHECK_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "view/bundle_view.h"

/* Return how many rows the launch has whose first row this is; 1 if they are not all there. */
uint32_t check_rows_count(const struct bundle_view *view, uint32_t first);

/* True if the launch wrote the memory: its bytes were others before it. */
bool check_rows_is_written(const struct check_row *row);

#endif
