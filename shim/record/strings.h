/*
 * strings.h - interned text of the bundle.
 */
#ifndef CULPRIT_RECORD_STRINGS_H
#define CULPRIT_RECORD_STRINGS_H

#include <stddef.h>
#include <stdint.h>

/* The id of these bytes, the same each time; 0 when there is no room. Any thread. */
uint32_t strings_intern(const char *bytes, size_t length);

/* The same for a NUL-terminated string; NULL gives 0. Any thread. */
uint32_t strings_intern_z(const char *string);

#endif
