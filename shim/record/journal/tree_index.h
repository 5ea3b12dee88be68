/*
 * tree_index.h - the index of a call tree: a map from (parent, what) to id. The tree's nodes are
 * rows of a table. The owner keeps the slots and their lock, chooses their number and empties them.
 */
#ifndef CULPRIT_RECORD_TREE_INDEX_H
#define CULPRIT_RECORD_TREE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

/* A slot, or a thread's copy of one. */
struct tree_node {
	uint64_t what; /* an address, or another value that distinguishes one parent's children */
	uint32_t parent;
	uint32_t id; /* 0 if the slot is free */
};

/* Return where the search for a node starts. */
static inline struct tree_node *tree_index_home(struct tree_node *slots, uint64_t n_slots,
						uint32_t parent, uint64_t what)
{
	return &slots[(hash_pair(what, parent) >> 32) % n_slots];
}

/*
 * Return the slot of the node, or the free slot where it belongs. n_slots is a power of two up to
 * 2^32, and at least one slot is free. Under the owner's lock.
 */
static inline struct tree_node *tree_index_slot(struct tree_node *slots, uint64_t n_slots,
						uint32_t parent, uint64_t what)
{
	uint64_t at = hash_pair(what, parent) >> 32;
	struct tree_node *slot = &slots[at % n_slots];
	while (slot->id && (slot->what != what || slot->parent != parent))
		slot = &slots[++at % n_slots];
	return slot;
}

/* Free all slots. Under the owner's lock. */
static inline void tree_index_empty(struct tree_node *slots, uint64_t n_slots)
{
	for (uint64_t i = 0; i < n_slots; i++)
		__atomic_store_n(&slots[i].id, 0, __ATOMIC_RELAXED);
}

/* Fill a free slot. The release pairs with the acquire load in tree_index_find(). Under the owner's
 * lock. */
static inline void tree_index_fill(struct tree_node *slot, uint32_t parent, uint64_t what,
				   uint32_t id)
{
	/* A reader that sees the new node sees that the slot was emptied before. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&slot->what, what, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->parent, parent, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->id, id, __ATOMIC_RELEASE);
}

/*
 * Return the node's id without the lock, while other threads fill slots or empty them all. Return 0
 * if it is missing or was just being added. No id is used twice, so a slot that has the same id
 * before and after has held one node throughout.
 */
static inline uint32_t tree_index_find(const struct tree_node *slots, uint64_t n_slots,
				       uint32_t parent, uint64_t what)
{
	uint64_t at = hash_pair(what, parent) >> 32;
	for (;; at++) {
		const struct tree_node *slot = &slots[at % n_slots];
		uint32_t id = __atomic_load_n(&slot->id, __ATOMIC_ACQUIRE);
		if (!id)
			return 0;
		bool is_it = __atomic_load_n(&slot->what, __ATOMIC_RELAXED) == what &&
			     __atomic_load_n(&slot->parent, __ATOMIC_RELAXED) == parent;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (is_it)
			return __atomic_load_n(&slot->id, __ATOMIC_RELAXED) == id ? id : 0;
	}
}

#endif
