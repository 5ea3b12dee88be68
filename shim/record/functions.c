/*
 * functions.c - finding out about kernels, and reading their arguments.
 */
#include "functions.h"

#include <stdbool.h>
#include <string.h>

#include "arena.h"
#include "bundle.h"
#include "driver.h"
#include "handle_map.h"
#include "strings.h"
#include "thread.h"

/* cuda.h: a parameter buffer has at most 32,764 bytes (4,096 before 12.1), so as many parameters.
 */
enum { MAX_PARAMETERS = 4096 };

static struct handle_map functions; /* handle -> struct function */
static struct handle_map names;     /* handle -> string id, of those looked up by name */
static uint64_t generation = 1;     /* atomic: raised by unloading; voids the threads' caches */

/* The name as the driver knows it: of a function, else of the kernel that the handle may be. */
static uint32_t name_of(CUfunction handle)
{
	const char *name = NULL;
	uint64_t looked_up;
	if (real.cuFuncGetName(&name, handle) == CUDA_SUCCESS && name)
		return strings_intern_z(name);
	if (real.cuKernelGetName(&name, (CUkernel)handle) == CUDA_SUCCESS && name)
		return strings_intern_z(name);
	return handle_map_get(&names, (uintptr_t)handle, &looked_up) ? (uint32_t)looked_up : 0;
}

static bool parameter_of(CUfunction handle, size_t index, struct parameter_row *out)
{
	size_t offset, size;
	if (real.cuFuncGetParamInfo(handle, index, &offset, &size) != CUDA_SUCCESS &&
	    real.cuKernelGetParamInfo((CUkernel)handle, index, &offset, &size) != CUDA_SUCCESS)
		return false;
	*out = (struct parameter_row){.offset = (uint32_t)offset, .size = (uint32_t)size};
	return true;
}

static uint32_t count_parameters(CUfunction handle)
{
	struct parameter_row ignored;
	uint32_t n = 0;
	while (n < MAX_PARAMETERS && parameter_of(handle, n, &ignored))
		n++;
	return n;
}

static void read_parameters(struct function *function, CUfunction handle)
{
	uint32_t n = count_parameters(handle);
	struct parameter_row *rows = n ? arena_alloc(n * sizeof(*rows)) : NULL;
	if (!rows)
		return;
	for (uint32_t i = 0; i < n; i++) {
		if (!parameter_of(handle, i, &rows[i]))
			return;
	}
	function->parameters = rows;
	function->n_parameters = n;
	function->size = rows[n - 1].offset + rows[n - 1].size;
}

static uint64_t module_of(CUfunction handle)
{
	CUmodule module = NULL;
	if (real.cuFuncGetModule(&module, handle) != CUDA_SUCCESS)
		return 0;
	return (uintptr_t)module;
}

static void journal_function(struct function *function, CUfunction handle)
{
	struct function_row row = {
		.handle = (uintptr_t)handle,
		.module = module_of(handle),
		.name = name_of(handle),
		.n_parameters = function->n_parameters ? function->n_parameters : UINT32_MAX,
	};
	if (function->n_parameters)
		row.first_parameter = table_append(bundle_table(JOURNAL_PARAMETERS),
						   function->parameters, function->n_parameters);
	function->id = table_append(bundle_table(JOURNAL_FUNCTIONS), &row, 1);
}

/* Two threads may both describe a function at its first launch: the journal then has it twice. */
static const struct function *describe(CUfunction handle)
{
	struct function *function = arena_alloc(sizeof(*function));
	uint64_t value = (uintptr_t)function;
	if (!function)
		return NULL;
	read_parameters(function, handle);
	journal_function(function, handle);
	if (!handle_map_put_new(&functions, (uintptr_t)handle, &value))
		return function;
	return (const struct function *)(uintptr_t)value;
}

/* Handles are pointers into the driver's heap: their low bits are all alike. */
static struct function_cache_entry *cache_entry(struct thread *thread, uint64_t key)
{
	return &thread->functions[(key * 0x9e3779b97f4a7c15ull >> 32) % FUNCTION_CACHE];
}

const struct function *functions_of(struct thread *thread, CUfunction handle)
{
	uint64_t key = (uintptr_t)handle, value;
	uint64_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
	struct function_cache_entry *entry = cache_entry(thread, key);
	if (!handle)
		return NULL;
	if (entry->handle == handle && entry->generation == now)
		return entry->function;
	const struct function *function = handle_map_get(&functions, key, &value)
						  ? (const struct function *)(uintptr_t)value
						  : describe(handle);
	if (function)
		*entry = (struct function_cache_entry){
			.handle = handle, .generation = now, .function = function};
	return function;
}

void functions_named(const void *handle, const char *name)
{
	uint32_t id = strings_intern_z(name);
	if (handle && id)
		(void)handle_map_put(&names, (uintptr_t)handle, id);
}

void functions_unloaded(void)
{
	handle_map_clear(&functions);
	handle_map_clear(&names);
	__atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
}

/* The launch's ready-made buffer: cuLaunchKernel's `extra`. */
static size_t copy_buffer(void *const *extra, unsigned char *out, size_t capacity,
			  size_t *out_copied)
{
	const void *buffer = NULL;
	size_t size = 0;
	for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
		if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
			buffer = extra[1];
		else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
			size = *(const size_t *)extra[1];
		else
			return 0;
	}
	if (!buffer)
		return 0;
	*out_copied = size < capacity ? size : capacity;
	memcpy(out, buffer, *out_copied);
	return size;
}

size_t functions_copy_arguments(const struct function *function, void *const *parameters,
				void *const *extra, unsigned char *out, size_t capacity,
				size_t *out_copied)
{
	*out_copied = 0;
	if (!parameters)
		return extra ? copy_buffer(extra, out, capacity, out_copied) : 0;
	for (uint32_t i = 0; i < function->n_parameters; i++) {
		const struct parameter_row *row = &function->parameters[i];
		if (row->offset + row->size > capacity || !parameters[i])
			break;
		/* Gaps between parameters are alignment: no argument's bytes. */
		memset(out + *out_copied, 0, row->offset - *out_copied);
		memcpy(out + row->offset, parameters[i], row->size);
		*out_copied = row->offset + row->size;
	}
	return function->size;
}
