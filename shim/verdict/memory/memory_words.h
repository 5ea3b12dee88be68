/*
 * memory_words.h - how kinds of memory are called, and sizes.
 */
#ifndef CULPRIT_VERDICT_MEMORY_WORDS_H
#define CULPRIT_VERDICT_MEMORY_WORDS_H

#include <stdint.h>

/* "device memory", ...: of an unknown kind "memory". Any thread. */
const char *memory_kind_words(uint32_t kind);

/* "1.5 GiB", "12 B"; returns `out`. Any thread. */
enum { MEMORY_SIZE_TEXT = 32 };
const char *memory_size_text(uint64_t bytes, char out[MEMORY_SIZE_TEXT]);

#endif
