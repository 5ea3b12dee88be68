/*
 * library.h - kernels of libraries. Lock held.
 */
#ifndef SIMCUDA_LIBRARY_H
#define SIMCUDA_LIBRARY_H

#include "objects.h"

struct CUkern_st {
	CUlibrary library;
	CUfunction function;
};

/* The library's view of a function of its module. */
CUkernel library_kernel_of(CUlibrary library, CUfunction function);

/* The function that a CUfunction or a CUkernel stands for, NULL if the handle is neither. */
CUfunction library_function_of(const void *handle);

/*
 * The same, of a call that only asks. It reads what the handle points to without a look whether
 * that is there: the process ends if the function has gone, or goes meanwhile (SIMCUDA_ASK_US).
 */
CUfunction library_asked_function(const void *handle);

/* What is said of a handle that stands for none: why a kernel's image was refused, if it is one. */
CUresult library_refusal_of(const void *handle);

#endif
