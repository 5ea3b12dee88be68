/*
 * library.c - libraries: modules without a context, with kernels instead of functions. A kernel's
 * handle may be launched instead of its function's.
 */
#include "code/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "code/module.h"
#include "entry.h"
#include "failure/failure.h"
#include "handles.h"
#include "settings.h"
#include "sim.h"

struct CUlib_st {
	CUmodule module;    /* NULL: its image has no code for the device */
	CUresult no_module; /* then, the result of every look-up */
	bool is_loaded;     /* onto a device: its kernels or variables were used */
};

static CUresult load(CUlibrary *out_library, const void *image, const char *path)
{
	CUmodule module = NULL;
	if (!out_library || (!image && !path))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = module_load(NULL, image, path, &module);
	if (result != CUDA_SUCCESS &&
	    (result != CUDA_ERROR_NO_BINARY_FOR_GPU || settings.lazy == 0))
		return result;
	*out_library = sim_alloc(sizeof(**out_library));
	(*out_library)->module = module;
	(*out_library)->no_module = result;
	handle_add(*out_library, HANDLE_LIBRARY);
	if (module)
		handle_add(module, HANDLE_MODULE);
	return CUDA_SUCCESS;
}

CUresult sim_cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions,
			       void **jitOptionsValues, unsigned int numJitOptions,
			       CUlibraryOption *libraryOptions, void **libraryOptionValues,
			       unsigned int numLibraryOptions)
{
	(void)jitOptions;
	(void)jitOptionsValues;
	(void)numJitOptions;
	(void)libraryOptions;
	(void)libraryOptionValues;
	(void)numLibraryOptions;
	return load(library, code, NULL);
}

CUresult sim_cuLibraryLoadFromFile(CUlibrary *library, const char *fileName,
				   CUjit_option *jitOptions, void **jitOptionsValues,
				   unsigned int numJitOptions, CUlibraryOption *libraryOptions,
				   void **libraryOptionValues, unsigned int numLibraryOptions)
{
	(void)jitOptions;
	(void)jitOptionsValues;
	(void)numJitOptions;
	(void)libraryOptions;
	(void)libraryOptionValues;
	(void)numLibraryOptions;
	return load(library, NULL, fileName);
}

/* An H100 returns success for a library that was never loaded onto a device. */
CUresult sim_cuLibraryUnload(CUlibrary library)
{
	if (!handle_is(library, HANDLE_LIBRARY))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult failure = library->is_loaded ? failure_visible(context_current()) : CUDA_SUCCESS;
	if (failure != CUDA_SUCCESS)
		return failure;
	handle_remove(library);
	if (library->module) {
		handle_remove(library->module);
		module_release(library->module);
	}
	free(library);
	return CUDA_SUCCESS;
}

CUkernel library_kernel_of(CUlibrary library, CUfunction function)
{
	if (!function->as_kernel) {
		function->as_kernel = sim_alloc(sizeof(*function->as_kernel));
		function->as_kernel->library = library;
		function->as_kernel->function = function;
		handle_add(function->as_kernel, HANDLE_KERNEL);
	}
	return function->as_kernel;
}

CUresult sim_cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name)
{
	CUfunction function = NULL;
	if (!pKernel || !name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(library, HANDLE_LIBRARY))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!library->module && settings.lazy == 2) {
		*pKernel = sim_alloc(sizeof(**pKernel));
		(*pKernel)->library = library;
		handle_add(*pKernel, HANDLE_KERNEL);
		return CUDA_SUCCESS;
	}
	if (!library->module)
		return library->no_module;
	CUresult result = module_find_function(library->module, name, &function);
	if (result == CUDA_SUCCESS)
		*pKernel = library_kernel_of(library, function);
	return result;
}

CUresult sim_cuLibraryGetModule(CUmodule *pMod, CUlibrary library)
{
	if (!pMod)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(library, HANDLE_LIBRARY))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!library->module)
		return library->no_module;
	library->is_loaded = true;
	*pMod = library->module;
	return CUDA_SUCCESS;
}

CUresult sim_cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library,
				const char *name)
{
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(library, HANDLE_LIBRARY))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!library->module)
		return library->no_module;
	library->is_loaded = true;
	return module_find_global(library->module, name, dptr, bytes);
}

CUfunction library_loaded_function(const void *handle)
{
	if (handle_is(handle, HANDLE_KERNEL))
		((const struct CUkern_st *)handle)->library->is_loaded = true;
	return library_function_of(handle);
}

CUfunction library_function_of(const void *handle)
{
	switch (handle_kind_of(handle)) {
	case HANDLE_FUNCTION:
		return (CUfunction)(uintptr_t)handle;
	case HANDLE_KERNEL:
		return ((const struct CUkern_st *)handle)->function;
	default:
		return NULL;
	}
}

static void abort_if_unloaded(const void *handle)
{
	if (!handle_is(handle, HANDLE_GONE))
		return;
	fputs("simcuda: query about a function that was unloaded\n", stderr);
	abort();
}

/* Pause in the middle of a query, like a preempted thread. */
static void take_time(void)
{
	if (settings.ask_us == 0)
		return;
	pthread_mutex_unlock(&sim_lock);
	(void)usleep(settings.ask_us);
	pthread_mutex_lock(&sim_lock);
}

CUfunction library_asked_function(const void *handle)
{
	abort_if_unloaded(handle);
	take_time();
	abort_if_unloaded(handle);
	return library_function_of(handle);
}

CUresult library_refusal_of(const void *handle)
{
	const struct CUkern_st *kernel = handle;
	if (handle_kind_of(handle) != HANDLE_KERNEL || kernel->function)
		return CUDA_ERROR_INVALID_HANDLE;
	return kernel->library->no_module;
}

CUresult sim_cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel)
{
	if (!pFunc)
		return CUDA_ERROR_INVALID_VALUE;
	abort_if_unloaded(kernel);
	if (!handle_is(kernel, HANDLE_KERNEL))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!kernel->function)
		return library_refusal_of(kernel);
	*pFunc = library_loaded_function(kernel);
	return CUDA_SUCCESS;
}

CUresult sim_cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel)
{
	if (!pLib)
		return CUDA_ERROR_INVALID_VALUE;
	abort_if_unloaded(kernel);
	if (!handle_is(kernel, HANDLE_KERNEL))
		return CUDA_ERROR_INVALID_HANDLE;
	*pLib = kernel->library;
	return CUDA_SUCCESS;
}
