/*
 * mapping_lines.h - read the lines of /proc/self/maps one by one.
 */
#ifndef CULPRIT_RECORD_MAPPING_LINES_H
#define CULPRIT_RECORD_MAPPING_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* A longer line is only seen in part; that part may start anywhere in the line. */
enum { MAPPING_PIECE_SIZE = 4096 + 1 };

/*
 * Call `visit` for each line, without its newline, until it returns false. The caller provides
 * MAPPING_PIECE_SIZE bytes at `piece`: a host's thread may have a small stack. Return 0 or -errno.
 * Any thread.
 */
int mapping_lines_walk(char *piece, bool (*visit)(char *line, void *argument), void *argument);

#endif
