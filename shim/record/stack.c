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
#include "hot.h"
#include "modules.h"
#include "python_stack.h"
#include "stack_check.h"
#include "thread.h"

enum {
	/* Twice the nodes that the file has room for: what finds no row takes no slot either. */
	TREE_SLOTS = 1 << 21,
	MAX_ATTEMPTS = 8, /* of one stack, while other threads unload modules all the time */
};

static READ_MOSTLY enum stack_source source; /* written at start only */

static_assert(sizeof(struct thread) <= 26 << 10, "a host may have thousands of threads");

/*
 * The call tree's index: (parent, address) -> node id. Guarded by tree_lock, under which the locks
 * of modules and tables are taken; emptied when a generation begins. The nodes themselves are rows
 * of the stacks table and stay.
 */
static pthread_mutex_t tree_lock = PTHREAD_MUTEX_INITIALIZER;
static struct stack_node *tree;
static READ_MOSTLY uint64_t generation = 1; /* atomic; raised under tree_lock */
static uint64_t n_gone;                     /* modules_gone() when the tree was last emptied */

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

/* Addresses so small are enum stack_end bits; code has none of them. Under tree_lock. */
static struct stack_row row_of(uint32_t parent, uint64_t address)
{
	struct stack_row row = {.parent = parent, .module = STACK_END, .offset = address};
	uint64_t bias;
	if (address < N_STACK_ENDS)
		return row;
	row.module = modules_find(address, &bias);
	row.offset = address - bias;
	return row;
}

/*
 * Begins a new generation, with an empty index if known addresses may mean something else: gives
 * its pages back. Under tree_lock.
 */
static void raise_generation(void)
{
	uint64_t gone = modules_gone();
	if (gone != n_gone)
		(void)madvise(tree, TREE_SLOTS * sizeof(*tree), MADV_DONTNEED);
	n_gone = gone;
	/* Pairs with the acquire load in newest_generation(). */
	__atomic_store_n(&generation, generation + 1, __ATOMIC_RELEASE);
}

/*
 * The node's id, written to the journal if it is new; 0 when there is no room. Where modules turn
 * out to be gone a new generation begins: what this stack has so far may be of them. Under
 * tree_lock.
 */
static uint32_t child_of(uint32_t parent, uint64_t address, bool *out_is_void)
{
	struct stack_node *slot = find_slot(parent, address);
	if (slot->address)
		return slot->id;
	struct stack_row row = row_of(parent, address);
	if (modules_gone() != n_gone) {
		raise_generation();
		*out_is_void = true;
		return 0;
	}
	uint32_t id = table_append(bundle_table(JOURNAL_STACKS), &row, 1);
	if (id)
		*slot = (struct stack_node){.address = address, .parent = parent, .id = id};
	return id;
}

/* The same from the thread's copy, which takes no lock. */
static uint32_t cached_child_of(struct stack_cache *cache, uint32_t parent, uint64_t address)
{
	struct stack_node *node = &cache->nodes[hash_node(parent, address) % STACK_NODES];
	if (node->address == address && node->parent == parent)
		return node->id;
	pthread_mutex_lock(&tree_lock);
	uint32_t id = child_of(parent, address, &cache->is_void);
	pthread_mutex_unlock(&tree_lock);
	*node = (struct stack_node){.address = address, .parent = parent, .id = id};
	return id;
}

/* Not the 0 at a stack's bottom, nor damage that would look like enum stack_end bits. */
static bool is_code(const struct unwind_frame *frame)
{
	return frame->at.ip >= N_STACK_ENDS;
}

/* The id of what is outside of frames[index]. False: that found no room itself. */
static bool find_parent(struct stack_cache *cache, const struct unwind_state *state, uint32_t index,
			uint32_t *out_parent)
{
	const struct unwind_frame *outer = index ? &state->frames[index - 1] : NULL;
	bool is_inner = outer && is_code(outer);
	if (is_inner)
		*out_parent = outer->id;
	else
		*out_parent = state->end ? cached_child_of(cache, 0, state->end) : 0;
	return *out_parent || (!is_inner && !state->end);
}

/*
 * Gives the frames that are new their ids. Where the tree had no room the id is 0, also for all
 * frames further in: then the outer part is the answer, right as far as it goes.
 */
static uint32_t fold(struct stack_cache *cache, struct unwind_state *state)
{
	for (uint32_t i = state->n_known; i < state->n_frames; i++) {
		struct unwind_frame *frame = &state->frames[i];
		uint32_t parent;
		bool has_place = find_parent(cache, state, i, &parent) && is_code(frame);
		frame->id = has_place ? cached_child_of(cache, parent, frame->at.ip) : 0;
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
	uint32_t end = STACK_END_BORROWED;
	if (n_frames == UNWIND_FRAMES)
		end |= STACK_END_LIMIT;
	if (first < n_frames)
		unwind_adopt(state, frames + first, (uint32_t)(n_frames - first), end);
	else
		unwind_adopt(state, &caller, 1, end | STACK_END_NO_RULES);
}

/* Forgets what the thread keeps, and what it keeps of this way, of another generation. */
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

static uint64_t newest_generation(void)
{
	/* Pairs with the release store in raise_generation(). */
	return __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}

/* Memory for one more kept stack, all zero; all of it is touched at once. */
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

/* The kept stack that is most like the one of this caller; NULL: no memory. */
static HOT struct unwind_state *way_of(struct stack_cache *cache, const struct unwind_point *caller)
{
	uint64_t key = (caller->ip * 0xff51afd7ed558ccdull ^ caller->rsp) * 0x9e3779b97f4a7c15ull;
	struct unwind_state **place = &cache->ways[(key >> 40) % STACK_WAYS];
	if (!*place)
		*place = make_way(cache);
	return *place;
}

/*
 * The way is to become the stack that is there now: its id. Kept apart, since most stacks are as
 * they were.
 */
static __attribute__((noinline)) uint32_t walk(struct stack_cache *cache, struct unwind_state *way,
					       const struct unwind_point *caller)
{
	cache->is_void = true;
	for (int i = 0; i < MAX_ATTEMPTS && cache->is_void; i++) {
		begin_generation(cache, way, newest_generation());
		cache->is_void = false;
		if (stack_source() != STACK_OWN || unwind_walk(way, caller) != 0)
			borrow_walk(way, (void *)(uintptr_t)caller->ip);
		way->id = fold(cache, way);
	}
	return cache->is_void ? 0 : way->id;
}

HOT uint32_t stack_capture(struct thread *thread, const void *frame)
{
	struct stack_cache *cache = &thread->stacks;
	if (stack_source() == STACK_OFF)
		return 0;
	/* The entry point has a frame pointer: its caller's rbp and return address sit there. */
	const uint64_t *saved = frame;
	struct unwind_point caller = {
		.ip = saved[1], .rsp = (uintptr_t)(saved + 2), .rbp = saved[0]};
	struct unwind_state *way = way_of(cache, &caller);
	if (!way)
		return python_stack_join(&cache->python, 0);
	bool is_same = way->generation == newest_generation() && unwind_is_same(way, &caller);
	uint32_t native = is_same ? way->id : walk(cache, way, &caller);
	if (stack_check_is_due(&cache->n_stacks) && !cache->is_void)
		stack_check(&caller, native);
	return python_stack_join(&cache->python, native);
}

void stack_module_unloaded(void)
{
	if (stack_source() == STACK_OFF)
		return;
	modules_unloaded();
	pthread_mutex_lock(&tree_lock);
	/* In any case: rules may be of modules that no stack's frames have named. */
	raise_generation();
	pthread_mutex_unlock(&tree_lock);
}
