/*
 * code_address.h - addresses of kernels' code on the simulated GPU, and the words of a function's
 * object that name them. Nothing is stored there: the host cannot read them, as on a GPU.
 */
#ifndef SIMCUDA_CODE_ADDRESS_H
#define SIMCUDA_CODE_ADDRESS_H

#include "objects.h"

/* Give a new function its code, of the size that its image says. Lock held. */
void code_address_assign(CUfunction function);

/* Return the address of the function's instruction that faults. Any thread. */
uint64_t code_address_faulting(const struct CUfunc_st *function);

#endif
