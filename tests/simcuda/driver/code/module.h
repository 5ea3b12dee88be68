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

/* Without the last one it is unloaded, at the next module_unload_released(). */
void module_reference(CUmodule module);
void module_release(CUmodule module);

/*
 * Where nothing is half done: the lock is released while the loader works. Nobody may give up a
 * module in the middle of a change to a queue and find the queue changed by others.
 */
void module_unload_released(void);

/* The one function of that name, made at the first question. */
CUresult module_find_function(CUmodule module, const char *name, CUfunction *out_function);

CUresult module_find_global(CUmodule module, const char *name, CUdeviceptr *out_address,
			    size_t *out_size);

#endif
