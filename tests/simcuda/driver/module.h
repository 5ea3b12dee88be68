/*
 * module.h - loaded kernel code. All: lock held.
 */
#ifndef SIMCUDA_MODULE_H
#define SIMCUDA_MODULE_H

#include "objects.h"

/*
 * Loads an image in memory or, if that is NULL, the file. The lock is released while the loader
 * works. The module has one reference.
 */
CUresult module_load(CUcontext context, const void *image, const char *path, CUmodule *out_module);

/* The last one unloads it. */
void module_reference(CUmodule module);
void module_release(CUmodule module);

/* The one function of that name, made at the first question. */
CUresult module_find_function(CUmodule module, const char *name, CUfunction *out_function);

CUresult module_find_global(CUmodule module, const char *name, CUdeviceptr *out_address,
			    size_t *out_size);

#endif
