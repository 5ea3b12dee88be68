/*
 * simkernel.h - how simcuda's driver tells the simulated kernel modules of a fault, as a GPU would.
 */
#ifndef SIMKERNEL_H
#define SIMKERNEL_H

#include <stdint.h>

enum simkernel_kind {
	SIMKERNEL_NONE,      /* a trap or an assertion: no address at all */
	SIMKERNEL_MEMORY,    /* the MMU found no memory at `address` */
	SIMKERNEL_EXCEPTION, /* an SM raised `warp_esr` at `pc` */
};

struct simkernel_fault {
	enum simkernel_kind kind;
	uint8_t access; /* 1 read, 2 write, 3 atomic */
	uint32_t warp_esr;
	uint64_t address;
	uint64_t pc;
	uint64_t gpu_ns; /* when, by the simulated GPU's clock */
};

/* A GPU of this process has faulted. Any thread. Weak: NULL without libsimkernel.so. */
__attribute__((weak)) void simkernel_raise(const struct simkernel_fault *raised);

/* Requests of the simulated files that are not in both sides' own files. */
enum { SIMKERNEL_REGISTER_VA_SPACE = 25 };

#endif
