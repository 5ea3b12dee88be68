/*
 * simcuda_abi.h - the interface between the simulated driver and kernels compiled for the host. A
 * kernel file exports a description of each kernel and each device variable. The driver finds them
 * by the names simcuda_kernel_<name> and simcuda_global_<name>.
 */
#ifndef SIMCUDA_ABI_H
#define SIMCUDA_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Faults that kernel code raises itself. Memory faults arrive as signals. */
enum simcuda_fault {
	SIMCUDA_FAULT_ASSERT,
	SIMCUDA_FAULT_TRAP,
};

struct simcuda_dim {
	unsigned x, y, z;
};

/*
 * The simulated hardware thread, seen from kernel code. Each worker of the driver has one and
 * updates its indexes from one simulated thread to the next; no other thread touches it.
 * The functions must be called with the alignment check off (simcuda_kernel.h does this).
 */
struct simcuda_thread {
	struct simcuda_dim thread_index, block_index, block_dim, grid_dim;
	void *dynamic_shared;                    /* ends at a guard page */
	int check_alignment;                     /* make misaligned accesses fault */
	void (*raise)(enum simcuda_fault fault); /* does not return */
	/* Does not return. Called by kernels on machines that cannot check alignment. */
	void (*raise_misaligned)(uint64_t address, uint64_t pc, bool is_load);
	void (*checkpoint)(void); /* does not return if the process has failed elsewhere */
	void (*sync_threads)(void);
	void (*sleep_ns)(uint64_t duration_ns);
	uint64_t (*now_ns)(void);
};

/*
 * Return where the calling worker keeps the thread that it runs. A kernel file exports a pointer to
 * this function by the name simcuda_self_place. The driver sets it when it loads the file.
 */
typedef const struct simcuda_thread **simcuda_place(void);

/* Offsets and sizes describe the kernel's parameter buffer, with the GPU's layout. */
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
