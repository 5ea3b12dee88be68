/*
 * clean_size.h - a size of bundles on the command line.
 */
#ifndef CULPRIT_TOOLS_CLEAN_SIZE_H
#define CULPRIT_TOOLS_CLEAN_SIZE_H

#include <stdint.h>

#include "command/options.h"

/* The bytes that the option gives in MB; *out stays without it. 0, or -EINVAL after one line. */
int clean_read_size(const struct arguments *arguments, enum option option, uint64_t *out);

#endif
