/*
 * stack.c - captures return addresses and folds them into the call tree. The walk is our own
 * (unwind.h); where a frame takes more than that, or the loader is too old for it, glibc's is
 * borrowed. Not libunwind's, which is faster: it keeps a pipe to ask the kernel about memory, so
 * that a host that has closed all descriptors finds its own files read, written and closed.
 */
#include "stack.h"

#include <assert.h>
#include <execinfo.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "arena.h"
#include "bundle.h"
#include "modules.h"
#include "thread.h"

enum {
	TREE_SLOTS = 1 << 21, /* twice the nodes that the file has room for */
};

static enum stack_source source; /* written at start only */

static_assert(sizeof(struct thread) <= 24 << 10, "a host may have thousands of threads");

/*
 * The call tree's index: (parent, address) -> node id. Guarded by tree_lock, under which the locks
 * of modules and tables are taken; emptied when a generation begins. The nodes themselves are rows
 * of the stacks table and stay.
 */
static pthread_mutex_t tree_lock = PTHREAD_MUTEX_INITIALIZER;
static struct stack_node *tree;
static uint32_t n_nodes;
static uint64_t generation = 1; /* atomic; raised under tree_lock */

void stack_start(bool is_wanted)
{
	if (!is_wanted)
		return;
	tree = arena_alloc(TREE_SLOTS * sizeof(*tree));
	if (!tree)
		return;
	/* glibc's first walk loads and allocates; better here than in a launch. */
	void *frames[4];
	(void)backtrace(frames, 4);
	enum stack_source found = unwind_rules_start() ? STACK_OWN : STACK_BACKTRACE;
	__atomic_store_n(&source, found, __ATOMIC_RELEASE);
}

enum stack_source stack_source(void)
{
	return __atomic_load_n(&source, __ATOMIC_ACQUIRE);
}

const char *stack_source_name(void)
{
	static const char *const names[] = {
		[STACK_OFF] = "off",
		[STACK_OWN] = "own",
		[STACK_BACKTRACE] = "backtrace",
	};
	return names[stack_source()];
}

static uint64_t hash_node(uint32_t parent, uint64_t address)
{
	uint64_t key = (address ^ (parent * 0xff51afd7ed558ccdull)) * 0x9e3779b97f4a7c15ull;
	return key >> 40;
}

/* The slot of the node, or the free one where it belongs. Under tree_lock. */
static struct stack_node *find_slot(uint32_t parent, uint64_t address)
{
	uint64_t slot = hash_node(parent, address) % TREE_SLOTS;
	while (tree[slot].address && (tree[slot].address != address || tree[slot].parent != parent))
		slot = (slot + 1) % TREE_SLOTS;
	return &tree[slot];
}

/* The node's id, written to the journal if it is new; 0 when there is no room. Under tree_lock. */
static uint32_t child_of(uint32_t parent, uint64_t address)
{
	struct stack_node *slot = find_slot(parent, address);
	if (slot->address || n_nodes == TREE_SLOTS / 2)
		return slot->id;
	uint64_t bias;
	struct stack_row row = {.parent = parent};
	row.module = modules_find(address, &bias);
	row.offset = address - bias;
	uint32_t id = table_append(bundle_table(JOURNAL_STACKS), &row, 1);
	if (id) {
		*slot = (struct stack_node){.address = address, .parent = parent, .id = id};
		n_nodes++;
	}
	return id;
}

/* The same from the thread's copy, which takes no lock. */
static uint32_t cached_child_of(struct stack_cache *cache, uint32_t parent, uint64_t address)
{
	struct stack_node *node = &cache->nodes[hash_node(parent, address) % STACK_NODES];
	if (node->address == address && node->parent == parent)
		return node->id;
	pthread_mutex_lock(&tree_lock);
	uint32_t id = child_of(parent, address);
	pthread_mutex_unlock(&tree_lock);
	*node = (struct stack_node){.address = address, .parent = parent, .id = id};
	return id;
}

/*
 * Gives the frames that are new their ids. Where the tree had no room the id is 0, also for all
 * frames further in: then the outer part is the answer, right as far as it goes.
 */
static uint32_t fold(struct stack_cache *cache)
{
	struct unwind_state *state = &cache->unwind;
	for (uint32_t i = state->n_known; i < state->n_frames; i++) {
		struct unwind_frame *frame = &state->frames[i];
		const struct unwind_frame *outer = i ? frame - 1 : NULL;
		bool has_place = !outer || outer->id || !outer->at.ip;
		uint32_t parent = outer ? outer->id : 0;
		frame->id = has_place && frame->at.ip ? cached_child_of(cache, parent, frame->at.ip)
						      : 0;
	}
	uint32_t innermost = state->n_frames;
	while (innermost && !state->frames[innermost - 1].id)
		innermost--;
	return innermost ? state->frames[innermost - 1].id : 0;
}

/* Kept apart for its large frame: the host's threads may have little stack. */
static __attribute__((noinline)) void borrow_walk(struct unwind_state *state, void *caller)
{
	void *frames[UNWIND_FRAMES];
	int n_frames = backtrace(frames, UNWIND_FRAMES);
	int first = 0;
	while (first < n_frames && frames[first] != caller)
		first++;
	if (first < n_frames)
		unwind_adopt(state, frames + first, (uint32_t)(n_frames - first));
	else
		unwind_adopt(state, &caller, 1);
}

static void begin_generation(struct stack_cache *cache)
{
	uint64_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
	if (cache->generation == now)
		return;
	unwind_forget(&cache->unwind, now);
	memset(cache->nodes, 0, sizeof(cache->nodes));
	cache->generation = now;
}

uint32_t stack_capture(struct thread *thread, const void *frame)
{
	struct stack_cache *cache = &thread->stacks;
	enum stack_source from = stack_source();
	if (from == STACK_OFF)
		return 0;
	begin_generation(cache);
	/* The entry point has a frame pointer: its caller's rbp and return address sit there. */
	const uint64_t *saved = frame;
	struct unwind_point caller = {
		.ip = saved[1], .rsp = (uintptr_t)(saved + 2), .rbp = saved[0]};
	if (from != STACK_OWN || unwind_walk(&cache->unwind, &caller) != 0)
		borrow_walk(&cache->unwind, ((void *const *)frame)[1]);
	return fold(cache);
}

/* Zeroes the index by giving its pages back. Under tree_lock. */
static void empty_tree(void)
{
	(void)madvise(tree, TREE_SLOTS * sizeof(*tree), MADV_DONTNEED);
	n_nodes = 0;
}

void stack_module_unloaded(void)
{
	if (stack_source() == STACK_OFF)
		return;
	bool is_gone = modules_unloaded();
	pthread_mutex_lock(&tree_lock);
	if (is_gone)
		empty_tree();
	/* In any case: rules may be of modules that no stack's frames have named. */
	__atomic_store_n(&generation, generation + 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&tree_lock);
}
