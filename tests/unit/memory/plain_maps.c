/*
 * plain_maps.c - the maps of handles as one list, and locks that are only counted.
 */
#include "memory/plain_maps.h"

#include "record/host/handle_map.h"
#include "support/check.h"

struct plain_maps plain_maps;

/* These replace the C library's functions (--wrap). */
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	CHECK(mutex && !plain_maps.n_locks++);
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	CHECK(mutex && !--plain_maps.n_locks);
	return 0;
}

static uint32_t place_of(const struct handle_map *map, uint64_t key)
{
	uint32_t i = 0;
	CHECK(!plain_maps.n_locks && map);
	while (i < PLAIN_KEYS &&
	       (plain_maps.entries[i].key != key || (key && plain_maps.entries[i].map != map)))
		i++;
	return i;
}

bool handle_map_get(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	uint32_t place = place_of(map, key);
	CHECK(key);
	if (place < PLAIN_KEYS)
		*out_value = plain_maps.entries[place].value;
	return place < PLAIN_KEYS;
}

bool handle_map_put(struct handle_map *map, uint64_t key, uint64_t value)
{
	uint32_t place = place_of(map, key);
	CHECK(key && value);
	if (plain_maps.is_short)
		return false;
	if (place == PLAIN_KEYS)
		place = place_of(map, 0);
	plain_maps.entries[place].map = map;
	plain_maps.entries[place].key = key;
	plain_maps.entries[place].value = value;
	return true;
}

bool handle_map_put_new(struct handle_map *map, uint64_t key, uint64_t *value)
{
	if (handle_map_get(map, key, value))
		return true;
	return handle_map_put(map, key, *value);
}

bool handle_map_take(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	bool is_there = handle_map_get(map, key, out_value);
	if (is_there)
		plain_maps.entries[place_of(map, key)].key = 0;
	return is_there;
}

bool handle_map_take_own(struct handle_map *map, uint64_t key, uint64_t value)
{
	uint64_t present = 0;
	return handle_map_get(map, key, &present) && present == value &&
	       handle_map_take(map, key, &present);
}
