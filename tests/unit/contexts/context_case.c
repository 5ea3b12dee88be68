/*
 * context_case.c - the driver, and the recorder's parts: each traces its calls.
 */
#include "contexts/context_case.h"

#include <sched.h>

#include "record/driver/driver.h"
#include "record/host/arena.h"
#include "record/host/clock.h"
#include "record/host/handle_map.h"
#include "record/journal/bundle.h"
#include "record/journal/strings.h"
#include "support/check.h"

struct driver real;
struct context_case context_case;

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_sched_yield(void);

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	CHECK(mutex && !attributes);
	trace_add("init ");
	return 0;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	CHECK(mutex);
	trace_add("[");
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	CHECK(mutex);
	trace_add("]");
	return 0;
}

int __wrap_sched_yield(void)
{
	trace_add("yield ");
	if (context_case.n_yields && !--context_case.n_yields)
		contexts_let_go(context_case.in_use);
	return 0;
}

CUcontext context_handle(uintptr_t number)
{
	return (CUcontext)(number * 0x100);
}

static CUresult get_current(CUcontext *out)
{
	*out = context_case.current;
	return context_case.has_no_current ? CUDA_ERROR_DEINITIALIZED : CUDA_SUCCESS;
}

static CUresult push(CUcontext handle)
{
	trace_add("push %lx ", (unsigned long)(uintptr_t)handle);
	return context_case.has_no_push ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

static CUresult pop(CUcontext *out)
{
	*out = NULL;
	trace_add("pop ");
	return CUDA_SUCCESS;
}

static CUresult get_device(CUdevice *out)
{
	if (context_case.has_no_device)
		return CUDA_ERROR_INVALID_CONTEXT;
	*out = context_case.device;
	return CUDA_SUCCESS;
}

static CUresult get_id(CUcontext handle, unsigned long long *out)
{
	*out = (uintptr_t)handle + 1;
	return context_case.has_no_id ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

/* Fill all of it, without an end. */
static CUresult get_name(char *out, int size, CUdevice device)
{
	CHECK_EQUAL(device, context_case.device);
	memset(out, 'n', (size_t)size);
	return context_case.has_no_name ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

static CUresult get_attribute(int *out, CUdevice_attribute attribute, CUdevice device)
{
	CHECK_EQUAL(device, context_case.device);
	*out = attribute == CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS ? context_case.can_access
	       : attribute == CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES
		       ? context_case.by_host
	       : attribute == CU_DEVICE_ATTRIBUTE_MPS_ENABLED ? context_case.is_by_mps
							      : 9;
	return attribute == context_case.refused ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

void *arena_alloc(size_t size)
{
	CHECK_EQUAL(size, sizeof(struct context));
	CHECK(context_case.n_contexts < N_CONTEXTS);
	return context_case.has_no_memory ? NULL
					  : &context_case.contexts[context_case.n_contexts++];
}

uint64_t clock_ns(void)
{
	return context_case.now_ns += context_case.step_ns;
}

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_CONTEXTS);
	return NULL;
}

uint32_t table_append(struct table *table, const void *row, uint32_t n)
{
	static const struct context_row none;
	CHECK(!table && n == 1 && !memcmp(row, &none, sizeof(none)));
	return context_case.has_no_rows ? 0 : ++context_case.n_rows;
}

void *table_row(const struct table *table, uint32_t id)
{
	CHECK(!table && id <= context_case.n_rows);
	return id ? &context_case.rows[id] : NULL;
}

uint32_t strings_intern_z(const char *string)
{
	return (uint32_t)strlen(string);
}

uint32_t context_slot(uint64_t key)
{
	uint32_t i = 0;
	while (i < N_CONTEXTS && context_case.keys[i] != key)
		i++;
	return i;
}

bool handle_map_get(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	uint32_t i = context_slot(key);
	CHECK(map && key);
	if (i < N_CONTEXTS)
		*out_value = context_case.values[i];
	return i < N_CONTEXTS;
}

bool handle_map_put_new(struct handle_map *map, uint64_t key, uint64_t *value)
{
	uint32_t i = context_slot(0);
	if (context_case.has_no_map)
		return false;
	if (handle_map_get(map, key, value))
		return true;
	context_case.keys[i] = key;
	context_case.values[i] = *value;
	return true;
}

bool handle_map_take(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	bool is_there = handle_map_get(map, key, out_value);
	if (is_there)
		context_case.keys[context_slot(key)] = 0;
	return is_there;
}

void progress_channels_ending(struct progress_channels *progress)
{
	CHECK(progress);
	trace_add("ending ");
}

void progress_channels_go_on(struct progress_channels *progress)
{
	CHECK(progress);
	trace_add("on ");
}

void marker_memory_lay_down(struct marker_memory *memory)
{
	CHECK(memory);
	trace_add("memory ");
}

void context_case_start(void)
{
	memset(&context_case, 0, sizeof(context_case));
	context_case.can_access = 1;
	context_case.device = DEVICE;
	real.cuCtxGetCurrent = get_current;
	real.cuCtxPushCurrent_v2 = push;
	real.cuCtxPopCurrent_v2 = pop;
	real.cuCtxGetDevice = get_device;
	real.cuCtxGetId = get_id;
	real.cuDeviceGetName = get_name;
	real.cuDeviceGetAttribute = get_attribute;
}
