/*
 * memory_labels.h - labels for kinds of memory and for sizes.
 */
#ifndef CULPRIT_MEMORY_MEMORY_LABELS_H
#define CULPRIT_MEMORY_MEMORY_LABELS_H

#include <stdint.h>

/* Return "device memory", ...; "memory" for an unknown kind. Any thread. */
const char *memory_kind_label(uint32_t kind);

/* Write "1.5 GiB" or "12 B" to `out` and return it. Any thread. */
enum { MEMORY_SIZE_TEXT = 32 };
const char *memory_size_text(uint64_t bytes, char out[MEMORY_SIZE_TEXT]);

/* The same, but "8 KiB" instead of "8.0 KiB". Any thread. */
const char *memory_size_short(uint64_t bytes, char out[MEMORY_SIZE_TEXT]);

#endif
