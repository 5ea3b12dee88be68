/*
 * module.h - loaded kernel code. All: lock held.
 */
#ifndef SIMCUDA_MODULE_H
#define SIMCUDA_MODULE_H

#include "objects.h"

/*
 * Load an image from memory or, if that is NULL, from a file. The lock is released while the loader
 * runs. The module has one reference.
 */
CUresult module_load(CUcontext context, const void *image, const char *path, CUmodule *out_module);

/* After the last release, the next module_unload_released() unloads the module. */
void module_reference(CUmodule module);
void module_release(CUmodule module);

/*
 * Unload released modules. This releases the lock while the loader runs, so other threads may
 * change queues meanwhile: call it only between complete operations.
 */
void module_unload_released(void);

/* Find the function of that name; the first look-up creates it. */
CUresult module_find_function(CUmodule module, const char *name, CUfunction *out_function);

CUresult module_find_global(CUmodule module, const char *name, CUdeviceptr *out_address,
			    size_t *out_size);

#endif
