/*
 * moment.h - a time in the past on a command line.
 */
#ifndef CULPRIT_TOOLS_MOMENT_H
#define CULPRIT_TOOLS_MOMENT_H

#include <stdbool.h>
#include <time.h>

/*
 * Read a time before `now`: "30m", "12h" or "7d" ago, or a UTC date, "2026-11-22", with or without
 * a time, "2026-11-22T15:09:36Z". Return false for other text.
 */
bool moment_read(const char *text, time_t now, time_t *out);

#endif
