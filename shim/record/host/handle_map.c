/*
 * handle_map.c - open addressing with linear probing, one array per shard.
 */
#include "record/host/handle_map.h"

#include <string.h>

#include "base/hash.h"
#include "record/host/arena.h"

enum { FIRST_SLOTS = 64 };

static uint64_t mix(uint64_t key)
{
	/* Folded: handles are pointers, whose low bits are all alike. */
	key = hash_word(key);
	return key ^ (key >> 29);
}

static struct handle_shard *lock_shard(struct handle_map *map, uint64_t key)
{
	struct handle_shard *shard = &map->shards[mix(key) % HANDLE_MAP_SHARDS];
	pthread_mutex_lock(&shard->lock);
	return shard;
}

static uint32_t home_slot(const struct handle_shard *shard, uint64_t key)
{
	return (uint32_t)(mix(key) >> 6) & (shard->n_slots - 1);
}

/* Return the key's entry, or the free entry where its search stops; NULL in an empty shard. */
static struct handle_entry *find(const struct handle_shard *shard, uint64_t key)
{
	if (!shard->n_slots)
		return NULL;
	uint32_t mask = shard->n_slots - 1;
	uint32_t slot = home_slot(shard, key);
	while (shard->entries[slot].key && shard->entries[slot].key != key)
		slot = (slot + 1) & mask;
	return &shard->entries[slot];
}

/* Make room for one more entry at a load of at most one half. */
static bool make_room(struct handle_shard *shard)
{
	if (shard->n_used < shard->n_slots / 2)
		return true;
	struct handle_shard old = *shard;
	uint32_t n_slots = old.n_slots ? old.n_slots * 2 : FIRST_SLOTS;
	struct handle_entry *entries = arena_alloc_aside(n_slots * sizeof(*entries));
	if (!entries)
		return false;
	shard->entries = entries;
	shard->n_slots = n_slots;
	for (uint32_t i = 0; i < old.n_slots; i++) {
		if (old.entries[i].key)
			*find(shard, old.entries[i].key) = old.entries[i];
	}
	return true;
}

/* Free a slot and close the gap, so that searches neither stop early nor meet a removed entry. */
static void remove_slot(struct handle_shard *shard, uint32_t hole)
{
	uint32_t mask = shard->n_slots - 1;
	for (uint32_t slot = (hole + 1) & mask; shard->entries[slot].key;
	     slot = (slot + 1) & mask) {
		uint32_t distance = (slot - home_slot(shard, shard->entries[slot].key)) & mask;
		if (distance < ((slot - hole) & mask))
			continue;
		shard->entries[hole] = shard->entries[slot];
		hole = slot;
	}
	shard->entries[hole].key = 0;
	shard->n_used--;
}

bool handle_map_get(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	struct handle_shard *shard = lock_shard(map, key);
	const struct handle_entry *entry = find(shard, key);
	bool found = entry && entry->key;
	if (found)
		*out_value = entry->value;
	pthread_mutex_unlock(&shard->lock);
	return found;
}

static struct handle_entry *find_or_add(struct handle_shard *shard, uint64_t key)
{
	struct handle_entry *entry = find(shard, key);
	if (entry && entry->key)
		return entry;
	if (!make_room(shard))
		return NULL;
	entry = find(shard, key);
	shard->n_used++;
	return entry;
}

bool handle_map_put(struct handle_map *map, uint64_t key, uint64_t value)
{
	struct handle_shard *shard = lock_shard(map, key);
	struct handle_entry *entry = find_or_add(shard, key);
	if (entry)
		*entry = (struct handle_entry){.key = key, .value = value};
	pthread_mutex_unlock(&shard->lock);
	return entry;
}

bool handle_map_put_new(struct handle_map *map, uint64_t key, uint64_t *value)
{
	struct handle_shard *shard = lock_shard(map, key);
	struct handle_entry *entry = find_or_add(shard, key);
	if (entry && entry->key)
		*value = entry->value;
	else if (entry)
		*entry = (struct handle_entry){.key = key, .value = *value};
	pthread_mutex_unlock(&shard->lock);
	return entry;
}

bool handle_map_take(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	struct handle_shard *shard = lock_shard(map, key);
	struct handle_entry *entry = find(shard, key);
	bool found = entry && entry->key;
	if (found) {
		*out_value = entry->value;
		remove_slot(shard, (uint32_t)(entry - shard->entries));
	}
	pthread_mutex_unlock(&shard->lock);
	return found;
}

bool handle_map_take_own(struct handle_map *map, uint64_t key, uint64_t value)
{
	struct handle_shard *shard = lock_shard(map, key);
	struct handle_entry *entry = find(shard, key);
	bool found = entry && entry->key && entry->value == value;
	if (found)
		remove_slot(shard, (uint32_t)(entry - shard->entries));
	pthread_mutex_unlock(&shard->lock);
	return found;
}

static void leave_all(struct handle_shard *shard, void (*leave)(uint64_t value))
{
	for (uint32_t i = 0; leave && i < shard->n_slots; i++) {
		if (shard->entries[i].key)
			leave(shard->entries[i].value);
	}
}

void handle_map_clear(struct handle_map *map, void (*leave)(uint64_t value))
{
	for (int i = 0; i < HANDLE_MAP_SHARDS; i++) {
		struct handle_shard *shard = &map->shards[i];
		pthread_mutex_lock(&shard->lock);
		if (shard->n_used)
			leave_all(shard, leave);
		if (shard->n_used)
			memset(shard->entries, 0, shard->n_slots * sizeof(*shard->entries));
		shard->n_used = 0;
		pthread_mutex_unlock(&shard->lock);
	}
}
