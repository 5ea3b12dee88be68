/*
 * contexts.c - the list and the map of living contexts.
 */
#include "contexts.h"

#include "arena.h"
#include "bundle.h"
#include "clock.h"
#include "driver.h"
#include "graphs.h"
#include "handle_map.h"
#include "streams.h"
#include "strings.h"

static struct handle_map map;                                 /* CUcontext -> struct context */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER; /* guards list and every next */
static struct context *list;
static struct context *dead; /* to be used again, by next; under list_lock */

static struct context *as_context(uint64_t value)
{
	return (struct context *)(uintptr_t)value;
}

/* 0: the driver has no such call, or the context is not initialised yet. */
static uint64_t id_of(CUcontext handle)
{
	unsigned long long id = 0;
	return real.cuCtxGetId(handle, &id) == CUDA_SUCCESS ? id : 0;
}

/* What the driver tells of the current context. */
static struct context_row describe(CUcontext handle)
{
	struct context_row row = {.handle = (uintptr_t)handle, .id = id_of(handle)};
	CUdevice device = 0;
	char name[128] = "";
	if (real.cuCtxGetDevice(&device) == CUDA_SUCCESS) {
		row.device = (uint32_t)device;
		if (real.cuDeviceGetName(name, sizeof(name) - 1, device) == CUDA_SUCCESS)
			row.device_name = strings_intern_z(name);
	}
	return row;
}

/* One whose context is gone, with a row and streams. */
static struct context *take_dead(void)
{
	pthread_mutex_lock(&list_lock);
	struct context *context = dead;
	if (context)
		dead = context->next;
	pthread_mutex_unlock(&list_lock);
	return context;
}

static void lay_down(struct context *context)
{
	marker_memory_lay_down(&context->markers);
	pthread_mutex_lock(&list_lock);
	context->next = dead;
	dead = context;
	pthread_mutex_unlock(&list_lock);
}

static struct context *new_context(void)
{
	const struct context_row row = {0};
	struct context *context = arena_alloc(sizeof(*context));
	if (!context)
		return NULL;
	pthread_mutex_init(&context->lock, NULL);
	context->id = table_append(bundle_table(JOURNAL_CONTEXTS), &row, 1);
	context->row = table_row(bundle_table(JOURNAL_CONTEXTS), context->id);
	return context;
}

static struct context *make_context(CUcontext handle)
{
	struct context *context = take_dead();
	if (!context)
		context = new_context();
	if (!context)
		return NULL;
	context->handle = handle;
	context->first_use = 0;
	if (context->row)
		*context->row = describe(handle);
	return context;
}

static void add_to_list(struct context *context)
{
	pthread_mutex_lock(&list_lock);
	context->next = list;
	list = context;
	pthread_mutex_unlock(&list_lock);
}

struct context *contexts_of(CUcontext handle)
{
	uint64_t value;
	if (!handle)
		return NULL;
	if (handle_map_get(&map, (uintptr_t)handle, &value))
		return as_context(value);
	struct context *made = make_context(handle);
	if (!made)
		return NULL;
	value = (uintptr_t)made;
	if (!handle_map_put_new(&map, (uintptr_t)handle, &value))
		return NULL;
	if (as_context(value) == made)
		add_to_list(made);
	else
		lay_down(made); /* Another thread was first. */
	return as_context(value);
}

struct context *contexts_current(void)
{
	CUcontext handle = NULL;
	if (real.cuCtxGetCurrent(&handle) != CUDA_SUCCESS)
		return NULL;
	return contexts_of(handle);
}

void contexts_prepare_markers(struct context *context)
{
	CUresult result = marker_memory_prepare(&context->markers);
	uint32_t state = __atomic_load_n(&context->markers.state, __ATOMIC_ACQUIRE);
	if (!context->row)
		return;
	if (result != CUDA_SUCCESS)
		__atomic_store_n(&context->row->marker_result, (int32_t)result, __ATOMIC_RELAXED);
	if (state == MARKER_MEMORY_READY && !context->row->id)
		context->row->id = id_of(context->handle);
	if (state == MARKER_MEMORY_READY)
		__atomic_store_n(&context->row->markers, CONTEXT_MARKERS_READY, __ATOMIC_RELAXED);
	if (state == MARKER_MEMORY_REFUSED)
		__atomic_store_n(&context->row->markers, CONTEXT_MARKERS_REFUSED, __ATOMIC_RELAXED);
}

static void remove_from_list(const struct context *context)
{
	pthread_mutex_lock(&list_lock);
	struct context **link = &list;
	while (*link && *link != context)
		link = &(*link)->next;
	if (*link)
		*link = context->next;
	pthread_mutex_unlock(&list_lock);
}

uint32_t contexts_destroyed(CUcontext handle)
{
	uint64_t value;
	if (!handle_map_take(&map, (uintptr_t)handle, &value))
		return 0;
	struct context *context = as_context(value);
	remove_from_list(context);
	graphs_context_destroyed(context);
	if (context->row)
		__atomic_store_n(&context->row->destroyed_ns, clock_ns(), __ATOMIC_RELAXED);
	/* With work that nobody has seen finished it stays as it is: it may be asked about. */
	uint32_t id = context->id;
	if (streams_context_destroyed(context))
		lay_down(context);
	return id;
}

void contexts_used(struct context *context, struct context_use use)
{
	uint64_t none = 0;
	(void)__atomic_compare_exchange_n(&context->first_use, &none,
					  (uint64_t)use.call << 32 | use.stack, false,
					  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

struct context_use contexts_first_use(const struct context *context)
{
	uint64_t use = __atomic_load_n(&context->first_use, __ATOMIC_RELAXED);
	return (struct context_use){.call = (uint32_t)(use >> 32), .stack = (uint32_t)use};
}

void contexts_for_each(void (*visit)(struct context *context, void *data), void *data)
{
	pthread_mutex_lock(&list_lock);
	for (struct context *context = list; context; context = context->next)
		visit(context, data);
	pthread_mutex_unlock(&list_lock);
}
