/*
 * strings.h - interned text of the bundle.
 *
 * Some of it is there for good: names of calls and of devices, of which there are few. The rest is
 * held by rows: when the last one that holds a text is used again, so is the text's place.
 */
#ifndef CULPRIT_RECORD_STRINGS_H
#define CULPRIT_RECORD_STRINGS_H

#include <stddef.h>
#include <stdint.h>

/* Names of kernels find room when all other text has filled its own half. */
enum string_room { STRINGS_OTHER, STRINGS_KERNELS, N_STRING_ROOMS };

/* The id of these bytes, the same each time; 0 when there is no room. For good. Any thread. */
uint32_t strings_intern(const char *bytes, size_t length);

/* The same for a NUL-terminated string; NULL gives 0. Any thread. */
uint32_t strings_intern_z(const char *string);

/*
 * The same, held by one row more: it is dropped again when the row has been marked as used by
 * another. Any thread.
 */
uint32_t strings_hold(const char *bytes, size_t length, enum string_room room);

/* One more holder of a text that somebody holds; 0 is none. Gives the id. Any thread. */
uint32_t strings_hold_again(uint32_t id);

/* One holder less; behind the last one the text's place is another's. 0 is none. Any thread. */
void strings_drop(uint32_t id);

#endif
