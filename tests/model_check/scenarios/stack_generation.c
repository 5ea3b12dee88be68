/*
 * stack_generation.c - threads capture stacks while a module is unloaded and another one is loaded
 * at its address. The loader, the journal and the walk are the scenario's; stack.c is the real one.
 *
 * A stack has two frames. The outer one is in a module that stays, the inner one in that module or
 * in the one that is replaced. Each thread has captured the latter stack before, but is not in it
 * during the unload.
 *
 * Variants: "reported", where an unload is reported while a thread captures; "two", where two
 * threads do; "found", where they find the unload by the loader's count of loads.
 */
#include "record/stacks/stack.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "model.h"
#include "record/host/arena.h"
#include "record/journal/bundle.h"
#include "record/journal/table.h"
#include "record/stacks/unwind_modules.h"

enum {
	TREE_SLOTS = 1 << 20, /* as in stack.c */
	N_SLOTS = 1 << 12,    /* of the tree, that the nodes need */
	N_CHAINS = 8,         /* of one or two nodes */
	N_CACHES = 2,
	N_WAYS = 16,
	N_RESULTS = 8,
	OUTER = 0,
	STAYING,
	REPLACED,
	N_ADDRESSES,
};
enum module { NO_MODULE, MODULE_STAYING, MODULE_OLD, MODULE_NEW };

/* A stack that a thread has captured. */
struct result {
	uint32_t id;
	uint64_t generation; /* of the kept stack */
};

/* Memory of single threads. It is not static, so the checker does not watch it. */
static struct memory {
	struct stack_cache caches[N_CACHES];
	struct stack_chain chains[N_CACHES];
	struct unwind_state ways[N_WAYS];
	struct result results[N_RESULTS];
	uint32_t n_ways, n_results;
} * memory;

static struct tree_node slots[N_SLOTS];
static uint64_t frames[N_ADDRESSES][3]; /* the address is wherever frame_ip() reads it */

/* The loader. */
static pthread_mutex_t loader_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t replaced = MODULE_OLD; /* atomic, stored under the lock */
static uint32_t n_unloads;             /* under the lock */
static uint64_t n_loads = 1;           /* atomic */
static bool is_entered;                /* atomic: the new module may be called */

/* The journal. */
static uint32_t n_unloads_known; /* to the list of modules; under loader_lock */
static uint32_t n_unloads_asked; /* by loads_have_unloaded(); under loader_lock */
static uint64_t n_gone;          /* atomic */
static struct node {
	uint32_t id; /* 0: free */
	uint32_t parent;
	uint64_t address;
	uint32_t module;
	uint64_t generation; /* when it was added */
} nodes[2 * N_CHAINS];
static uint32_t n_chains;
static uint32_t first_ids[N_CHAINS];
static uint64_t emptied; /* bits of the generations before which the tree was emptied */

const uint64_t *loads_word = &n_loads;

static uint64_t address_of(int which)
{
	return frame_ip(frames[which]);
}

static uint32_t module_at(uint64_t address)
{
	return address == address_of(REPLACED) ? __atomic_load_n(&replaced, __ATOMIC_RELAXED)
					       : MODULE_STAYING;
}

/* As modules.c does after it has asked the loader. Under loader_lock. */
static void read_list(void)
{
	if (n_unloads_known == n_unloads)
		return;
	n_unloads_known = n_unloads;
	__atomic_store_n(&n_gone, n_gone + 1, __ATOMIC_RELEASE);
}

uint64_t modules_gone(void)
{
	return __atomic_load_n(&n_gone, __ATOMIC_ACQUIRE);
}

void modules_unloaded(void)
{
	read_list();
}

void modules_find_all(struct module_location *locations, uint32_t n)
{
	pthread_mutex_lock(&loader_lock);
	read_list();
	for (uint32_t i = 0; i < n; i++)
		locations[i].id = module_at(locations[i].address);
	pthread_mutex_unlock(&loader_lock);
}

bool loads_are_watched(void)
{
	return true;
}

void loads_hold(void (*body)(void *data), void *data)
{
	pthread_mutex_lock(&loader_lock);
	body(data);
	pthread_mutex_unlock(&loader_lock);
}

bool loads_have_unloaded(void)
{
	bool has_unloaded = n_unloads_asked != n_unloads;
	n_unloads_asked = n_unloads;
	return has_unloaded;
}

struct table *bundle_table(enum journal_file kind)
{
	MODEL_CHECK(kind == JOURNAL_STACKS);
	return NULL;
}

uint64_t table_half_turns(const struct table *table)
{
	(void)table;
	return 0;
}

static const struct node *node_of(uint32_t id)
{
	for (int i = 0; i < 2 * N_CHAINS; i++)
		if (nodes[i].id == id)
			return &nodes[i];
	return NULL;
}

/* Called under the tree's lock. */
uint32_t table_append_chain(struct table *table, void *added, uint32_t n, size_t parent_offset,
			    uint32_t parent, uint32_t *out_first)
{
	const struct stack_row *row = added;
	(void)table;
	(void)parent_offset;
	MODEL_CHECK(n <= 2 && n_chains < N_CHAINS);
	*out_first = first_ids[n_chains];
	for (uint32_t i = 0; i < n; i++) {
		nodes[2 * n_chains + i] = (struct node){
			.id = *out_first + i,
			.parent = i ? *out_first : parent,
			.address = row[i].offset,
			.module = row[i].module,
			.generation = stack_generation,
		};
	}
	n_chains++;
	return n;
}

/* Free the tree's pages. Called under its lock. */
int empty_pages(void *start, size_t size, int advice);
int empty_pages(void *start, size_t size, int advice)
{
	MODEL_CHECK(start == slots && size == TREE_SLOTS * sizeof(slots[0]));
	MODEL_CHECK(advice == MADV_DONTNEED && stack_generation < 63);
	for (int i = 0; i < 2 * N_CHAINS; i++) {
		if (nodes[i].id)
			tree_index_empty(tree_index_home(slots, TREE_SLOTS, nodes[i].parent,
							 nodes[i].address),
					 1);
	}
	emptied |= 1ull << (stack_generation + 1);
	return 0;
}

void *arena_alloc(size_t size)
{
	if (size == TREE_SLOTS * sizeof(slots[0]))
		return slots;
	return memory->n_ways < N_WAYS ? &memory->ways[memory->n_ways++] : NULL;
}

void unwind_forget(struct unwind_state *state, uint64_t generation, struct unwind_work *work)
{
	state->generation = generation;
	state->n_frames = state->n_known = 0;
	state->work = work;
	state->frames = state->few;
	state->words = state->few_words;
}

/*
 * Return the module that the replaced address is in by the thread's rules of this generation. No
 * rule is kept while no module is there.
 */
static uint32_t module_by_rules(struct unwind_work *work)
{
	if (!work->rules[0].ip) {
		uint32_t module = module_at(address_of(REPLACED));
		work->rules[0].ip = module;
		work->rules[0].cfa_offset = (frame_cfa_offset)module;
	}
	return (uint32_t)work->rules[0].cfa_offset;
}

/* Walk a stack of two frames. A value on the stack looks like a return address of the module. */
void unwind_walk(struct unwind_state *state, const struct unwind_point *from)
{
	struct unwind_frame *frame = state->frames;
	uint32_t module = module_by_rules(state->work);
	MODEL_CHECK(from->ip != address_of(REPLACED) || module == module_at(from->ip));
	state->n_known = state->n_frames ? 1 + (frame[1].at.ip == from->ip) : 0;
	state->n_frames = 2;
	frame[0].at.ip = address_of(OUTER);
	frame[1].at = *from;
	state->is_certain = true;
	state->from_ip = from->ip;
	state->from_sp = from->sp;
}

/* Capture a stack whose inner frame is in this module now. */
static void capture(int thread, int which, enum module module)
{
	struct stack_cache *cache = &memory->caches[thread];
	struct unwind_point caller = unwind_caller(frames[which]);
	uint32_t id = stack_capture(cache, frames[which]);
	const struct node *inner = id ? node_of(id) : NULL;
	MODEL_CHECK(inner && inner->address == address_of(which) && inner->module == module);
	MODEL_CHECK(node_of(inner->parent)->address == address_of(OUTER));
	MODEL_CHECK(memory->n_results < N_RESULTS);
	memory->results[memory->n_results++] = (struct result){
		.id = id,
		.generation = (*stack_set_of(cache, &caller, 0))->generation,
	};
}

static void capture_and_enter(int thread)
{
	capture(thread, STAYING, MODULE_STAYING);
	if (__atomic_load_n(&is_entered, __ATOMIC_ACQUIRE))
		capture(thread, REPLACED, MODULE_NEW);
}

static void capture_and_enter_first(void)
{
	capture_and_enter(0);
}

static void capture_and_enter_second(void)
{
	capture_and_enter(1);
}

static void enter_first(void)
{
	capture(0, REPLACED, MODULE_NEW);
}

static void enter_second(void)
{
	capture(1, REPLACED, MODULE_NEW);
}

static void unload(void)
{
	pthread_mutex_lock(&loader_lock);
	n_unloads++;
	__atomic_store_n(&replaced, NO_MODULE, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&loader_lock);
}

static void load(void)
{
	pthread_mutex_lock(&loader_lock);
	__atomic_store_n(&replaced, MODULE_NEW, __ATOMIC_RELAXED);
	__atomic_store_n(&n_loads, 2, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&loader_lock);
}

static void replace(void)
{
	unload();
	stack_module_unloaded();
	load();
	__atomic_store_n(&is_entered, true, __ATOMIC_RELEASE);
}

static bool has_slot(uint32_t parent, uint64_t address)
{
	return (hash_pair(address, parent) >> 32) % TREE_SLOTS < N_SLOTS;
}

/*
 * Choose addresses and ids whose nodes belong into the first slots of the tree. Do this once, since
 * it takes time: before the checker starts, which must not see it.
 */
static __attribute__((constructor, no_sanitize_thread)) void prepare(void)
{
	/* With many different bits, so that their slots have nothing in common. */
	uint64_t addresses[N_ADDRESSES] = {0x155555555555, 0x123456789abc, 0x2fedcba98765};
	uint32_t id = 0;
	memory = mmap(NULL, sizeof(*memory), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	while (!has_slot(0, addresses[OUTER]))
		addresses[OUTER]++;
	for (int i = 0; i < N_ADDRESSES; i++)
		frames[i][0] = frames[i][1] = frames[i][2] = addresses[i];
	for (int i = 0; i < N_CHAINS; i++) {
		do
			id += 2;
		while (!has_slot(id, addresses[STAYING]) || !has_slot(id, addresses[REPLACED]));
		first_ids[i] = id;
	}
}

void scenario_setup(const char *variant)
{
	*memory = (struct memory){0};
	stack_start(true);
	for (int i = 0; i < N_CACHES; i++) {
		memory->caches[i].chain = &memory->chains[i];
		capture(i, REPLACED, MODULE_OLD);
	}
	if (strcmp(variant, "found") == 0) {
		unload();
		load();
		model_thread(enter_first);
		model_thread(enter_second);
		return;
	}
	model_thread(replace);
	model_thread(capture_and_enter_first);
	if (strcmp(variant, "two") == 0)
		model_thread(capture_and_enter_second);
}

static bool is_emptied_between(uint64_t generation, uint64_t later)
{
	uint64_t up_to_later = (2ull << later) - 1;
	return emptied & up_to_later & ~((2ull << generation) - 1);
}

/*
 * A kept stack has no id of a tree that was emptied before its generation. A node has no parent in
 * an earlier tree, and one row in each tree.
 */
void scenario_end(void)
{
	for (uint32_t i = 0; i < memory->n_results; i++) {
		const struct result *result = &memory->results[i];
		MODEL_CHECK(
			!is_emptied_between(node_of(result->id)->generation, result->generation));
	}
	for (int i = 0; i < 2 * N_CHAINS; i++) {
		const struct node *parent = nodes[i].parent ? node_of(nodes[i].parent) : &nodes[i];
		MODEL_CHECK(!is_emptied_between(parent->generation, nodes[i].generation));
		for (int other = 0; other < i && nodes[i].id; other++)
			MODEL_CHECK(
				nodes[i].address != nodes[other].address ||
				is_emptied_between(nodes[other].generation, nodes[i].generation));
	}
}
