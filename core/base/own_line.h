/*
 * own_line.h - checks whether the next write to a descriptor would continue another program's line:
 * progress bars and prompts often leave a line unfinished.
 */
#ifndef CULPRIT_BASE_OWN_LINE_H
#define CULPRIT_BASE_OWN_LINE_H

#include <stdbool.h>

/*
 * True if the last line there may be unfinished. A file is read to find out. A terminal or a pipe
 * cannot be read back, so the result is true. Preserves errno. Any thread. Signal-safe.
 */
bool own_line_is_needed(int fd);

#endif
