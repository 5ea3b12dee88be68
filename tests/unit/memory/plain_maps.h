/*
 * plain_maps.h - the maps of handles as one list, which a test can read and change. No lock may be
 * held when a map is used.
 */
#ifndef CULPRIT_TESTS_PLAIN_MAPS_H
#define CULPRIT_TESTS_PLAIN_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct handle_map;

enum { PLAIN_KEYS = 64 };

extern struct plain_maps {
	int n_locks;   /* held, of those that replace the C library's (--wrap) */
	bool is_short; /* memory: new keys are refused */
	struct {
		const struct handle_map *map;
		uint64_t key, value; /* key 0: free */
	} entries[PLAIN_KEYS];
} plain_maps;

#endif
