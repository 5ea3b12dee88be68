/*
 * tree_index.h - (parent, what) -> id: the index of a call tree, whose nodes are rows of a table.
 * The slots and their lock are the owner's, who knows how many there are to be and when they are
 * emptied.
 */
#ifndef CULPRIT_RECORD_TREE_INDEX_H
#define CULPRIT_RECORD_TREE_INDEX_H

#include <stdint.h>

#include "base/hash.h"

/* A slot; also what a thread has copied of it. */
struct tree_node {
	uint64_t what; /* an address, or whatever tells the children of one parent apart */
	uint32_t parent;
	uint32_t id; /* 0: a free slot */
};

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

#endif
