/*
 * tree_index.c - a thread empties the index of a call tree and fills it again, while another one
 * searches it without the lock.
 */
#include "record/journal/tree_index.h"

#include "model.h"

enum { N_SLOTS = 2, OLD = 1, NEW = 2 };

static struct tree_node slots[N_SLOTS];
static uint64_t old_what;
static uint64_t new_what; /* belongs into the same slot */

static void fill(uint64_t what, uint32_t id)
{
	tree_index_fill(tree_index_slot(slots, N_SLOTS, 0, what), 0, what, id);
}

static void refill(void)
{
	tree_index_empty(slots, N_SLOTS);
	fill(new_what, NEW);
}

static void find(void)
{
	uint32_t id = tree_index_find(slots, N_SLOTS, 0, new_what);
	MODEL_CHECK(id == 0 || id == NEW);
}

static void find_old(void)
{
	uint32_t id = tree_index_find(slots, N_SLOTS, 0, old_what);
	MODEL_CHECK(id == 0 || id == OLD);
}

void scenario_setup(const char *variant)
{
	(void)variant;
	for (new_what = 1; tree_index_home(slots, N_SLOTS, 0, new_what) !=
			   tree_index_home(slots, N_SLOTS, 0, old_what);)
		new_what++;
	fill(old_what, OLD);
	model_thread(refill);
	model_thread(find);
	model_thread(find_old);
}

void scenario_end(void)
{
	MODEL_CHECK(tree_index_find(slots, N_SLOTS, 0, new_what) == NEW);
}
