/*
 * strings.h - interned text of the bundle.
 *
 * Some of it stays for good: names of calls and of devices, which are few. Other text is held by
 * rows: when the last row that holds it is used again, its place is used again, too.
 */
#ifndef CULPRIT_RECORD_STRINGS_H
#define CULPRIT_RECORD_STRINGS_H

#include <stddef.h>
#include <stdint.h>

/* Names of kernels have room even after all other text has filled its own half. */
enum string_room { STRINGS_OTHER, STRINGS_KERNELS, N_STRING_ROOMS };

/* Return the id of these bytes, always the same; 0 without room. Kept for good. Any thread. */
uint32_t strings_intern(const char *bytes, size_t length);

/* Do the same for a NUL-terminated string; NULL gives 0. Any thread. */
uint32_t strings_intern_z(const char *string);

/*
 * Return the id of the text, and add one row as its holder. Drop it when that row has been marked
 * as used by another. Any thread.
 */
uint32_t strings_hold(const char *bytes, size_t length, enum string_room room);

/* Add a holder to a text that is already held; return the id. 0 is ignored. Any thread. */
uint32_t strings_hold_again(uint32_t id);

/* Remove a holder; after the last one the text's place is reused. 0 is ignored. Any thread. */
void strings_drop(uint32_t id);

#endif
