/*
 * path_pattern.h - paths with placeholders, so that processes that share a setting keep apart: the
 * letters are those of core(5), and %q those of other GPU tools.
 */
#ifndef CULPRIT_BASE_PATH_PATTERN_H
#define CULPRIT_BASE_PATH_PATTERN_H

#include <stddef.h>

/*
 * Writes `pattern` with each placeholder replaced: %p number of this process, %h name of the host,
 * %t seconds since 1970, %r rank in the job (rank.h), %q{NAME} variable of the environment, %% a
 * percent sign. A rank or variable that is not there is nothing.
 *
 * 0, or -EINVAL: another placeholder, or a path that is empty or has no room; `out` is untouched.
 * Reads the environment: as getenv(3).
 */
int path_pattern_expand(const char *pattern, char *out, size_t capacity);

/*
 * The pattern that stands for just this path, cut to `capacity` like snprintf; returns its whole
 * length. Any thread.
 */
size_t path_pattern_of(const char *path, char *out, size_t capacity);

#endif
