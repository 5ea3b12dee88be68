/*
 * functions.c - finding out about kernels, and reading their arguments.
 */
#include "functions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "bundle.h"
#include "driver.h"
#include "elf_lookup.h"
#include "handle_map.h"
#include "hot.h"
#include "strings.h"
#include "thread.h"

/* cuda.h: a parameter buffer has at most 32,764 bytes (4,096 before 12.1), so as many parameters.
 */
enum { MAX_PARAMETERS = 4096 };

static struct handle_map functions; /* handle -> struct function */
static struct handle_map names;     /* handle -> string id, of those looked up by name */
/* Atomic: raised by unloading; voids the threads' caches. */
static READ_MOSTLY uint64_t generation = 1;

static bool is_observed; /* written at the start, before recording begins */

static bool is_set(const char *name)
{
	const char *value = getenv(name);
	return value && *value;
}

static bool is_loaded(const char *soname)
{
	struct elf_object object;
	return elf_object_find(soname, NULL, &object) == 0;
}

/* A tool may be preloaded instead of being loaded by the driver. */
void functions_start(void)
{
	is_observed = is_set("CUDA_INJECTION64_PATH") || is_set("CUDA_LOG_FILE") ||
		      is_loaded("libsanitizer-collection.so");
}

/* The name as the driver knows it: of a function, else of the kernel that the handle may be. */
static uint32_t name_of(CUfunction handle)
{
	const char *name = NULL;
	uint64_t looked_up;
	if (is_observed && handle_map_get(&names, (uintptr_t)handle, &looked_up))
		return (uint32_t)looked_up;
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
	while (!is_observed && n < MAX_PARAMETERS && parameter_of(handle, n, &ignored))
		n++;
	return n;
}

/* The n_parameters of a function, as the journal has them; NULL: the driver would not tell. */
static struct parameter_row *read_parameters(CUfunction handle, uint32_t n_parameters)
{
	struct parameter_row *rows =
		n_parameters ? arena_alloc(n_parameters * sizeof(*rows)) : NULL;
	if (!rows)
		return NULL;
	for (uint32_t i = 0; i < n_parameters; i++) {
		if (!parameter_of(handle, i, &rows[i]) ||
		    rows[i].offset + rows[i].size > UINT16_MAX)
			return NULL;
	}
	return rows;
}

static struct function *make_function(const struct parameter_row *rows, uint32_t n_parameters)
{
	uint32_t n = rows ? n_parameters : 0;
	struct function *function =
		arena_alloc(sizeof(*function) + n * sizeof(function->parameters[0]));
	if (!function)
		return NULL;
	function->n_parameters = n;
	for (uint32_t i = 0; i < n; i++)
		function->parameters[i] = (struct function_parameter){
			.offset = (uint16_t)rows[i].offset, .size = (uint16_t)rows[i].size};
	function->size = n ? rows[n - 1].offset + rows[n - 1].size : 0;
	return function;
}

static uint64_t module_of(CUfunction handle)
{
	CUmodule module = NULL;
	if (is_observed || real.cuFuncGetModule(&module, handle) != CUDA_SUCCESS)
		return 0;
	return (uintptr_t)module;
}

static void journal_function(struct function *function, const struct parameter_row *rows,
			     CUfunction handle)
{
	struct function_row row = {
		.handle = (uintptr_t)handle,
		.module = module_of(handle),
		.name = name_of(handle),
		.n_parameters = function->n_parameters ? function->n_parameters : UINT32_MAX,
	};
	if (function->n_parameters)
		row.first_parameter = table_append(bundle_table(JOURNAL_PARAMETERS), rows,
						   function->n_parameters);
	function->id = table_append(bundle_table(JOURNAL_FUNCTIONS), &row, 1);
}

/* Two threads may both describe a function at its first launch: the journal then has it twice. */
static COLD const struct function *describe(CUfunction handle)
{
	uint32_t n_parameters = count_parameters(handle);
	const struct parameter_row *rows = read_parameters(handle, n_parameters);
	struct function *function = make_function(rows, n_parameters);
	uint64_t value = (uintptr_t)function;
	if (!function)
		return NULL;
	journal_function(function, rows, handle);
	if (!handle_map_put_new(&functions, (uintptr_t)handle, &value))
		return function;
	return (const struct function *)(uintptr_t)value;
}

/* The thread's entry for a handle, emptied with all others if code was unloaded since. */
static inline struct function_cache_entry *entry_of(struct thread *thread, uint64_t key)
{
	/* Read before a function is looked up, so that one unloaded meanwhile is not kept. */
	uint64_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
	if (thread->functions_generation != now) {
		memset(thread->functions, 0, sizeof(thread->functions));
		thread->functions_generation = now;
	}
	/* Handles are pointers into the driver's heap: their low bits are all alike. */
	return &thread->functions[(key * 0x9e3779b97f4a7c15ull >> 32) % FUNCTION_CACHE];
}

static COLD const struct function *find(struct function_cache_entry *entry, CUfunction handle)
{
	uint64_t value;
	const struct function *function = handle_map_get(&functions, (uintptr_t)handle, &value)
						  ? (const struct function *)(uintptr_t)value
						  : describe(handle);
	if (function)
		*entry = (struct function_cache_entry){.handle = handle, .function = function};
	return function;
}

HOT const struct function *functions_of(struct thread *thread, CUfunction handle)
{
	if (!handle)
		return NULL;
	struct function_cache_entry *entry = entry_of(thread, (uintptr_t)handle);
	return entry->handle == handle ? entry->function : find(entry, handle);
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
static COLD size_t copy_buffer(void *const *extra, unsigned char *out, size_t capacity,
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

/* The usual sizes in line: libc's copy costs lines of code, and a page, of its own. */
static inline void copy_argument(unsigned char *to, const void *from, size_t size)
{
	if (size == 8)
		memcpy(to, from, 8);
	else if (size == 4)
		memcpy(to, from, 4);
	else
		memcpy(to, from, size);
}

HOT size_t functions_copy_arguments(const struct function *function, void *const *parameters,
				    void *const *extra, unsigned char *out, size_t capacity,
				    size_t *out_copied)
{
	size_t end = 0;
	*out_copied = 0;
	if (!parameters)
		return extra ? copy_buffer(extra, out, capacity, out_copied) : 0;
	for (uint32_t i = 0; i < function->n_parameters; i++) {
		struct function_parameter place = function->parameters[i];
		if ((size_t)place.offset + place.size > capacity || !parameters[i])
			break;
		/* Gaps between parameters are alignment: no argument's bytes. */
		while (end < place.offset)
			out[end++] = 0;
		copy_argument(out + place.offset, parameters[i], place.size);
		end = (size_t)place.offset + place.size;
	}
	*out_copied = end;
	return function->size;
}
