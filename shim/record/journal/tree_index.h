/*
 * tree_index.h - (parent, what) -> id: the index of a call tree, whose nodes are rows of a table.
 * The slots and their lock are the owner's, who knows how many there are to be and when they are
 * emptied.
 */
#ifndef CULPRIT_RECORD_TREE_INDEX_H
#define CULPRIT_RECORD_TREE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

/* A slot; also what a thread has copied of it. */
struct tree_node {
	uint64_t what; /* an address, or whatever tells the children of one parent apart */
	uint32_t parent;
	uint32_t id; /* 0: a free slot */
};

/* Where the search for a node begins. */
static inline struct tree_node *tree_index_home(struct tree_node *slots, uint64_t n_slots,
						uint32_t parent, uint64_t what)
{
	return &slots[(hash_pair(what, parent) >> 32) % n_slots];
}

/*
 * The slot of the node, or the free one where it belongs. n_slots is a power of two up to 2^32, and
 * one of them is free. Under the owner's lock.
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

/*
 * Fills a free slot. Release: pairs with the acquire load in tree_index_find(). Under the owner's
 * lock.
 */
static inline void tree_index_fill(struct tree_node *slot, uint32_t parent, uint64_t what,
				   uint32_t id)
{
	__atomic_store_n(&slot->what, what, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->parent, parent, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->id, id, __ATOMIC_RELEASE);
}

/*
 * The node's id without the lock, while others fill slots or empty them all; 0: it is not there, or
 * was being added. No id comes twice, so a slot that has the same one before and after was not
 * another's meanwhile.
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
