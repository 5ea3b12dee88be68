/*
 * handle_map.h - a concurrent map from a handle or an address (never 0) to a 64-bit value.
 *
 * The map is split into shards, each with its own lock, so that threads with different handles
 * seldom contend. A shard grows by doubling. Old arrays stay in the arena; their sum is at most the
 * new array's size. Under a shard's lock only the arena's lock is taken.
 */
#ifndef CULPRIT_RECORD_HANDLE_MAP_H
#define CULPRIT_RECORD_HANDLE_MAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { HANDLE_MAP_SHARDS = 64 };

struct handle_entry {
	uint64_t key; /* 0: free */
	uint64_t value;
};

struct handle_shard {
	pthread_mutex_t lock;
	uint32_t n_slots; /* a power of two, or 0 */
	uint32_t n_used;
	struct handle_entry *entries;
};

/* All zero is an empty map. */
struct handle_map {
	struct handle_shard shards[HANDLE_MAP_SHARDS];
};

/* Look the key up. If it is missing, return false and leave *out_value untouched. Any thread. */
bool handle_map_get(struct handle_map *map, uint64_t key, uint64_t *out_value);

/* Set the key's value. If memory is short, return false; the map is unchanged. Any thread. */
bool handle_map_put(struct handle_map *map, uint64_t key, uint64_t value);

/* Set the key's value if it has none, else return its value in *value. Fails likewise. Any thread.
 */
bool handle_map_put_new(struct handle_map *map, uint64_t key, uint64_t *value);

/* Remove the key and return its value; false if it is missing. Any thread. */
bool handle_map_take(struct handle_map *map, uint64_t key, uint64_t *out_value);

/* Remove the key if it has this value; false if it is missing or has another value. Any thread. */
bool handle_map_take_own(struct handle_map *map, uint64_t key, uint64_t value);

/*
 * Remove every key. Unless `leave` is NULL, call it for each value, under the lock of the value's
 * shard. Any thread.
 */
void handle_map_clear(struct handle_map *map, void (*leave)(uint64_t value));

#endif
