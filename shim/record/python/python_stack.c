/*
 * python_stack.c - turn a thread's Python frames into a stack id. The last stack is kept: frames
 * that are still there keep their ids, and only the others are looked up.
 */
#include "record/python/python_stack.h"

#include <stddef.h>
#include <string.h>

#include "base/hash.h"
#include "base/hot.h"
#include "record/host/arena.h"
#include "record/python/python.h"
#include "record/python/python_codes.h"
#include "record/python/python_parts.h"
#include "record/python/python_walk.h"

/* Direct-mapped caches; powers of two. USUAL_FRAMES is a depth that stacks seldom exceed. */
enum { CACHED_CODES = 128, CACHED_FRAMES = 512, CACHED_JOINS = 128, USUAL_FRAMES = 256 };

/* In ids[]: this frame and those further in found no room in the journal. */
#define NO_ID UINT32_MAX

struct cached_code {
	const void *code;
	uint32_t id;
};

/* A frame that runs at `place`, called by the frame `parent`. It fills half a line of 64 bytes. */
struct cached_frame {
	struct python_location location;
	uint32_t parent;
	uint32_t id; /* 0: free */
} __attribute__((aligned(32)));

struct cached_join {
	uint32_t native, python, id; /* python 0: free */
};

/* The members read for an unchanged stack come first, up to the innermost frames. */
struct python_cache {
	uint64_t generation; /* of code objects; another one invalidates everything below */
	uint32_t id;         /* of the whole stack, as in ids[] */
	struct python_chain stack;
	uint32_t ids[1 + PYTHON_FRAMES]; /* the stack's frames' ids in python-frames */
	struct cached_code codes[CACHED_CODES];
	struct cached_frame frames[CACHED_FRAMES];
	struct cached_join joins[CACHED_JOINS];
};

static COLD struct python_cache *make_cache(struct python_cache **location)
{
	struct python_cache *cache = arena_alloc(sizeof(*cache));
	*location = cache;
	if (cache) {
		/* This much is used soon; faulting it in page by page would cost more. */
		struct python_chain *stack = &cache->stack;
		arena_populate(cache,
			       (size_t)((char *)&stack->frames[USUAL_FRAMES] - (char *)cache));
		arena_populate(stack->fresh, USUAL_FRAMES * sizeof(stack->fresh[0]));
		arena_populate(cache->ids, USUAL_FRAMES * sizeof(cache->ids[0]));
		arena_populate(cache->codes, (size_t)((char *)(cache + 1) - (char *)cache->codes));
	}
	return cache;
}

/* Facts by a code object's address are void now, and ids of frames may be. */
static void begin_generation(struct python_cache *cache, uint64_t now)
{
	cache->generation = now;
	cache->stack.n = 0;
	memset(cache->codes, 0, sizeof(cache->codes));
	memset(cache->frames, 0, sizeof(cache->frames));
	memset(cache->joins, 0, sizeof(cache->joins));
}

/* Return 0 if there is no room, or if it is not a code object. */
static uint32_t code_id(const struct python *python, struct python_cache *cache, const void *code)
{
	/* Python's objects are at multiples of 16. */
	struct cached_code *known = &cache->codes[(uintptr_t)code / 16 % CACHED_CODES];
	if (known->code == code)
		return known->id;
	if (!python_is_code(python, code))
		return 0;
	*known = (struct cached_code){code, python_codes_id(python, code)};
	return known->id;
}

/* Return the id of a frame that runs this code, from the journal. */
static uint32_t new_frame_id(const struct python *python, uint32_t parent, uint32_t code,
			     const struct python_location *location)
{
	if (!python_location_is_whole(python, location))
		return parent;
	uint32_t id = python_tree_frame(parent, code, python_location_position(python, location));
	return id ? id : NO_ID;
}

/*
 * Return the id of a frame called by `parent`; its caller's id if it is not shown to a person.
 * While the code objects are the same, the same place under `parent` has the same id.
 */
static uint32_t frame_id(const struct python *python, struct python_cache *cache, uint32_t parent,
			 const struct python_location *location)
{
	if (parent == NO_ID)
		return NO_ID;
	uint64_t key = hash_pair(location->code ^ location->at << 17, parent) >> 32;
	struct cached_frame *known = &cache->frames[key % CACHED_FRAMES];
	if (known->id && known->parent == parent &&
	    python_location_is_same(&known->location, location))
		return known->id;
	uint32_t code = code_id(python, cache, python_location_code(location));
	if (!code) /* the code is not watched either */
		return NO_ID;
	*known = (struct cached_frame){*location, parent,
				       new_frame_id(python, parent, code, location)};
	return known->id;
}

/* Return the id that stands for the callers that were left out. */
static uint32_t cut_id(void)
{
	uint32_t id = python_tree_frame(0, 0, 0);
	return id ? id : NO_ID;
}

/* Return the id of the innermost frame; 0 without one, NO_ID if there is no room for it. */
static uint32_t fold(const struct python *python, struct python_cache *cache, size_t n_common)
{
	const struct python_chain *stack = &cache->stack;
	if (!n_common)
		cache->ids[0] = stack->is_cut ? cut_id() : 0;
	for (size_t i = n_common; i < stack->n; i++)
		cache->ids[i + 1] =
			frame_id(python, cache, cache->ids[i], &stack->frames[i + 1].location);
	return cache->ids[stack->n];
}

static HOT uint32_t capture(const struct python *python, struct python_cache *cache,
			    const void *thread)
{
	uint64_t now = python_codes_generation();
	if (cache->generation != now)
		begin_generation(cache, now);
	size_t n_before = cache->stack.n;
	size_t n_common = python_walk(python, thread, &cache->stack);
	if (UNLIKELY(!n_common) || n_common != n_before || n_common != cache->stack.n)
		cache->id = fold(python, cache, n_common);
	/* A frame without an id is not watched: its address may mean something else next time. */
	if (UNLIKELY(cache->id == NO_ID)) {
		cache->stack.n = 0;
		return 0;
	}
	return cache->id;
}

/* Find the join if the Python stack is not the last one of this native stack. */
static HOT __attribute__((noinline)) struct python_join find_join(struct python_cache *cache,
								  uint32_t native, uint32_t python)
{
	uint32_t key = (native ^ python * 0x85ebca6bu) * 0x9e3779b1u;
	struct cached_join *known = &cache->joins[(key >> 16) % CACHED_JOINS];
	if (known->native != native || known->python != python)
		*known = (struct cached_join){native, python, python_tree_join(native, python)};
	return (struct python_join){
		.python = python, .id = known->id, .generation = (uint32_t)cache->generation};
}

static HOT uint32_t join(struct python_cache *cache, uint32_t native, uint32_t python,
			 struct python_join *last)
{
	if (LIKELY(last->python == python) &&
	    LIKELY(last->generation == (uint32_t)cache->generation))
		return last->id ? last->id : native;
	*last = find_join(cache, native, python);
	return last->id ? last->id : native;
}

HOT uint32_t python_stack_take(const struct python *python, struct python_cache **cache,
			       uint32_t native, struct python_join *last)
{
	struct python_join none = {0};
	/* Prefetch where the walk will start, while the interpreter is asked. */
	if (LIKELY(*cache))
		__builtin_prefetch(&(*cache)->stack.frames[(*cache)->stack.n]);
	const void *thread = python->thread_state();
	if (!thread || python->is_finalizing() || !(*cache || make_cache(cache)))
		return native;
	uint32_t id = capture(python, *cache, thread);
	return id ? join(*cache, native, id, last ? last : &none) : native;
}
