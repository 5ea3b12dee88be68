/*
 * functions_case.c - the driver, and the recorder's parts: each traces its calls.
 */
#include "journal/functions_case.h"

#include <pthread.h>
#include <sched.h>

#include "record/driver/driver.h"
#include "record/driver/environment.h"
#include "record/host/clock.h"
#include "record/host/handle_map.h"
#include "record/journal/strings.h"
#include "record/objects/code_addresses.h"
#include "record/objects/images.h"
#include "support/check.h"

struct driver real;
struct functions_case functions_case;

static const struct function known = {.id = 9};
static struct function_identity identity, known_identity;
static struct function *memory; /* of the kernel that the driver describes */

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_sched_yield(void);

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	(void)mutex;
	trace_add("[");
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	(void)mutex;
	trace_add("]");
	return 0;
}

int __wrap_sched_yield(void)
{
	trace_add(" yield");
	return 0;
}

static CUresult answer_name(const char **out, const char *name)
{
	*out = functions_case.is_nameless ? NULL : name;
	return name || functions_case.is_nameless ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult function_name(const char **out, CUfunction handle)
{
	trace_add(" function name %lx", (unsigned long)(uintptr_t)handle);
	return answer_name(out, functions_case.function_name);
}

static CUresult kernel_name(const char **out, CUkernel handle)
{
	trace_add(" kernel name %lx", (unsigned long)(uintptr_t)handle);
	CUresult result = answer_name(out, functions_case.kernel_name);
	return functions_case.kernel_name ? result : CUDA_ERROR_INVALID_HANDLE;
}

/* Answer the first time that the driver is asked, and then all but those to be refused. */
static CUresult answer_parameter(size_t index, size_t *offset, size_t *size)
{
	uint32_t n = functions_case.n_parameters;
	bool is_second = functions_case.n_parameter_questions++ > n;
	if (n <= CASE_PARAMETERS && index >= n - (is_second ? functions_case.n_refused : 0))
		return CUDA_ERROR_INVALID_VALUE;
	*offset = functions_case.parameters[index].offset;
	*size = functions_case.parameters[index].size;
	return CUDA_SUCCESS;
}

static CUresult function_parameter(CUfunction handle, size_t index, size_t *offset, size_t *size)
{
	CHECK(handle);
	return functions_case.is_kernel ? CUDA_ERROR_INVALID_HANDLE
					: answer_parameter(index, offset, size);
}

static CUresult kernel_parameter(CUkernel handle, size_t index, size_t *offset, size_t *size)
{
	CHECK(handle);
	return functions_case.is_kernel ? answer_parameter(index, offset, size)
					: CUDA_ERROR_INVALID_HANDLE;
}

static CUresult function_module(CUmodule *out, CUfunction handle)
{
	trace_add(" module %lx", (unsigned long)(uintptr_t)handle);
	*out = (CUmodule)0x200;
	return functions_case.knows_modules ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

bool driver_knows(enum driver_call call)
{
	if (call == CALL_cuFuncGetName)
		return functions_case.knows_names;
	CHECK_EQUAL(call, CALL_cuFuncGetParamInfo);
	return functions_case.knows_parameters;
}

bool environment_has_observer(void)
{
	return functions_case.has_observer;
}

uint64_t clock_ns(void)
{
	functions_case.now_ns += functions_case.step_ns;
	return functions_case.now_ns;
}

bool handle_map_get(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	(void)map;
	trace_add("get %" PRIx64, key);
	if (functions_case.name)
		*out_value = functions_case.name;
	return functions_case.name;
}

bool handle_map_put(struct handle_map *map, uint64_t key, uint64_t value)
{
	(void)map;
	trace_add(" put %" PRIx64 " %" PRIu64, key, value);
	return !functions_case.has_no_map;
}

bool handle_map_take(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	trace_add(" take");
	(void)handle_map_get(map, key, out_value);
	return functions_case.name;
}

void handle_map_clear(struct handle_map *map, void (*leave)(uint64_t value))
{
	(void)map;
	trace_add("clear");
	leave(33);
}

uint32_t strings_hold_again(uint32_t id)
{
	trace_add(" again %u", id);
	return id;
}

uint32_t strings_hold(const char *bytes, size_t length, enum string_room room)
{
	CHECK_EQUAL(room, STRINGS_KERNELS);
	trace_add(" hold %.*s", (int)length, bytes);
	return functions_case.has_no_strings ? 0 : 21;
}

void strings_drop(uint32_t id)
{
	trace_add(" drop %u", id);
}

uint16_t images_of(const void *module, const void *function)
{
	trace_add(" image %lx %lx", (unsigned long)(uintptr_t)module,
		  (unsigned long)(uintptr_t)function);
	return 44;
}

void code_addresses_discovered(CUfunction handle, uint64_t generation)
{
	trace_add(" discovered %lx %" PRIu64, (unsigned long)(uintptr_t)handle, generation);
}

struct function_identity *function_identity(const struct function *function)
{
	return function == &known ? &known_identity : &identity;
}

struct function *function_memory_take(uint32_t n_parameters)
{
	trace_add(" memory %u", n_parameters);
	identity = (struct function_identity){0};
	memset(memory, 0, functions_case_size(CASE_PARAMETERS));
	return functions_case.has_no_memory ? NULL : memory;
}

const struct function *function_store_put(struct function *function)
{
	functions_case.identity = identity;
	trace_add(" put");
	return functions_case.other ? functions_case.other : function;
}

const struct function *function_store_find(uint64_t handle)
{
	trace_add("find %" PRIx64, handle);
	return functions_case.known;
}

bool function_store_begin_question(uint64_t handle, uint64_t generation)
{
	CHECK_EQUAL(generation, 0);
	trace_add(" (%" PRIx64, handle);
	return !functions_case.is_ending;
}

void function_store_end_question(uint64_t handle)
{
	trace_add(" %" PRIx64 ")", handle);
}

bool function_store_is_asked(uint64_t code)
{
	trace_add(" asked %" PRIx64, code);
	return functions_case.n_asked && functions_case.n_asked--;
}

void function_store_handed_out(uint64_t handle, uint64_t from)
{
	trace_add("%" PRIx64 " from %" PRIx64 " ", handle, from);
}

void function_store_loaded(uint64_t code)
{
	trace_add("loaded %" PRIx64, code);
}

void function_store_end(uint64_t code)
{
	trace_add("end %" PRIx64 " ", code);
}

void function_store_forget(uint64_t code)
{
	trace_add("forget %" PRIx64 " ", code);
}

size_t functions_case_size(uint32_t n_parameters)
{
	return sizeof(struct function) + n_parameters * sizeof(struct function_parameter);
}

void functions_case_start(void)
{
	if (!memory)
		memory = calloc(1, functions_case_size(CASE_PARAMETERS));
	CHECK(memory);
	real.cuFuncGetName = function_name;
	real.cuKernelGetName = kernel_name;
	real.cuFuncGetParamInfo = function_parameter;
	real.cuKernelGetParamInfo = kernel_parameter;
	real.cuFuncGetModule = function_module;
	functions_case = (struct functions_case){.function_name = "f",
						 .kernel_name = "k",
						 .knows_names = true,
						 .knows_parameters = true,
						 .knows_modules = true,
						 .n_parameters = 2,
						 .parameters = {{0, 8}, {8, 4}}};
}

void functions_case_confirm(uint64_t generation)
{
	known_identity.confirmed = generation;
	functions_case.known = &known;
}
