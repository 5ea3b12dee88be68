/*
 * code_handles.h - from where the program has its handles of code: functions from modules or from
 * kernels, kernels and modules from libraries. So it is known without the driver what goes with
 * what, and who is asking about it. Handles that came by a way that we do not see are not here.
 *
 * All: the lock of function_store.c held, under which that of a handle map and the arena's are
 * taken.
 */
#ifndef CULPRIT_RECORD_CODE_HANDLES_H
#define CULPRIT_RECORD_CODE_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

/* Of a tree: what was got from it is below it. */
struct code_handle {
	uint64_t handle;
	struct code_handle *owner; /* NULL: from nothing that is known */
	struct code_handle *first, *next, *previous;
	uint32_t n_asking; /* threads that ask the driver about it */
	bool is_ending;    /* a thread unloads it, and all below it */
};

/* NULL: not known. */
struct code_handle *code_handles_find(uint64_t handle);

/* The same, made if it was not known; NULL also without memory. */
struct code_handle *code_handles_make(uint64_t handle);

/* The program has got the handle from that one, and no other. */
void code_handles_derive(uint64_t handle, uint64_t from);

/* Does it end, or what it is from? */
bool code_handles_is_ending(const struct code_handle *code);

/* The one that follows in the tree of `root`, which itself is the first; NULL: there is none. */
struct code_handle *code_handles_after(const struct code_handle *root,
				       const struct code_handle *code);

/* What nothing is below in the tree of `root`, in the end that itself; and forgets such a one. */
struct code_handle *code_handles_leaf(struct code_handle *root);
void code_handles_forget(struct code_handle *leaf);

#endif
