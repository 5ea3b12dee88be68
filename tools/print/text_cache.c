/*
 * text_cache.c - a hash table with open addressing, at most half full.
 */
#include "print/text_cache.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256, MOST_TEXTS = 1 << 18 };

static size_t place_of(const struct text_cache *cache, uint32_t key)
{
	size_t mask = cache->capacity - 1;
	size_t place = (size_t)(key * 0x9e3779b1u) & mask; /* 2^32 over the golden ratio */
	while (cache->rows[place].key && cache->rows[place].key != key)
		place = (place + 1) & mask;
	return place;
}

const char *text_cache_find(const struct text_cache *cache, uint32_t key)
{
	size_t place = cache->capacity && key ? place_of(cache, key) : 0;
	return cache->capacity && key && cache->rows[place].key ? cache->rows[place].text : NULL;
}

static int grow(struct text_cache *cache)
{
	struct text_cache larger = {
		.n = cache->n, .capacity = cache->capacity ? 2 * cache->capacity : FIRST_CAPACITY};
	larger.rows = calloc(larger.capacity, sizeof(*larger.rows));
	if (!larger.rows)
		return -1;
	for (size_t i = 0; i < cache->capacity; i++)
		if (cache->rows[i].key)
			larger.rows[place_of(&larger, cache->rows[i].key)] = cache->rows[i];
	free(cache->rows);
	*cache = larger;
	return 0;
}

static void forget(struct text_cache *cache)
{
	for (size_t i = 0; i < cache->capacity; i++) {
		free(cache->rows[i].text);
		cache->rows[i].key = 0;
		cache->rows[i].text = NULL;
	}
	cache->n = 0;
}

void text_cache_add(struct text_cache *cache, uint32_t key, const char *text)
{
	if (cache->n == MOST_TEXTS)
		forget(cache);
	if (!key || (2 * (cache->n + 1) > cache->capacity && grow(cache)))
		return;
	char *copy = strdup(text);
	size_t place = place_of(cache, key);
	if (!copy || cache->rows[place].key) {
		free(copy);
		return;
	}
	cache->rows[place].key = key;
	cache->rows[place].text = copy;
	cache->n++;
}
