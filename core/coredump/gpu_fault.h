/*
 * gpu_fault.h - summary of the fault in a GPU core dump: the grids whose warps faulted, the code
 * that they ran, and other exceptions. Its size is fixed, so that a failing process can make it.
 * Any thread.
 */
#ifndef CULPRIT_COREDUMP_GPU_FAULT_H
#define CULPRIT_COREDUMP_GPU_FAULT_H

#include "coredump/gpu_coredump.h"
#include "coredump/gpu_image.h"

enum { GPU_FAULT_MAX_GRIDS = 8, GPU_FAULT_MAX_LOCATIONS = 8 };

/* One location on the GPU where something faulted. */
struct gpu_location {
	uint32_t exception; /* GPU_EXCEPTION_NONE: a trap */
	uint32_t device;    /* row */
	uint64_t pc;        /* 0: unknown */
	struct gpu_code code;
	bool is_data; /* pc is known and outside all code of the dump; only set for grids */
	bool has_thread;
	uint32_t block[3];
	uint32_t thread[3];
};

/* A grid with a warp that faulted. */
struct gpu_fault_grid {
	struct gpu_grid grid;
	const char *kernel;           /* mangled name; "": unknown */
	struct gpu_location location; /* the first one in the file, which cuda-gdb shows */
};

/*
 * Strings and parameters point into the dump. Invariant: everything that faulted belongs to one of
 * the grids or places, or is_partial is set.
 */
struct gpu_fault {
	uint32_t exceptions; /* a bit for each code seen */
	bool has_trap;       /* a warp was stopped by a trap, which has no exception */
	uint32_t n_grids;
	struct gpu_fault_grid grids[GPU_FAULT_MAX_GRIDS];
	/*
	 * SMs with an exception without its warp, so only the code is known. Omitted if it is the
	 * code of a grid above.
	 */
	uint32_t n_locations;
	struct gpu_location locations[GPU_FAULT_MAX_LOCATIONS];
	bool is_partial; /* something faulted whose grid and code are both unknown */
	uint32_t time;   /* of the dump, in seconds since 1970; 0: unknown */
};

/* Summarise a dump, whose bytes must outlive *out. */
void gpu_fault_read(const struct gpu_coredump *dump, struct gpu_fault *out);

#endif
