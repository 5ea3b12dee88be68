/*
 * code_handles.h - the origins of the program's code handles: functions from modules or kernels,
 * kernels and modules from libraries. They show, without asking the driver, which handles end
 * together and which threads ask about them. Handles obtained in ways that we do not see are
 * missing.
 *
 * All functions: with the lock of function_store.c, inside which a handle map's and the arena's are
 * taken.
 */
#ifndef CULPRIT_RECORD_CODE_HANDLES_H
#define CULPRIT_RECORD_CODE_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

/* A node of a tree; the handles obtained from it are below it. */
struct code_handle {
	uint64_t handle;
	struct code_handle *owner; /* NULL: unknown origin */
	struct code_handle *first, *next, *previous;
	uint32_t n_asking; /* threads that are asking the driver about it */
	bool is_ending;    /* a thread is unloading it, and all below it */
};

/* Find a handle; NULL: unknown. */
struct code_handle *code_handles_find(uint64_t handle);

/* The same, but make it if it is unknown; NULL also without memory. */
struct code_handle *code_handles_make(uint64_t handle);

/* Note that the program obtained the handle from that one only. */
void code_handles_derive(uint64_t handle, uint64_t from);

/* True if a thread is unloading it, or what it is from. */
bool code_handles_is_ending(const struct code_handle *code);

/* Return the handle after `code` in the tree of `root`, the first one; NULL: there is none. */
struct code_handle *code_handles_after(const struct code_handle *root,
				       const struct code_handle *code);

/* Return a leaf in the tree of `root`, at last `root` itself; and forget such a leaf. */
struct code_handle *code_handles_leaf(struct code_handle *root);
void code_handles_forget(struct code_handle *leaf);

#endif
