/*
 * python_tree.c - the trees, each with an index that grows. Children of a frame differ by code and
 * position; children of a native stack differ by the Python stack.
 */
#include "record/python/python_parts.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "record/host/arena.h"
#include "record/journal/bundle.h"
#include "record/journal/tree_index.h"
#include "record/python/python_codes.h"

enum { FIRST_SLOTS = 1 << 10 };

struct tree {
	pthread_mutex_t
		lock; /* guards the rest; the locks of tables and arena are taken under it */
	struct tree_node *slots;
	uint32_t n_slots;    /* 0 or a power of two */
	uint32_t n_used;     /* fewer than n_slots, at most half of them while there is memory */
	uint64_t half_turns; /* of the table, when the index was last emptied */
};

static struct tree frames = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct tree joins = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Under the lock. */
static struct tree_node *find_slot(const struct tree *tree, uint32_t parent, uint64_t what)
{
	return tree_index_slot(tree->slots, tree->n_slots, parent, what);
}

/* Make room for one more by doubling the slots. Old slots stay in the arena. Under the lock. */
static bool has_room(struct tree *tree)
{
	if (tree->n_used < tree->n_slots / 2)
		return true;
	struct tree larger = {.n_slots = tree->n_slots ? 2 * tree->n_slots : FIRST_SLOTS};
	larger.slots = arena_alloc(larger.n_slots * sizeof(*larger.slots));
	if (!larger.slots)
		return tree->n_used + 1 < tree->n_slots;
	for (uint32_t i = 0; i < tree->n_slots; i++) {
		const struct tree_node *node = &tree->slots[i];
		if (node->id)
			*find_slot(&larger, node->parent, node->what) = *node;
	}
	tree->slots = larger.slots;
	tree->n_slots = larger.n_slots;
	return true;
}

/* Append the row and remember it as the node; return 0 without room. Under the lock. */
static uint32_t add_node(struct tree *tree, uint32_t parent, uint64_t what, enum journal_file kind,
			 const void *row)
{
	if (!has_room(tree))
		return 0;
	uint32_t id = table_append(bundle_table(kind), row, 1);
	if (!id)
		return 0;
	*find_slot(tree, parent, what) =
		(struct tree_node){.what = what, .parent = parent, .id = id};
	tree->n_used++;
	return id;
}

/* If half of the table was filled since, forget its rows: they must not be found after reuse. */
static void follow_turns(struct tree *tree, enum journal_file kind)
{
	uint64_t half_turns = table_half_turns(bundle_table(kind));
	if (tree->half_turns == half_turns)
		return;
	tree->half_turns = half_turns;
	tree->n_used = 0;
	if (tree->n_slots)
		memset(tree->slots, 0, tree->n_slots * sizeof(*tree->slots));
	python_codes_begin_generation();
}

/* Return the id of the node; for a new one, append `row` to the table. */
static uint32_t node_id(struct tree *tree, uint32_t parent, uint64_t what, enum journal_file kind,
			const void *row)
{
	pthread_mutex_lock(&tree->lock);
	follow_turns(tree, kind);
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
