/*
 * handle_map.h - a concurrent map from a handle or an address (never 0) to a 64-bit value.
 *
 * Split into shards, each with its own lock, so that threads with different handles seldom meet.
 * A shard grows by doubling; old arrays are left to the arena (their sum is at most the new one's
 * size). No other lock is taken under a shard's lock, the arena's excepted.
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

/* The key's value; false: not there, *out_value untouched. Any thread. */
bool handle_map_get(struct handle_map *map, uint64_t key, uint64_t *out_value);

/* Sets the key's value. False: no memory; the map is unchanged. Any thread. */
bool handle_map_put(struct handle_map *map, uint64_t key, uint64_t value);

/* Sets the key's value if it has none; else gives the one it has in *value. As above. */
bool handle_map_put_new(struct handle_map *map, uint64_t key, uint64_t *value);

/* Removes the key and gives its value; false: not there. Any thread. */
bool handle_map_take(struct handle_map *map, uint64_t key, uint64_t *out_value);

/* Removes the key if this is its value; false: it has another one, or none. Any thread. */
bool handle_map_take_own(struct handle_map *map, uint64_t key, uint64_t value);

/*
 * Removes every key. Calls `leave` for each value, unless it is NULL; under the lock of the value's
 * shard. Any thread.
 */
void handle_map_clear(struct handle_map *map, void (*leave)(uint64_t value));

#endif
