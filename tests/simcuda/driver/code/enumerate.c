/*
 * enumerate.c - list the kernels of a module or library by the symbols of its image.
 */
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "code/library.h"
#include "code/module.h"
#include "entry.h"
#include "handles.h"

static const char PREFIX[] = "simcuda_kernel_";

/* The image of a loaded module; its tables are valid because it was loaded. */
struct image {
	const char *bytes;
	size_t size;
	const ElfW(Sym) * symbols;
	size_t n_symbols;
	const char *names;
};

static bool open_image(CUmodule module, struct image *out)
{
	const ElfW(Ehdr) *header = NULL;
	const ElfW(Shdr) *sections = NULL;
	struct stat status;
	if (fstat(module->fd, &status) != 0)
		return false;
	*out = (struct image){.size = (size_t)status.st_size};
	out->bytes = mmap(NULL, out->size, PROT_READ, MAP_PRIVATE, module->fd, 0);
	if (out->bytes == MAP_FAILED)
		return false;
	header = (const void *)out->bytes;
	sections = (const void *)(out->bytes + header->e_shoff);
	for (int i = 0; i < header->e_shnum; i++) {
		if (sections[i].sh_type != SHT_DYNSYM)
			continue;
		out->symbols = (const void *)(out->bytes + sections[i].sh_offset);
		out->n_symbols = sections[i].sh_size / sizeof(*out->symbols);
		out->names = out->bytes + sections[sections[i].sh_link].sh_offset;
	}
	return true;
}

/* Write up to n_wanted functions into `out`. Return the number of all functions. */
static unsigned find_functions(CUmodule module, CUfunction *out, unsigned n_wanted)
{
	unsigned n = 0;
	struct image image;
	if (!open_image(module, &image))
		return 0;
	for (size_t i = 0; i < image.n_symbols; i++) {
		const char *name = image.names + image.symbols[i].st_name;
		if (image.symbols[i].st_shndx == SHN_UNDEF ||
		    strncmp(name, PREFIX, sizeof(PREFIX) - 1) != 0)
			continue;
		if (n < n_wanted)
			(void)module_find_function(module, name + sizeof(PREFIX) - 1, &out[n]);
		n++;
	}
	munmap((void *)(uintptr_t)image.bytes, image.size);
	return n;
}

CUresult sim_cuModuleGetFunctionCount(unsigned int *count, CUmodule mod)
{
	if (!count)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(mod, HANDLE_MODULE))
		return CUDA_ERROR_INVALID_HANDLE;
	*count = find_functions(mod, NULL, 0);
	return CUDA_SUCCESS;
}

CUresult sim_cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions,
					CUmodule mod)
{
	if (!functions)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(mod, HANDLE_MODULE))
		return CUDA_ERROR_INVALID_HANDLE;
	(void)find_functions(mod, functions, numFunctions);
	return CUDA_SUCCESS;
}

CUresult sim_cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib)
{
	CUmodule module = NULL;
	CUresult result = sim_cuLibraryGetModule(&module, lib);
	return result == CUDA_SUCCESS ? sim_cuModuleGetFunctionCount(count, module) : result;
}

/* The array first holds the functions, then their kernels: both are handles. */
CUresult sim_cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib)
{
	CUmodule module = NULL;
	CUresult result = sim_cuLibraryGetModule(&module, lib);
	CUfunction *functions = (CUfunction *)kernels;
	if (result != CUDA_SUCCESS)
		return result;
	if (!kernels)
		return CUDA_ERROR_INVALID_VALUE;
	unsigned n = find_functions(module, functions, numKernels);
	for (unsigned i = 0; i < n && i < numKernels; i++)
		kernels[i] = library_kernel_of(lib, functions[i]);
	return CUDA_SUCCESS;
}
