/*
 * check_rows.h - rows of checked memory: those of one launch follow each other. The table is not
 * trusted.
 */
#ifndef CULPRIT_CHECKS_CHECK_ROWS_H
#define CULPRIT_CHECKS_CHECK_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "view/bundle_view.h"

/* Return the number of rows of the launch whose first row this is, or 1 if some are missing. */
uint32_t check_rows_count(const struct bundle_view *view, uint32_t first);

/* True if the launch wrote the memory: its checksum differs before and after. */
bool check_rows_is_written(const struct check_row *row);

#endif
