/*
 * functions.c - ask the driver about kernels, and read their arguments.
 */
#include "record/objects/functions.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "base/hash.h"
#include "base/hot.h"
#include "base/journal_format.h"
#include "record/driver/driver.h"
#include "record/driver/environment.h"
#include "record/host/clock.h"
#include "record/host/handle_map.h"
#include "record/journal/strings.h"
#include "record/objects/code_addresses.h"
#include "record/objects/images.h"

/* As many as bytes: a parameter buffer has at most 32,764 (4,096 before 12.1), says cuda.h. */
enum { MAX_PARAMETERS = 4096 };

/* How long a thread that unloads a kernel waits for threads that ask about it. */
static const uint64_t PATIENCE_NS = 1000ull * 1000 * 1000;

/* Handle -> id of the name that it was looked up by, a string that it holds. The lock is kept from
 * finding a name to holding it, so that none is dropped between. The strings' lock is inside it. */
static struct handle_map names;
static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;

/* Atomic: raised by unloading; invalidates the threads' caches. */
READ_MOSTLY uint64_t functions_generation = 1;

static bool has_observer; /* atomic: never falls */

void functions_start(void)
{
	if (environment_has_observer())
		functions_observed();
}

void functions_observed(void)
{
	__atomic_store_n(&has_observer, true, __ATOMIC_RELAXED);
}

static bool is_observed(void)
{
	return __atomic_load_n(&has_observer, __ATOMIC_RELAXED);
}

/* Return the name that the handle was looked up by, held; 0: none. */
static uint32_t looked_up_name(CUfunction handle)
{
	uint64_t name = 0;
	pthread_mutex_lock(&names_lock);
	(void)handle_map_get(&names, (uintptr_t)handle, &name);
	uint32_t id = strings_hold_again((uint32_t)name);
	pthread_mutex_unlock(&names_lock);
	return id;
}

static uint32_t hold_name(const char *name)
{
	return strings_hold(name, strlen(name), STRINGS_KERNELS);
}

/* Return the driver's name of a function, or of the kernel that the handle may be. */
static const char *drivers_name(CUfunction handle)
{
	const char *name = NULL;
	if (!driver_knows(CALL_cuFuncGetName))
		return NULL;
	if (real.cuFuncGetName(&name, handle) == CUDA_SUCCESS && name)
		return name;
	return real.cuKernelGetName(&name, (CUkernel)handle) == CUDA_SUCCESS ? name : NULL;
}

/* Return the driver's name, else that of the application's look-up. Held. */
static uint32_t name_of(CUfunction handle)
{
	uint32_t looked_up = is_observed() ? looked_up_name(handle) : 0;
	if (looked_up)
		return looked_up;
	const char *name = drivers_name(handle);
	return name ? hold_name(name) : looked_up_name(handle);
}

static bool parameter_of(CUfunction handle, size_t index, struct parameter_row *out)
{
	size_t offset = 0;
	size_t size = 0;
	if (real.cuFuncGetParamInfo(handle, index, &offset, &size) != CUDA_SUCCESS &&
	    real.cuKernelGetParamInfo((CUkernel)handle, index, &offset, &size) != CUDA_SUCCESS)
		return false;
	*out = (struct parameter_row){.offset = (uint32_t)offset, .size = (uint32_t)size};
	return true;
}

static uint32_t count_parameters(CUfunction handle)
{
	uint32_t n = 0;
	if (is_observed() || !driver_knows(CALL_cuFuncGetParamInfo))
		return 0;
	struct parameter_row ignored;
	while (n < MAX_PARAMETERS && parameter_of(handle, n, &ignored))
		n++;
	return n;
}

/* False: the driver does not say, or a parameter starts before the end of the previous one. */
static bool read_parameters(CUfunction handle, struct function *function, uint32_t n_parameters)
{
	uint64_t end = 0;
	for (uint32_t i = 0; i < n_parameters; i++) {
		struct parameter_row row;
		if (!parameter_of(handle, i, &row) || row.offset < end)
			return false;
		end = (uint64_t)row.offset + row.size;
		if (end > UINT16_MAX)
			return false;
		function->parameters[i] = (struct function_parameter){
			.offset = (uint16_t)row.offset, .size = (uint16_t)row.size};
	}
	return true;
}

static struct function *make_function(CUfunction handle)
{
	uint32_t n = count_parameters(handle);
	struct function *function = function_memory_take(n);
	if (!function || !n || !read_parameters(handle, function, n))
		return function;
	struct function_parameter last = function->parameters[n - 1];
	function->n_parameters = n;
	function->size = last.offset + last.size;
	return function;
}

static uint64_t module_of(CUfunction handle)
{
	CUmodule module = NULL;
	if (is_observed() || real.cuFuncGetModule(&module, handle) != CUDA_SUCCESS)
		return 0;
	return (uintptr_t)module;
}

/* Ask the driver, in that generation. */
static COLD const struct function *describe(CUfunction handle, uint64_t now)
{
	struct function *function = make_function(handle);
	if (!function)
		return NULL;
	struct function_identity *identity = function_identity(function);
	identity->handle = (uintptr_t)handle;
	identity->module = module_of(handle);
	identity->image = images_of((const void *)(uintptr_t)identity->module, handle);
	identity->confirmed = now;
	identity->name = name_of(handle);
	return function_store_put(function);
}

/*
 * Return what was confirmed of the handle in this generation. While its module or library is being
 * unloaded, return what is known: the driver must not be asked while the kernel may be destroyed.
 */
static const struct function *find_confirmed(CUfunction handle, uint64_t now)
{
	const struct function *function = function_store_find((uintptr_t)handle);
	if (!function)
		return NULL;
	uint64_t confirmed =
		__atomic_load_n(&function_identity(function)->confirmed, __ATOMIC_ACQUIRE);
	return confirmed == now || confirmed == FUNCTION_ENDING ? function : NULL;
}

bool functions_begin_question(const void *handle)
{
	return function_store_begin_question((uintptr_t)handle, 0);
}

void functions_end_question(const void *handle)
{
	function_store_end_question((uintptr_t)handle);
}

/* Ask about it. If another thread has started to unload it since, return what was known before. */
static const struct function *ask(CUfunction handle, uint64_t now)
{
	if (!functions_begin_question(handle))
		return find_confirmed(handle, now);
	const struct function *function = describe(handle, now);
	functions_end_question(handle);
	code_addresses_discovered(handle, functions_generation_now());
	return function;
}

static const struct function_cache_entry nothing_known;

static const struct function *look_up(CUfunction handle, uint64_t now)
{
	const struct function *function = handle ? find_confirmed(handle, now) : NULL;
	return function || !handle ? function : ask(handle, now);
}

static uint32_t slot_of(CUfunction handle)
{
	return hash_narrow((uintptr_t)handle) >> (32 - FUNCTION_CACHE_BITS);
}

COLD const struct function_cache_entry *functions_look_up(struct function_cache *cache,
							  CUfunction handle)
{
	struct function_cache_entry *entry = &cache->entries[slot_of(handle)];
	/* Read before the function is looked up, so that one unloaded meanwhile is not kept. */
	uint64_t now = functions_generation_now();
	const struct function *function = look_up(handle, now);
	if (!function)
		return &nothing_known;
	/* Each parameter has a byte or more, at an offset of 16 bits. */
	*entry = (struct function_cache_entry){
		.handle = handle,
		.generation = now,
		.function = function,
		.id = function->id,
		.n_parameters = (uint16_t)function->n_parameters,
		.size = function->size < UINT16_MAX ? (uint16_t)function->size : UINT16_MAX,
	};
	return entry;
}

COLD void functions_miss(struct function_cache *cache, CUfunction handle)
{
	struct function_cache_entry *entry = &cache->entries[slot_of(handle)];
	if (entry->handle == handle)
		*entry = nothing_known;
}

const struct function *functions_of(const struct function_cache *cache, CUfunction handle)
{
	const struct function_cache_entry *entry = functions_cached(cache, handle);
	return entry ? entry->function : look_up(handle, functions_generation_now());
}

void functions_derived(const void *handle, const void *from)
{
	if (handle)
		function_store_handed_out((uintptr_t)handle, (uintptr_t)from);
}

void functions_named(const void *handle, const char *name, const void *from)
{
	uint64_t old = 0;
	if (!handle || !name)
		return;
	function_store_handed_out((uintptr_t)handle, (uintptr_t)from);
	pthread_mutex_lock(&names_lock);
	uint32_t id = hold_name(name);
	(void)handle_map_take(&names, (uintptr_t)handle, &old);
	if (id && !handle_map_put(&names, (uintptr_t)handle, id))
		strings_drop(id);
	strings_drop((uint32_t)old);
	pthread_mutex_unlock(&names_lock);
}

static void drop_name(uint64_t name)
{
	strings_drop((uint32_t)name);
}

/* Kernels stay known: at their next launch the driver is asked whether they are still the same. */
void functions_unloaded(void)
{
	pthread_mutex_lock(&names_lock);
	handle_map_clear(&names, drop_name);
	pthread_mutex_unlock(&names_lock);
	__atomic_fetch_add(&functions_generation, 1, __ATOMIC_RELEASE);
}

void functions_loaded(const void *code)
{
	function_store_loaded((uintptr_t)code);
}

/*
 * Wait for threads that ask. A thread kept from its processor may ask for longer than grace_wait()
 * waits, and the driver may crash on code that is unloaded meanwhile. The wait is bounded, because
 * a question left by a jump never ends.
 */
static void await_questions(const void *code)
{
	uint64_t end_ns = 0;
	while (function_store_is_asked((uintptr_t)code)) {
		uint64_t now_ns = clock_ns();
		if (!end_ns)
			end_ns = now_ns + PATIENCE_NS;
		if (now_ns >= end_ns)
			return;
		(void)sched_yield();
	}
}

void functions_ending(const void *code)
{
	function_store_end((uintptr_t)code);
	functions_unloaded();
	await_questions(code);
}

void functions_gone(const void *code)
{
	function_store_forget((uintptr_t)code);
	functions_unloaded();
}

/* Copy a launch's ready-made buffer: cuLaunchKernel's `extra`. */
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

/* Inline the usual sizes: libc's copy costs lines of code, and a page, of its own. */
static inline void copy_argument(unsigned char *to, const void *from, size_t size)
{
	if (size == 8)
		memcpy(to, from, 8);
	else if (size == 4)
		memcpy(to, from, 4);
	else
		memcpy(to, from, size);
}

/* Return the end of the parameters that fit; each starts after the one before. */
static inline const struct function_parameter *last_within(const struct function *function,
							   size_t capacity)
{
	const struct function_parameter *last = function->parameters + function->n_parameters;
	while (last > function->parameters && (size_t)last[-1].offset + last[-1].size > capacity)
		last--;
	return last;
}

/* Alignment gaps between parameters stay zero: they hold no argument's bytes. */
HOT size_t functions_copy_arguments(const struct function *function, void *const *parameters,
				    void *const *extra, unsigned char *out, size_t capacity,
				    size_t *out_copied)
{
	*out_copied = 0;
	if (!parameters)
		return extra ? copy_buffer(extra, out, capacity, out_copied) : 0;
	const struct function_parameter *place = function->parameters;
	const struct function_parameter *last = last_within(function, capacity);
	for (; place < last && *parameters; place++, parameters++)
		copy_argument(out + place->offset, *parameters, place->size);
	if (LIKELY(place > function->parameters))
		*out_copied = (size_t)place[-1].offset + place[-1].size;
	return function->size;
}
