/*
 * text_cache.h - texts by a number: what took long to say once.
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

/* The text of a key that is not 0, or NULL. It lasts until the next text_cache_add. */
const char *text_cache_find(const struct text_cache *cache, uint32_t key);

/* Keeps a copy; forgets all others first where they are very many. Without memory nothing is kept.
 */
void text_cache_add(struct text_cache *cache, uint32_t key, const char *text);

#endif
