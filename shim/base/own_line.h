/*
 * own_line.h - whether what is written to a descriptor next would stand in the midst of somebody
 * else's line: programs leave progress bars and questions without an end.
 */
#ifndef CULPRIT_BASE_OWN_LINE_H
#define CULPRIT_BASE_OWN_LINE_H

#include <stdbool.h>

/*
 * May the last line there be unfinished? Of a file it is known; of a terminal or a pipe it cannot
 * be seen, so that it may. Leaves errno alone. Any thread. Signal-safe.
 */
bool own_line_is_needed(int fd);

#endif
