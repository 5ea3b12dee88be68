/*
 * gpu_fault.h - what a GPU core dump says about the fault: which grids had warps that faulted, at
 * which code, and what else was going wrong. A digest of fixed size, so that it can be made in a
 * failing process. Any thread.
 */
#ifndef CULPRIT_VERDICT_GPU_FAULT_H
#define CULPRIT_VERDICT_GPU_FAULT_H

#include "verdict/coredump/gpu_coredump.h"
#include "verdict/coredump/gpu_image.h"

enum { GPU_FAULT_MAX_GRIDS = 8, GPU_FAULT_MAX_PLACES = 8 };

/* One place on the GPU where something faulted. */
struct gpu_place {
	uint32_t exception; /* GPU_EXCEPTION_NONE: a trap */
	uint32_t device;    /* row */
	uint64_t pc;        /* 0 unknown */
	struct gpu_code code;
	bool is_data; /* pc is known, and in no code of the dump; asked of grids' places only */
	bool has_thread;
	uint32_t block[3];
	uint32_t thread[3];
};

/* A grid of which a warp faulted. */
struct gpu_fault_grid {
	struct gpu_grid grid;
	const char *kernel;     /* mangled name, "" unknown */
	struct gpu_place place; /* the first in the file's order, as cuda-gdb shows it */
};

/*
 * Strings and parameters point into the dump. Invariant: what faulted is of one of the grids, or at
 * one of the places, or is_partial is set.
 */
struct gpu_fault {
	uint32_t exceptions; /* a bit for each code seen; see gpu_fault_has */
	bool has_trap;       /* a warp was stopped by a trap, which has no exception */
	uint32_t n_grids;
	struct gpu_fault_grid grids[GPU_FAULT_MAX_GRIDS];
	/* SMs with an exception whose warp has gone: only the code is known. Not listed where the
	 * code is that of a grid above. */
	uint32_t n_places;
	struct gpu_place places[GPU_FAULT_MAX_PLACES];
	bool is_partial; /* something faulted of which neither grid nor code is known */
	uint32_t time;   /* of the dump, seconds since 1970; 0 unknown */
};

/* Digests a dump, whose bytes must outlive *out. */
void gpu_fault_read(const struct gpu_coredump *dump, struct gpu_fault *out);

#endif
