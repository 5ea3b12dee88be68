/*
 * list_row.h - one line of `culprit list`: from the report that the run stored in the bundle, or
 * else from the bundle's journal.
 */
#ifndef CULPRIT_TOOLS_LIST_ROW_H
#define CULPRIT_TOOLS_LIST_ROW_H

#include "command/exit_status.h"

enum list_column {
	LIST_WHEN,
	LIST_PROGRAM,
	LIST_PID,
	LIST_RANK,
	LIST_ERROR,
	LIST_VERDICT,
	LIST_FINGERPRINT,
	LIST_WORK,
	LIST_PLACE,
	LIST_BUNDLE,
	N_LIST_COLUMNS
};

enum { LIST_CELL_SIZE = 512 };

/* Cells are safe to print and have no tabs. An unknown one is "". */
struct list_row {
	char cells[N_LIST_COLUMNS][LIST_CELL_SIZE];
};

/*
 * Fill in the line of the bundle at `path`. Returns EXIT_STATUS_OK or, if parts of the bundle could
 * not be read, EXIT_STATUS_DAMAGED. Otherwise there is no line, after one line on standard error.
 */
enum exit_status list_row_read(const char *path, struct list_row *out);

#endif
