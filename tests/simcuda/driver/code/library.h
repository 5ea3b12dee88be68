/*
 * library.h - kernels of libraries (CUlibrary). Lock held.
 */
#ifndef SIMCUDA_LIBRARY_H
#define SIMCUDA_LIBRARY_H

#include "objects.h"

struct CUkern_st {
	CUlibrary library;
	CUfunction function;
};

/* Return the CUkernel for a function of the library's module. */
CUkernel library_kernel_of(CUlibrary library, CUfunction function);

/* Return the function of a CUfunction or a CUkernel, or NULL if the handle is neither. */
CUfunction library_function_of(const void *handle);

/* The same for a launch, which loads a kernel's library onto the device. */
CUfunction library_loaded_function(const void *handle);

/*
 * The same for a query, which reads the handle's target without checking that it still exists. It
 * aborts the process if the function was unloaded, or is unloaded meanwhile (SIMCUDA_ASK_US).
 */
CUfunction library_asked_function(const void *handle);

/* Return the error for a handle without a function; for a kernel, why its image was refused. */
CUresult library_refusal_of(const void *handle);

#endif
