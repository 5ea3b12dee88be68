/*
 * context_case.h - a driver with contexts, and the recorder's parts that contexts.c calls: its
 * memory, its rows and its map. Each call adds to the trace; "[" and "]" are locks.
 */
#ifndef CULPRIT_TESTS_CONTEXT_CASE_H
#define CULPRIT_TESTS_CONTEXT_CASE_H

#include "record/streams/contexts.h"

enum { N_CONTEXTS = 16, DEVICE = 3, MS = 1000 * 1000 };

extern struct context_case {
	/* The driver's answers. */
	CUcontext current;
	bool has_no_current, has_no_push, has_no_device, has_no_name, has_no_id;
	CUdevice_attribute refused; /* with its value, 0: none */
	int can_access, by_host, is_by_mps;
	CUdevice device;
	/* The recorder's. */
	struct context contexts[N_CONTEXTS];
	struct context_row rows[N_CONTEXTS + 1]; /* by id */
	uint32_t n_contexts, n_rows;
	bool has_no_memory, has_no_rows, has_no_map;
	uint64_t keys[N_CONTEXTS], values[N_CONTEXTS]; /* the map; 0: free */
	uint64_t now_ns, step_ns;
	unsigned n_yields;      /* left until the user lets go */
	struct context *in_use; /* by that user */
} context_case;

/* Begin without contexts, as far as contexts.c has none of its own. */
void context_case_start(void);

CUcontext context_handle(uintptr_t number);

/* Return the index of the key in the map; 0 finds a free one. */
uint32_t context_slot(uint64_t key);

#endif
