/*
 * simcuda_abi.h - what a kernel compiled for the host and the simulated driver know of each other.
 * A kernel file exports one description per kernel and per device variable; the driver finds them
 * by the names simcuda_kernel_<name> and simcuda_global_<name>.
 */
#ifndef SIMCUDA_ABI_H
#define SIMCUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised by kernel code itself; memory faults need no help, they come as signals. */
enum simcuda_fault {
	SIMCUDA_FAULT_ASSERT,
	SIMCUDA_FAULT_TRAP,
};

struct simcuda_dim {
	unsigned x, y, z;
};

/*
 * The simulated hardware thread, seen from kernel code. One exists per worker of the driver, which
 * changes the indexes from one simulated thread to the next; only that worker touches it.
 * The functions must be called with the alignment check off (simcuda_kernel.h sees to it).
 */
struct simcuda_thread {
	struct simcuda_dim thread_index, block_index, block_dim, grid_dim;
	void *dynamic_shared;                    /* ends at a guard page */
	int check_alignment;                     /* misaligned accesses shall fault */
	void (*raise)(enum simcuda_fault fault); /* does not return */
	void (*checkpoint)(void); /* does not return once the process has failed elsewhere */
	void (*sync_threads)(void);
	void (*sleep_ns)(uint64_t duration_ns);
	uint64_t (*now_ns)(void);
};

/* offsets and sizes are those of the kernel's parameter buffer, as the GPU lays it out. */
struct simcuda_kernel {
	const char *name;
	void (*invoke)(const struct simcuda_thread *self, void **params);
	size_t n_params;
	const size_t *offsets, *sizes;
	size_t params_size; /* offset + size of the last parameter */
	int max_threads;    /* per block */
};

struct simcuda_global {
	const char *name;
	void *address;
	size_t size;
};

#ifdef __cplusplus
}
#endif

#endif
