/*
 * python_tree.c - the indexes of the trees: (parent, what) -> id. The nodes are rows of the
 * journal's tables.
 */
#include "python_tree.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "bundle.h"

enum { FIRST_SLOTS = 1 << 10 };

struct node {
	uint64_t what; /* of a frame: its code and position; of a joint: the Python stack */
	uint32_t parent;
	uint32_t id; /* 0: a free slot */
};

struct tree {
	pthread_mutex_t
		lock; /* guards the rest; the locks of tables and arena are taken under it */
	struct node *slots;
	uint32_t n_slots; /* 0 or a power of two */
	uint32_t n_used;  /* fewer than n_slots, at most half of them while there is memory */
};

static struct tree frames = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct tree joins = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The slot of the node, or the free one where it belongs. Under the lock. */
static struct node *find_slot(const struct tree *tree, uint32_t parent, uint64_t what)
{
	uint64_t key = (what ^ (parent * 0xff51afd7ed558ccdull)) * 0x9e3779b97f4a7c15ull;
	uint64_t slot = (key >> 32) % tree->n_slots;
	while (tree->slots[slot].id &&
	       (tree->slots[slot].what != what || tree->slots[slot].parent != parent))
		slot = (slot + 1) % tree->n_slots;
	return &tree->slots[slot];
}

/* Makes room for one more: twice the slots. The old ones stay with the arena. Under the lock. */
static bool has_room(struct tree *tree)
{
	if (tree->n_used < tree->n_slots / 2)
		return true;
	struct tree larger = {.n_slots = tree->n_slots ? 2 * tree->n_slots : FIRST_SLOTS};
	larger.slots = arena_alloc(larger.n_slots * sizeof(*larger.slots));
	if (!larger.slots)
		return tree->n_used + 1 < tree->n_slots;
	for (uint32_t i = 0; i < tree->n_slots; i++) {
		const struct node *node = &tree->slots[i];
		if (node->id)
			*find_slot(&larger, node->parent, node->what) = *node;
	}
	tree->slots = larger.slots;
	tree->n_slots = larger.n_slots;
	return true;
}

/* Appends the row and remembers it as the node; 0 when there is no room. Under the lock. */
static uint32_t add_node(struct tree *tree, uint32_t parent, uint64_t what, enum journal_file kind,
			 const void *row)
{
	if (!has_room(tree))
		return 0;
	uint32_t id = table_append(bundle_table(kind), row, 1);
	if (!id)
		return 0;
	*find_slot(tree, parent, what) = (struct node){.what = what, .parent = parent, .id = id};
	tree->n_used++;
	return id;
}

/* The id of the node; of a new one that of `row`, appended to the table. */
static uint32_t node_id(struct tree *tree, uint32_t parent, uint64_t what, enum journal_file kind,
			const void *row)
{
	pthread_mutex_lock(&tree->lock);
	uint32_t id = tree->n_slots ? find_slot(tree, parent, what)->id : 0;
	if (!id)
		id = add_node(tree, parent, what, kind, row);
	pthread_mutex_unlock(&tree->lock);
	return id;
}

uint32_t python_tree_frame(uint32_t parent, uint32_t code, uint32_t position)
{
	struct python_frame_row row = {.parent = parent, .code = code, .position = position};
	return node_id(&frames, parent, (uint64_t)code << 32 | position, JOURNAL_PYTHON_FRAMES,
		       &row);
}

uint32_t python_tree_join(uint32_t native, uint32_t python)
{
	struct stack_row row = {.parent = native, .module = STACK_PYTHON, .offset = python};
	return node_id(&joins, native, python, JOURNAL_STACKS, &row);
}
