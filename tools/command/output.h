/*
 * output.h - the output of a command: standard output or the file of --output.
 */
#ifndef CULPRIT_TOOLS_OUTPUT_H
#define CULPRIT_TOOLS_OUTPUT_H

#include <stdio.h>

/*
 * Opens the file, or standard output if `path` is NULL. Returns NULL after one line on standard
 * error.
 */
FILE *output_open(const char *path);

/*
 * Closes all but standard output. Returns 0, or -errno after one line if the output is incomplete.
 */
int output_close(FILE *out, const char *path);

#endif
