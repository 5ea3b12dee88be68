/*
 * coredump_drivers.c - show copies and memsets in core dumps as the driver's kernels, with the
 * names and parameters seen on an H200 under driver 580.159. Lock held.
 */
#include <string.h>

#include "addresses/memory.h"
#include "objects.h"

#include "coredump/coredump_drivers.h"

/* On an H200, a memset of 64 bytes left no dump, but one of 4,097 did. */
enum { MOST_BYTES_WITHOUT_KERNEL = 64 };

/* Destination, source or value, count. */
enum { N_PARAMETERS = 3 };
static uint64_t parameters[N_PARAMETERS];

static struct CUmod_st drivers_module;
static struct simcuda_kernel kernel;
static struct CUfunc_st function = {.module = &drivers_module, .kernel = &kernel};
static struct kernel_work drivers;

/* The code of all these kernels, which never runs. */
static void no_code(const struct simcuda_thread *self, void **params)
{
	(void)self;
	(void)params;
}

static const struct kernel_work *make(const char *name, uint64_t destination, uint64_t source,
				      uint64_t count)
{
	const uint64_t words[N_PARAMETERS] = {destination, source, count};
	memcpy(parameters, words, sizeof(words));
	kernel = (struct simcuda_kernel){
		.name = name, .invoke = no_code, .params_size = sizeof(words)};
	drivers = (struct kernel_work){.function = &function,
				       .grid = {1, 1, 1},
				       .block = {256, 1, 1},
				       .params = (unsigned char *)parameters,
				       .params_size = sizeof(words)};
	return &drivers;
}

static bool is_host(const void *address)
{
	const struct memory_range *range = memory_find(address);
	return range ? range->kind == MEMORY_HOST || range->kind == MEMORY_REGISTERED
		     : !arena_contains(address, 1);
}

static const struct kernel_work *kernel_of_copy(const struct copy_work *copy)
{
	bool is_linear = copy->height * copy->depth == 1;
	if (copy->staging || is_host(copy->source) || is_host(copy->destination))
		return NULL;
	return make(is_linear ? "memcpy32_post" : "memcpyDtoD2D_aligned",
		    (uintptr_t)copy->destination, (uintptr_t)copy->source, copy->width);
}

static const struct kernel_work *kernel_of_memset(const struct memset_work *memset)
{
	size_t bytes = memset->width * memset->element_size * memset->height;
	if (bytes <= MOST_BYTES_WITHOUT_KERNEL || is_host(memset->destination))
		return NULL;
	return make(memset->element_size == 1 ? "memset8" : "memset32",
		    (uintptr_t)memset->destination, memset->value, memset->width);
}

const struct kernel_work *coredump_drivers_kernel(const struct work *work)
{
	if (work->kind == WORK_COPY)
		return kernel_of_copy(&work->copy);
	return work->kind == WORK_MEMSET ? kernel_of_memset(&work->memset) : NULL;
}
