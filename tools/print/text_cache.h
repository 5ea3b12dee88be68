/*
 * text_cache.h - a cache of texts that are slow to make, by number.
 */
#ifndef CULPRIT_TOOLS_TEXT_CACHE_H
#define CULPRIT_TOOLS_TEXT_CACHE_H

#include <stddef.h>
#include <stdint.h>

struct text_cache {
	struct {
		uint32_t key; /* 0: empty */
		char *text;
	} * rows;
	size_t n, capacity; /* a power of two */
};

/* Return the text of a key; NULL if not cached. It is valid until the next text_cache_add(). */
const char *text_cache_find(const struct text_cache *cache, uint32_t key);

/*
 * Add a copy of the text for a key that is not 0. If the cache is full, drop all others first. If
 * memory runs out, add nothing.
 */
void text_cache_add(struct text_cache *cache, uint32_t key, const char *text);

#endif
