/*
 * stack.c - captures return addresses with a borrowed unwinder and folds them into the call tree.
 * (The unwinder of our own comes behind the same interface.)
 */
#include "stack.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "arena.h"
#include "bundle.h"
#include "cancellation.h"
#include "modules.h"
#include "thread.h"

enum {
	MAX_FRAMES = 128,     /* the outer frames of deeper stacks are left out */
	TREE_SLOTS = 1 << 21, /* twice the nodes that the file has room for */
};

typedef int (*unwind_function)(void **frames, int size);

static enum stack_source source; /* written at start only, as is unwind */
static unwind_function unwind;

/*
 * The call tree's index: (parent, address) -> node id. Guarded by tree_lock, under which the locks
 * of modules and tables are taken; emptied when a generation begins. The nodes themselves are rows
 * of the stacks table and stay.
 */
struct tree_slot {
	uint64_t address; /* 0: free */
	uint32_t parent;
	uint32_t id;
};
static pthread_mutex_t tree_lock = PTHREAD_MUTEX_INITIALIZER;
static struct tree_slot *tree;
static uint32_t n_nodes;
static uint64_t generation = 1; /* atomic; raised under tree_lock */

/*
 * libunwind's fast walk, from a private copy of the library: as a needed library of a preloaded
 * one it would take over the C++ exceptions of the whole program.
 */
static unwind_function load_libunwind(void)
{
	void *library = dlopen("libunwind.so.8", RTLD_LAZY | RTLD_LOCAL);
	void *symbol = library ? dlsym(library, "unw_backtrace") : NULL;
	unwind_function function;
	memcpy(&function, &symbol, sizeof(function));
	return function;
}

void stack_start(bool is_wanted)
{
	if (!is_wanted)
		return;
	tree = arena_alloc(TREE_SLOTS * sizeof(*tree));
	if (!tree)
		return;
	unwind = load_libunwind();
	enum stack_source found = unwind ? STACK_LIBUNWIND : STACK_BACKTRACE;
	if (!unwind)
		unwind = backtrace;
	/* The first walk loads and allocates; better here than in a launch. */
	void *frames[4];
	(void)unwind(frames, 4);
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
		[STACK_LIBUNWIND] = "libunwind",
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
static struct tree_slot *find_slot(uint32_t parent, uint64_t address)
{
	uint64_t slot = hash_node(parent, address) % TREE_SLOTS;
	while (tree[slot].address && (tree[slot].address != address || tree[slot].parent != parent))
		slot = (slot + 1) % TREE_SLOTS;
	return &tree[slot];
}

/* The node's id, written to the journal if it is new; 0 when there is no room. Under tree_lock. */
static uint32_t child_of(uint32_t parent, uint64_t address)
{
	struct tree_slot *slot = find_slot(parent, address);
	if (slot->address || n_nodes == TREE_SLOTS / 2)
		return slot->id;
	uint64_t bias;
	struct stack_row row = {.parent = parent};
	row.module = modules_find(address, &bias);
	row.offset = address - bias;
	uint32_t id = table_append(bundle_table(JOURNAL_STACKS), &row, 1);
	if (id) {
		*slot = (struct tree_slot){.address = address, .parent = parent, .id = id};
		n_nodes++;
	}
	return id;
}

static uint32_t fold(void *const *frames, uint32_t n_frames)
{
	uint32_t id = 0;
	pthread_mutex_lock(&tree_lock);
	for (uint32_t i = n_frames; i-- > 0;) {
		uint32_t child = child_of(id, (uintptr_t)frames[i]);
		if (!child)
			break; /* No room: the outer part is right as far as it goes. */
		id = child;
	}
	pthread_mutex_unlock(&tree_lock);
	return id;
}

static struct cached_stack *cache_entry(struct stack_cache *cache, void *const *frames, uint32_t n)
{
	uintptr_t hash = 0;
	for (uint32_t i = 0; i < n; i++)
		hash = (hash ^ (uintptr_t)frames[i]) * 0x9e3779b97f4a7c15ull;
	return &cache->entries[(hash >> 32) % STACK_CACHE];
}

static uint32_t look_up(struct stack_cache *cache, void *const *frames, uint32_t n)
{
	struct cached_stack *entry = cache_entry(cache, frames, n);
	uint64_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
	if (entry->generation == now && entry->n_frames == n &&
	    memcmp(entry->frames, frames, n * sizeof(*frames)) == 0)
		return entry->id;
	uint32_t id = fold(frames, n);
	if (n <= STACK_CACHE_FRAMES) {
		memcpy(entry->frames, frames, n * sizeof(*frames));
		entry->n_frames = n;
		entry->id = id;
		entry->generation = now;
	}
	return id;
}

uint32_t stack_capture(struct thread *thread, const void *frame)
{
	void *frames[MAX_FRAMES];
	if (stack_source() == STACK_OFF)
		return 0;
	/* libunwind asks the kernel about new pages, by reads and writes of a pipe. */
	int cancellation = cancellation_hold();
	int n_frames = unwind(frames, MAX_FRAMES);
	cancellation_restore(cancellation);
	/* The entry point has a frame pointer: its return address sits next to it. */
	void *caller = ((void *const *)frame)[1];
	int first = 0;
	while (first < n_frames && frames[first] != caller)
		first++;
	if (first >= n_frames)
		return look_up(&thread->stacks, &caller, 1);
	return look_up(&thread->stacks, frames + first, (uint32_t)(n_frames - first));
}

/* Zeroes the index by giving its pages back. Under tree_lock. */
static void empty_tree(void)
{
	(void)madvise(tree, TREE_SLOTS * sizeof(*tree), MADV_DONTNEED);
	n_nodes = 0;
}

void stack_module_unloaded(void)
{
	if (stack_source() == STACK_OFF || !modules_unloaded())
		return;
	pthread_mutex_lock(&tree_lock);
	empty_tree();
	__atomic_store_n(&generation, generation + 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&tree_lock);
}
