/*
 * output.h - where a command prints: standard output or the file of --output.
 */
#ifndef CULPRIT_TOOLS_OUTPUT_H
#define CULPRIT_TOOLS_OUTPUT_H

#include <stdio.h>

/* Standard output for path NULL. NULL after one line on standard error. */
FILE *output_open(const char *path);

/* Closes all but standard output. 0, or -errno after one line: not everything was written. */
int output_close(FILE *out, const char *path);

#endif
