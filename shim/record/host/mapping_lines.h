/*
 * mapping_lines.h - the lines of /proc/self/maps, one by one.
 */
#ifndef CULPRIT_RECORD_MAPPING_LINES_H
#define CULPRIT_RECORD_MAPPING_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* Of a line that does not fit only a part is seen, of no known beginning. */
enum { MAPPING_PIECE_SIZE = 4096 + 1 };

/*
 * Calls `visit` for each line, without its end, until it says false. `piece` is memory of
 * MAPPING_PIECE_SIZE bytes: a host's thread may have a small stack. 0 or -errno. Any thread.
 */
int mapping_lines_walk(char *piece, bool (*visit)(char *line, void *argument), void *argument);

#endif
