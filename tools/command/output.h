/*
 * output.h - the output of a command: standard output or the file of --output.
 */
#ifndef CULPRIT_TOOLS_OUTPUT_H
#define CULPRIT_TOOLS_OUTPUT_H

#include <stdio.h>

/*
 * Open the file, or standard output if `path` is NULL. Return NULL, after a message, if the file
 * cannot be opened.
 */
FILE *output_open(const char *path);

/*
 * Flush the output and close it, unless it is standard output. Return 0, or -errno, after a
 * message, if the output is incomplete.
 */
int output_close(FILE *out, const char *path);

#endif
