/*
 * stack_cache.h - what one thread keeps so that its next stack costs little: the frames of some it
 * had lately, and call-tree nodes it used lately, found without the lock of the tree.
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
 * A program that loops comes back to the same few dozen stacks, so that the one before last is
 * worth as much as the last: kept by the caller's place (address and stack pointer) and the kernel,
 * each is verified against itself. With one for all, a training step of PyTorch took 1.13
 * times as long as without culprit's recording, with 32 by the place alone 1.08 (H200 host, no
 * markers). But PyTorch's launches all come from one function of the runtime, many of different
 * operators from the same depth, and some of the same one. So there are a few of each, the last one
 * in front. With 32 places a bfloat16 step of PyTorch found 137 of 260 stacks behind another one of
 * theirs, each of which was verified first (H200 host).
 */
enum {
	STACK_SETS = 96, /* as many as fit on the thread's first page */
	STACK_SET = 4,
	STACK_WAYS = STACK_SET * STACK_SETS,
	STACK_NODES = 256,
	STACK_CHAIN = 64, /* new nodes that are added with the tree's lock taken once */
};

/* Frames that are new to the tree, from the outermost one on; while they are being added. */
struct stack_chain {
	struct module_place places[STACK_CHAIN];
	struct stack_row rows[STACK_CHAIN];
	uint32_t ids[STACK_CHAIN];
};

struct stack_cache {
	uint64_t generation; /* of the call tree; another one makes all of it void */
	uint64_t n_emptied;  /* how often the tree had been, when the last stack was walked */
	bool is_void;      /* modules went while the last stack was walked, which has no id then */
	uint32_t n_stacks; /* taken, where some are checked */
	struct python_cache *python;           /* see python_stack.h */
	struct unwind_state *ways[STACK_WAYS]; /* set by set; NULL until needed */
	struct unwind_state first;             /* of the ways: one is always needed */
	bool is_first_taken;
	struct unwind_work work;             /* of all ways */
	struct tree_node nodes[STACK_NODES]; /* direct-mapped; those that were met again */
	struct stack_chain *chain;           /* NULL until needed, or without memory */
};

#endif
