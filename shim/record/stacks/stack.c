/*
 * stack.c - capture return addresses and fold them into the call tree. The walk is our own
 * (unwind.h), and stops where it lacks knowledge. glibc's believes all that it finds in a stack.
 * libunwind's has a pipe: if the host closes all descriptors, it uses the host's own files.
 */
#include "record/stacks/stack.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "base/hot.h"
#include "record/files/meta.h"
#include "record/host/arena.h"
#include "record/journal/bundle.h"
#include "record/journal/modules.h"
#include "record/journal/tree_index.h"
#include "record/python/python_stack.h"
#include "record/stacks/loads.h"
#include "record/stacks/stack_cache.h"
#include "record/stacks/stack_check.h"
#include "record/stacks/unwind_modules.h"

enum {
	/* Twice the nodes that half of the file has room for: then the index is emptied. */
	TREE_SLOTS = 1 << 20,
	MAX_ATTEMPTS = 8, /* per stack, while other threads unload modules all the time */
};

static enum stack_source source; /* written at start only */

/*
 * The call tree's index: (parent, address) -> node id. Nodes are looked up without a lock, and
 * added under tree_lock, under which the table's lock is taken. A new generation empties the index.
 * The nodes themselves are rows of the stacks table and stay until the table has turned.
 */
static pthread_mutex_t tree_lock = PTHREAD_MUTEX_INITIALIZER;
static struct tree_node *tree;
READ_MOSTLY uint64_t stack_generation = 1; /* raised under tree_lock */
static uint64_t tree_generation;           /* the first since the tree was last emptied */
static uint64_t n_gone;                    /* modules_gone() at that time */
static uint64_t half_turns;                /* of the file at that time */
static uint64_t settled_loads; /* atomic, set under tree_lock: loads_now() at last settle() */

void stack_start(bool is_wanted)
{
	tree = is_wanted ? arena_alloc(TREE_SLOTS * sizeof(*tree)) : NULL;
	if (!tree)
		return;
	unwind_modules_start();
	loads_start();
	unwind_memory_start();
	__atomic_store_n(&source, STACK_OWN, __ATOMIC_RELEASE);
	meta_note(META_STACK_SOURCE, "own");
}

enum stack_source stack_source(void)
{
	return __atomic_load_n(&source, __ATOMIC_ACQUIRE);
}

/* Free the pages; the kernel rejects that if the host has locked them. Under tree_lock. */
static void empty_tree(void)
{
	if (madvise(tree, TREE_SLOTS * sizeof(*tree), MADV_DONTNEED) != 0)
		tree_index_empty(tree, TREE_SLOTS);
}

/*
 * Start a new generation. Empty the index, freeing its pages, if known addresses may mean something
 * else, or if rows of known nodes will soon be used again. Under tree_lock.
 */
static void raise_generation(void)
{
	uint64_t gone = modules_gone();
	uint64_t turns = table_half_turns(bundle_table(JOURNAL_STACKS));
	uint64_t next = stack_generation + 1;
	if (gone != n_gone || turns != half_turns) {
		empty_tree();
		tree_generation = next;
	}
	n_gone = gone;
	half_turns = turns;
	/* Pairs with the acquire load in take_anew(), after which the tree is seen as emptied. */
	__atomic_store_n(&stack_generation, next, __ATOMIC_RELEASE);
}

/* Use the thread's copy, or the tree; return 0 if it is not in the tree. Takes no lock. */
static uint32_t known_child_of(struct stack_cache *cache, uint32_t parent, uint64_t address)
{
	struct tree_node *node = &cache->nodes[(hash_pair(address, parent) >> 40) % STACK_NODES];
	if (node->what == address && node->parent == parent)
		return node->id;
	uint32_t id = tree_index_find(tree, TREE_SLOTS, parent, address);
	if (id)
		*node = (struct tree_node){.what = address, .parent = parent, .id = id};
	return id;
}

/*
 * True if what the thread found is outdated. Start a generation if modules were unloaded or half of
 * the file was filled: this stack may contain these modules, or the other half. Under tree_lock.
 */
static bool is_outdated(const struct stack_cache *cache)
{
	if (modules_gone() != n_gone ||
	    table_half_turns(bundle_table(JOURNAL_STACKS)) != half_turns)
		raise_generation();
	return cache->generation < tree_generation;
}

/* Append the rows from `first` on, as children of `parent`, to the journal and to the tree. */
static void append_chain(struct stack_chain *chain, uint32_t first, uint32_t n, uint32_t parent)
{
	uint32_t id = 0;
	uint32_t n_added =
		table_append_chain(bundle_table(JOURNAL_STACKS), &chain->rows[first], n - first,
				   offsetof(struct stack_row, parent), parent, &id);
	for (uint32_t i = 0; i < n_added; i++)
		__builtin_prefetch(tree_index_home(tree, TREE_SLOTS, i ? id + i - 1 : parent,
						   chain->locations[first + i].address));
	for (uint32_t i = 0; i < n_added; i++, id++) {
		uint64_t address = chain->locations[first + i].address;
		chain->ids[first + i] = id;
		tree_index_fill(tree_index_slot(tree, TREE_SLOTS, parent, address), parent, address,
				id);
		parent = id;
	}
}

/* Add the chain. Another thread may have added its outer nodes since. Under tree_lock. */
static void add_chain(struct stack_chain *chain, uint32_t n, uint32_t parent)
{
	for (uint32_t i = 0; i < n; i++, parent = chain->ids[i - 1]) {
		uint64_t address = chain->locations[i].address;
		chain->ids[i] = tree_index_slot(tree, TREE_SLOTS, parent, address)->id;
		if (!chain->ids[i]) {
			append_chain(chain, i, n, parent);
			return;
		}
	}
}

/* Addresses this small are enum stack_end bits; code never has them. */
static void describe_chain(struct stack_chain *chain, uint32_t n)
{
	if (chain->locations[0].address >= N_STACK_ENDS)
		modules_find_all(chain->locations, n);
	else
		chain->locations[0].id = STACK_END;
	for (uint32_t i = 0; i < n; i++)
		chain->rows[i] = (struct stack_row){
			.module = chain->locations[i].id,
			.offset = chain->locations[i].address - chain->locations[i].bias,
		};
}

/* Fill in the ids of a chain of n addresses, each the child of the one before; 0: no room. */
static void add_children(struct stack_cache *cache, uint32_t parent, uint32_t n)
{
	struct stack_chain *chain = cache->chain;
	describe_chain(chain, n);
	memset(chain->ids, 0, n * sizeof(chain->ids[0]));
	pthread_mutex_lock(&tree_lock);
	cache->is_void = is_outdated(cache);
	if (!cache->is_void) {
		add_chain(chain, n, parent);
		cache->is_void = is_outdated(cache); /* the chain began in the other half */
	}
	pthread_mutex_unlock(&tree_lock);
}

static bool has_chain(struct stack_cache *cache)
{
	if (!cache->chain)
		cache->chain = arena_alloc(sizeof(*cache->chain));
	return cache->chain;
}

/* Return the node of a stack's end. */
static uint32_t end_node(struct stack_cache *cache, uint32_t end)
{
	uint32_t id = known_child_of(cache, 0, end);
	if (id || !has_chain(cache))
		return id;
	cache->chain->locations[0] = (struct module_location){.address = end};
	add_children(cache, 0, 1);
	return cache->chain->ids[0];
}

/* Exclude the 0 at a stack's bottom, and damage that would look like enum stack_end bits. */
static bool is_code(const struct unwind_frame *frame)
{
	return frame->at.ip >= N_STACK_ENDS;
}

/* Find the id of the part outside frames[index]. Return false if that part found no room. */
static bool find_parent(struct stack_cache *cache, const struct unwind_state *state, uint32_t index,
			uint32_t *out_parent)
{
	const struct unwind_frame *outer = index ? &state->frames[index - 1] : NULL;
	bool is_inner = outer && is_code(outer);
	uint32_t end = !is_inner && state->end ? end_node(cache, state->end) : 0;
	*out_parent = is_inner ? outer->id : end;
	return *out_parent || (!is_inner && !state->end);
}

/* Add the frame and the frames further in, which are then new too: at most one chain. */
static uint32_t add_frames(struct stack_cache *cache, struct unwind_state *state, uint32_t from,
			   uint32_t parent)
{
	struct stack_chain *chain = cache->chain;
	uint32_t n = 0;
	while (n < STACK_CHAIN && from + n < state->n_frames && is_code(&state->frames[from + n])) {
		chain->locations[n] =
			(struct module_location){.address = state->frames[from + n].at.ip};
		n++;
	}
	add_children(cache, parent, n);
	for (uint32_t i = 0; i < n; i++)
		state->frames[from + i].id = chain->ids[i];
	return from + n;
}

/* Set the frame's id. If it is new, also set those further in. Return the next index. */
static uint32_t fold_frame(struct stack_cache *cache, struct unwind_state *state, uint32_t index)
{
	struct unwind_frame *frame = &state->frames[index];
	frame->id = 0;
	uint32_t parent = 0;
	if (!find_parent(cache, state, index, &parent) || !is_code(frame))
		return index + 1;
	frame->id = known_child_of(cache, parent, frame->at.ip);
	if (frame->id || !has_chain(cache))
		return index + 1;
	return add_frames(cache, state, index, parent);
}

/*
 * Set the ids of new frames. If the tree has no room, the id is 0, also for all frames further in.
 * The outer part is then the answer, right as far as it goes.
 */
static uint32_t fold(struct stack_cache *cache, struct unwind_state *state)
{
	for (uint32_t i = state->n_known; i < state->n_frames && !cache->is_void;)
		i = fold_frame(cache, state, i);
	uint32_t innermost = state->n_frames;
	while (innermost && !state->frames[innermost - 1].id)
		innermost--;
	return innermost ? state->frames[innermost - 1].id : 0;
}

/* If the thread's cache or this way is of another generation, forget its contents. */
static void begin_generation(struct stack_cache *cache, struct unwind_state *way, uint64_t now)
{
	if (cache->generation != now) {
		memset(cache->work.rules, 0, sizeof(cache->work.rules));
		memset(cache->nodes, 0, sizeof(cache->nodes));
		cache->generation = now;
	}
	if (way->generation != now)
		unwind_forget(way, now, &cache->work);
}

/* Find out whether a load replaced something. NULL: after an unload. Under the loader's lock. */
static COLD void settle(void *data)
{
	const uint64_t *loads = data;
	pthread_mutex_lock(&tree_lock);
	bool has_unloaded = (!loads || *loads != settled_loads) && loads_have_unloaded();
	/* Do this in any case: rules may be of modules that no stack's frames have named. */
	if (has_unloaded || !loads) {
		modules_unloaded();
		raise_generation();
	}
	if (loads)
		__atomic_store_n(&settled_loads, *loads, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&tree_lock);
}

/* Allocate one more kept stack, all zero; all of it is touched soon. */
static COLD struct unwind_state *make_way(struct stack_cache *cache)
{
	if (!cache->is_first_taken) {
		cache->is_first_taken = true;
		return &cache->first;
	}
	struct unwind_state *way = arena_alloc(sizeof(*way));
	if (way)
		arena_populate(way, sizeof(*way));
	return way;
}

/* Walk the current stack. If it ends at generated code, that code may be in a module after the next
 * load. */
static void renew(struct unwind_state *way, const struct unwind_point *caller, uint64_t stamp)
{
	if (way->stamp != stamp && way->end & STACK_END_NO_MODULE)
		way->is_partial = true;
	unwind_walk(way, caller);
	way->stamp = stamp;
	if (way->end & STACK_END_NO_MODULE && !loads_are_watched()) {
		way->is_certain = false;
		way->is_partial = true;
	}
}

/*
 * Make the way hold the current stack. After a void attempt, frames lack ids or have outdated ones.
 * The way's generation is then before tree_generation, which this thread has read under tree_lock.
 * So each later attempt reads a newer one and sets all ids.
 */
static void take_anew(struct stack_cache *cache, struct unwind_state *way,
		      const struct unwind_point *caller)
{
	cache->is_void = true;
	for (int i = 0; i < MAX_ATTEMPTS && cache->is_void; i++) {
		uint64_t loads = loads_now();
		/* Pairs with the release store in settle(). */
		if (loads != __atomic_load_n(&settled_loads, __ATOMIC_ACQUIRE))
			loads_hold(settle, &loads);
		/* Pairs with the release store in raise_generation(). */
		uint64_t now = __atomic_load_n(&stack_generation, __ATOMIC_ACQUIRE);
		begin_generation(cache, way, now);
		cache->is_void = false;
		renew(way, caller, now + loads);
		way->id = fold(cache, way);
		way->join = (struct python_join){0};
	}
}

/*
 * Move one way to the front of its set: the way that has the stack, else a new one, else the
 * oldest. Return it if it has the stack. The front is NULL if memory is short.
 */
static struct unwind_state *choose_way(struct stack_cache *cache, struct unwind_state **set,
				       const struct unwind_point *caller)
{
	int chosen = set[0] != NULL; /* the front one does not match */
	while (chosen < STACK_SET - 1 && set[chosen] && !stack_is_in(set[chosen], caller))
		chosen++;
	if (!set[chosen])
		set[chosen] = make_way(cache);
	if (!set[chosen] && chosen)
		chosen--;
	struct unwind_state *way = set[chosen];
	memmove(set + 1, set, (size_t)chosen * sizeof(*set));
	set[0] = way;
	return stack_is_in(way, caller) ? way : NULL;
}

/* Not inline, since most stacks are unchanged. */
__attribute__((noinline)) struct unwind_state *stack_walk(struct stack_cache *cache,
							  const void *frame, uint64_t purpose)
{
	struct unwind_point caller = unwind_caller(frame);
	struct unwind_state **place = stack_set_of(cache, &caller, purpose);
	cache->is_void = true;
	if (stack_source() == STACK_OFF)
		return NULL;
	struct unwind_state *way =
		stack_is_in(cache->next, &caller) ? cache->next : choose_way(cache, place, &caller);
	if (way) {
		cache->is_void = false;
		return way;
	}
	if (*place)
		take_anew(cache, *place, &caller);
	python_discover();
	return cache->is_void ? NULL : *place;
}

COLD void stack_compare(struct stack_cache *cache, const void *frame, uint32_t stack)
{
	struct unwind_point caller = unwind_caller(frame);
	if (!cache->is_void)
		stack_check(&caller, stack);
}

uint32_t stack_capture(struct stack_cache *cache, const void *frame)
{
	return stack_capture_hot(cache, frame, 0);
}

void stack_module_unloaded(void)
{
	if (stack_source() != STACK_OFF)
		loads_hold(settle, NULL);
}

void stack_thread_finished(struct stack_cache *cache)
{
	cache->work.memory = (struct unwind_memory){0};
	for (int i = 0; i < STACK_WAYS; i++) {
		if (cache->ways[i])
			cache->ways[i]->generation = cache->ways[i]->stamp = 0;
	}
}
