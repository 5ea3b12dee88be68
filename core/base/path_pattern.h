/*
 * path_pattern.h - paths with placeholders, so that processes with the same setting use different
 * paths. The letters are those of core(5); %q is that of other GPU tools.
 */
#ifndef CULPRIT_BASE_PATH_PATTERN_H
#define CULPRIT_BASE_PATH_PATTERN_H

#include <stddef.h>

/*
 * Write `pattern` with each placeholder replaced: %p process ID, %h host name, %t seconds since
 * 1970, %r rank in the job (rank.h), %q{NAME} environment variable, %% percent sign. An unset rank
 * or variable expands to nothing.
 *
 * Returns 0, or -EINVAL for an unknown placeholder, or if the path is empty or does not fit; `out`
 * is then unchanged. Reads the environment and is as thread-safe as getenv(3).
 */
int path_pattern_expand(const char *pattern, char *out, size_t capacity);

/*
 * Write the pattern that expands to exactly this path, cut to `capacity` like snprintf. Returns its
 * whole length. Any thread.
 */
size_t path_pattern_of(const char *path, char *out, size_t capacity);

#endif
