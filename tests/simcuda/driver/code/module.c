/*
 * module.c - load kernel code, which is a shared object for this machine. Each load makes a copy of
 * the image (an anonymous file), so that two modules of one image have separate variables.
 */
#include "code/module.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "addresses/memory.h"
#include "code/code_address.h"
#include "code/refused_image.h"
#include "code/stand_in.h"
#include "entry.h"
#include "failure/machine.h"
#include "handles.h"
#include "sim.h"
#include "simcuda_abi.h"

#define MAX_NAME_BYTES  512
#define MIN_IMAGE_BYTES 16

/* Modules to unload, by next_released. Guarded by sim_lock. */
static CUmodule released;

void module_reference(CUmodule module)
{
	module->n_references++;
}

static void free_functions(CUfunction function)
{
	while (function) {
		CUfunction next = function->next;
		handle_add(function, HANDLE_GONE);
		if (function->as_kernel)
			handle_add(function->as_kernel, HANDLE_GONE);
		free(function->as_kernel);
		free(function->params);
		free(function);
		function = next;
	}
}

void module_release(CUmodule module)
{
	if (--module->n_references > 0)
		return;
	free_functions(module->functions);
	module->next_released = released;
	released = module;
}

static void unload(CUmodule module)
{
	while (module) {
		CUmodule next = module->next_released;
		dlclose(module->loaded);
		close(module->fd);
		free(module);
		module = next;
	}
}

void module_unload_released(void)
{
	CUmodule modules = released;
	if (!modules)
		return;
	released = NULL;
	pthread_mutex_unlock(&sim_lock);
	unload(modules);
	pthread_mutex_lock(&sim_lock);
}

/* Return an image's size by its ELF headers, because callers do not pass it. 0: not an image. */
static size_t image_bytes(const void *image)
{
	const ElfW(Ehdr) *header = image;
	const ElfW(Phdr) *segments = NULL;
	if (strncmp(image, ELFMAG, SELFMAG) != 0 || header->e_type != ET_DYN ||
	    header->e_machine != MACHINE_ELF)
		return 0;
	size_t size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	segments = (const void *)((const char *)image + header->e_phoff);
	for (int i = 0; i < header->e_phnum; i++)
		if (segments[i].p_offset + segments[i].p_filesz > size)
			size = segments[i].p_offset + segments[i].p_filesz;
	return size;
}

static int write_all(int fd, const char *data, size_t size)
{
	while (size > 0) {
		ssize_t written = write(fd, data, size);
		if (written <= 0)
			return -1;
		data += written;
		size -= (size_t)written;
	}
	return 0;
}

/* Find the module's code range, in which misaligned accesses fault. */
static int find_text(struct dl_phdr_info *info, size_t size, void *argument)
{
	CUmodule module = argument;
	const struct link_map *map = module->loaded;
	(void)size;
	if (info->dlpi_addr != map->l_addr)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		module->text_start = info->dlpi_addr + segment->p_vaddr;
		module->text_end = module->text_start + segment->p_memsz;
	}
	return 1;
}

static void set_self_place(void *library)
{
	simcuda_place **place = dlsym(library, "simcuda_self_place");
	if (place)
		*place = sim_self_place;
}

/*
 * Load a copy under a new name: the loader would return the first module again for a known name.
 * The name must mean the same file to a debugger, so /proc/self cannot be used.
 */
static bool load_copy(CUmodule module)
{
	char name[64];
	snprintf(name, sizeof(name), "/proc/%d/fd/%d", (int)getpid(), module->fd);
	pthread_mutex_unlock(&sim_lock);
	module->loaded = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (module->loaded) {
		dl_iterate_phdr(find_text, module);
		set_self_place(module->loaded);
	}
	pthread_mutex_lock(&sim_lock);
	return module->loaded != NULL;
}

/* Load an image; given_size is 0 if unknown. */
static CUresult load_image(CUcontext context, const void *image, size_t given_size,
			   CUmodule *out_module)
{
	size_t size = image_bytes(image);
	if (size == 0)
		return refused_image_code(image, given_size);
	int fd = memfd_create("simcuda-module", MFD_CLOEXEC);
	if (fd < 0 || write_all(fd, image, size) != 0) {
		if (fd >= 0)
			close(fd);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	CUmodule module = sim_alloc(sizeof(*module));
	*module = (struct CUmod_st){.context = context, .n_references = 1, .fd = fd};
	if (!load_copy(module)) {
		close(fd);
		free(module);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	*out_module = module;
	return CUDA_SUCCESS;
}

static CUresult load_file(CUcontext context, const char *path, CUmodule *out_module)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return CUDA_ERROR_FILE_NOT_FOUND;
	struct stat status;
	if (fstat(fd, &status) != 0 || status.st_size < MIN_IMAGE_BYTES) {
		close(fd);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	void *image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (image == MAP_FAILED)
		return CUDA_ERROR_INVALID_IMAGE;
	CUresult result = load_image(context, image, (size_t)status.st_size, out_module);
	munmap(image, (size_t)status.st_size);
	return result;
}

CUresult module_load(CUcontext context, const void *image, const char *path, CUmodule *out_module)
{
	char instead[PATH_MAX];
	if (image && stand_in_find(image, instead, sizeof(instead)))
		return load_file(context, instead, out_module);
	if (image)
		return load_image(context, image, 0, out_module);
	return load_file(context, path, out_module);
}

/* Return a symbol or NULL. dlsym takes the loader's lock, so sim_lock is released. */
static const void *find_symbol(CUmodule module, const char *prefix, const char *name)
{
	char symbol[MAX_NAME_BYTES];
	if (snprintf(symbol, sizeof(symbol), "%s%s", prefix, name) >= (int)sizeof(symbol))
		return NULL;
	pthread_mutex_unlock(&sim_lock);
	const void *address = dlsym(module->loaded, symbol);
	pthread_mutex_lock(&sim_lock);
	return address;
}

static CUfunction known_function(CUmodule module, const char *name)
{
	CUfunction function = module->functions;
	while (function && strcmp(function->kernel->name, name) != 0)
		function = function->next;
	return function;
}

static CUfunction create_function(CUmodule module, const struct simcuda_kernel *kernel)
{
	CUfunction function = sim_alloc(sizeof(*function));
	function->module = module;
	function->kernel = kernel;
	function->next = module->functions;
	function->attributes[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = kernel->max_threads;
	function->attributes[CU_FUNC_ATTRIBUTE_NUM_REGS] = 32;
	function->attributes[CU_FUNC_ATTRIBUTE_PTX_VERSION] = 90;
	function->attributes[CU_FUNC_ATTRIBUTE_BINARY_VERSION] = 90;
	function->attributes[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = 48 << 10;
	function->attributes[CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = -1;
	code_address_assign(function);
	module->functions = function;
	handle_add(function, HANDLE_FUNCTION);
	return function;
}

CUresult module_find_function(CUmodule module, const char *name, CUfunction *out_function)
{
	CUfunction function = known_function(module, name);
	if (!function) {
		const struct simcuda_kernel *kernel = find_symbol(module, "simcuda_kernel_", name);
		if (!kernel)
			return CUDA_ERROR_NOT_FOUND;
		/* Another thread may have created it while the lock was released. */
		function = known_function(module, name);
		if (!function)
			function = create_function(module, kernel);
	}
	*out_function = function;
	return CUDA_SUCCESS;
}

CUresult module_find_global(CUmodule module, const char *name, CUdeviceptr *out_address,
			    size_t *out_size)
{
	const struct simcuda_global *global = find_symbol(module, "simcuda_global_", name);
	if (!global)
		return CUDA_ERROR_NOT_FOUND;
	/* Register the variable, so that copies treat it as device memory. */
	if (!memory_find(global->address))
		memory_register((struct memory_range){.base = (uintptr_t)global->address,
						      .size = global->size,
						      .kind = MEMORY_GLOBAL,
						      .context = module->context});
	if (out_address)
		*out_address = (CUdeviceptr)global->address;
	if (out_size)
		*out_size = global->size;
	return CUDA_SUCCESS;
}

static CUresult load(CUmodule *out_module, const void *image, const char *path)
{
	if (!out_module || (!image && !path))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = module_load(context_owner(context_current()), image, path, out_module);
	if (result == CUDA_SUCCESS)
		handle_add(*out_module, HANDLE_MODULE);
	return result;
}

CUresult sim_cuModuleLoad(CUmodule *module, const char *fname)
{
	return load(module, NULL, fname);
}

CUresult sim_cuModuleLoadData(CUmodule *module, const void *image)
{
	return load(module, image, NULL);
}

CUresult sim_cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
				CUjit_option *options, void **optionValues)
{
	CUresult result = load(module, image, NULL);
	refused_image_log(result, numOptions, options, optionValues);
	return result;
}

CUresult sim_cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin)
{
	return load(module, fatCubin, NULL);
}

CUresult sim_cuModuleUnload(CUmodule hmod)
{
	if (!handle_is(hmod, HANDLE_MODULE))
		return CUDA_ERROR_INVALID_HANDLE;
	handle_remove(hmod);
	module_release(hmod);
	return CUDA_SUCCESS;
}

CUresult sim_cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)
{
	if (!hfunc || !name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(hmod, HANDLE_MODULE))
		return CUDA_ERROR_INVALID_HANDLE;
	return module_find_function(hmod, name, hfunc);
}

CUresult sim_cuModuleGetGlobal_v2(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)
{
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(hmod, HANDLE_MODULE))
		return CUDA_ERROR_INVALID_HANDLE;
	return module_find_global(hmod, name, dptr, bytes);
}

CUresult sim_cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
	if (!mode)
		return CUDA_ERROR_INVALID_VALUE;
	*mode = CU_MODULE_EAGER_LOADING;
	return CUDA_SUCCESS;
}
