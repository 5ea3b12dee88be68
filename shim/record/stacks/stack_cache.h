/*
 * stack_cache.h - a thread's cache, which makes its next stack cheap. It has the frames of recent
 * stacks, and recently used call-tree nodes, which are found without the lock of the tree.
 */
#ifndef CULPRIT_RECORD_STACK_CACHE_H
#define CULPRIT_RECORD_STACK_CACHE_H

#include <stdint.h>

#include "base/journal_format.h"
#include "record/journal/modules.h"
#include "record/journal/tree_index.h"
#include "record/stacks/unwind.h"

struct python_cache;

/*
 * A program that loops returns to the same few dozen stacks, so older stacks are worth as much as
 * the last. They are kept by the caller's location (address and stack pointer) and the kernel, and
 * each is verified against itself. A training step of PyTorch took 1.13 times as long as without
 * recording with one stack for all, and 1.08 with 32 by the location alone (H200 host, no markers).
 * But PyTorch's launches all come from one function of the runtime, many of different operators
 * from the same depth, and some of the same operator. So each set has a few stacks, the last one
 * first. With 32 sets a bfloat16 step of PyTorch found 137 of 260 stacks after another one of their
 * set, each of which was verified first (H200 host).
 */
enum {
	STACK_SETS = 96, /* as many as fit on the thread's first page */
	STACK_SET = 4,
	STACK_WAYS = STACK_SET * STACK_SETS,
	STACK_NODES = 256,
	STACK_CHAIN = 64, /* new nodes that are added while the tree's lock is taken once */
};

/* Frames that are new to the tree, from the outermost on, while they are being added. */
struct stack_chain {
	struct module_location locations[STACK_CHAIN];
	struct stack_row rows[STACK_CHAIN];
	uint32_t ids[STACK_CHAIN];
};

struct stack_cache {
	uint64_t generation; /* of the call tree; another one invalidates everything here */
	bool is_void;      /* modules were unloaded during the last walk, so its stack has no id */
	uint32_t n_stacks; /* number taken, if some are checked */
	struct python_cache *python;           /* see python_stack.h */
	struct unwind_state *last;             /* the last stack's; NULL: none */
	struct unwind_state *next;             /* what came after it the time before; NULL: none */
	struct unwind_state *ways[STACK_WAYS]; /* kept stacks, set by set; NULL until needed */
	struct unwind_state first;             /* the first one, which is always needed */
	bool is_first_taken;
	struct unwind_work work;             /* shared by all of them */
	struct tree_node nodes[STACK_NODES]; /* direct-mapped; nodes that were found again */
	struct stack_chain *chain;           /* NULL until needed, or if memory is short */
};

#endif
