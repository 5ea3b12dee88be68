/*
 * contexts.c - the list and the map of living contexts.
 */
#include "record/streams/contexts.h"

#include <sched.h>

#include "record/driver/driver.h"
#include "record/host/arena.h"
#include "record/host/clock.h"
#include "record/host/handle_map.h"
#include "record/journal/bundle.h"
#include "record/journal/strings.h"

static struct handle_map map;                                 /* CUcontext -> struct context */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER; /* guards list and every next */
static struct context *list;
static struct context *dead; /* for reuse, by next; under list_lock */
static uint32_t n_primaries; /* atomic, written under list_lock: living ones, without green ones */
static bool are_several;     /* atomic, written under list_lock: the last addition found several */
static bool is_host_asked;   /* atomic: a present or past context needs host mappings */
static bool is_one_shared;   /* atomic: a present or past one is shared between processes */

static bool is_ptx_forced; /* written at start */

static const uint64_t USERS_NS = 200ull * 1000 * 1000; /* more than a search takes */

static struct context *as_context(uint64_t value)
{
	return (struct context *)(uintptr_t)value;
}

/* Return 0 if the driver has no such call, or the context is not initialised yet. */
static uint64_t id_of(CUcontext handle)
{
	unsigned long long id = 0;
	return real.cuCtxGetId(handle, &id) == CUDA_SUCCESS ? id : 0;
}

bool contexts_enter(const struct context *context, bool *out_has_pushed)
{
	CUcontext handle = context->primary ? context->primary->handle : context->handle;
	CUcontext current = NULL;
	*out_has_pushed = false;
	if (real.cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == handle)
		return true;
	*out_has_pushed = real.cuCtxPushCurrent_v2(handle) == CUDA_SUCCESS;
	return *out_has_pushed;
}

void contexts_leave(bool has_pushed)
{
	CUcontext popped = NULL;
	if (has_pushed)
		(void)real.cuCtxPopCurrent_v2(&popped);
}

static CUdevice find_device(const struct context *context)
{
	CUdevice device = -1;
	bool has_pushed = false;
	if (!contexts_enter(context, &has_pushed))
		return -1;
	(void)real.cuCtxGetDevice(&device);
	contexts_leave(has_pushed);
	return device;
}

/* False also if the driver does not say. */
static bool lacks_host_memory(CUdevice device)
{
	int can_access = 1;
	return real.cuDeviceGetAttribute(&can_access, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS,
					 device) == CUDA_SUCCESS &&
	       can_access == 0;
}

/* GH200 and GB200: any memory that the process may access, the device may, too. */
static bool uses_host_tables(CUdevice device)
{
	int by_host = 0;
	return real.cuDeviceGetAttribute(
		       &by_host, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES,
		       device) == CUDA_SUCCESS &&
	       by_host == 1;
}

/* False also for a driver that does not know this attribute. */
static bool is_shared(CUdevice device)
{
	int is_by_mps = 0;
	return real.cuDeviceGetAttribute(&is_by_mps, CU_DEVICE_ATTRIBUTE_MPS_ENABLED, device) ==
		       CUDA_SUCCESS &&
	       is_by_mps == 1;
}

void contexts_start(bool is_ptx_forced_)
{
	is_ptx_forced = is_ptx_forced_;
}

uint32_t contexts_capability(CUdevice device)
{
	int major = 0;
	int minor = 0;
	if (real.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
				      device) != CUDA_SUCCESS ||
	    real.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
				      device) != CUDA_SUCCESS)
		return 0;
	return (uint32_t)(major * 10 + minor);
}

/* Describe the context as the driver does. */
static struct context_row describe(const struct context *context)
{
	struct context_row row = {.handle = (uintptr_t)context->handle,
				  .id = id_of(context->handle),
				  .primary = context->primary ? context->primary->id : 0};
	char name[128] = "";
	if (context->device >= 0) {
		row.device = (uint32_t)context->device;
		if (real.cuDeviceGetName(name, sizeof(name) - 1, context->device) == CUDA_SUCCESS)
			row.device_name = strings_intern_z(name);
		row.flags = lacks_host_memory(context->device) ? CONTEXT_LACKS_HOST_MEMORY : 0;
		row.flags |= uses_host_tables(context->device) ? CONTEXT_USES_HOST_TABLES : 0;
		row.flags |= is_shared(context->device) ? CONTEXT_IS_SHARED : 0;
		row.flags |= is_ptx_forced ? 0
					   : contexts_capability(context->device)
						     << CONTEXT_CAPABILITY_SHIFT;
	}
	return row;
}

/* Remove and return the list's first context with this primary one. */
static struct context *take_from(struct context **link, const struct context *primary)
{
	pthread_mutex_lock(&list_lock);
	while (*link && (*link)->primary != primary)
		link = &(*link)->next;
	struct context *context = *link;
	if (context)
		*link = context->next;
	pthread_mutex_unlock(&list_lock);
	return context;
}

bool contexts_hold(struct context *context)
{
	/* Sequentially consistent with contexts_ending(): at least one sees the other. */
	__atomic_fetch_add(&context->n_users, 1, __ATOMIC_SEQ_CST);
	if (!contexts_is_ending(context))
		return true;
	__atomic_fetch_sub(&context->n_users, 1, __ATOMIC_RELAXED); /* nothing was used */
	return false;
}

void contexts_let_go(struct context *context)
{
	__atomic_fetch_sub(&context->n_users, 1, __ATOMIC_RELEASE);
}

static bool is_in_use(const struct context *context)
{
	return __atomic_load_n(&context->n_users, __ATOMIC_SEQ_CST);
}

/* Bounded, because a user may have left by a jump. */
static void wait_for_users(const struct context *context)
{
	uint64_t end_ns = is_in_use(context) ? clock_ns() + USERS_NS : 0;
	while (is_in_use(context) && clock_ns() < end_ns)
		(void)sched_yield();
}

void contexts_ending(struct context *context)
{
	__atomic_store_n(&context->is_ending, true, __ATOMIC_SEQ_CST);
	wait_for_users(context);
	progress_channels_ending(&context->progress);
}

void contexts_go_on(struct context *context)
{
	progress_channels_go_on(&context->progress);
	/* Pairs with the load in contexts_hold(). */
	__atomic_store_n(&context->is_ending, false, __ATOMIC_RELEASE);
}

void contexts_lay_down(struct context *context)
{
	contexts_ending(context); /* Some contexts are reported only now. */
	if (is_in_use(context))
		return;
	if (!context->primary)
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

void contexts_note_markers(struct context *context)
{
	uint32_t state = __atomic_load_n(&context->markers.state, __ATOMIC_ACQUIRE);
	if (!context->row)
		return;
	if (state == MARKER_MEMORY_READY && !context->row->id)
		context->row->id = id_of(context->handle);
	if (state == MARKER_MEMORY_READY)
		__atomic_store_n(&context->row->markers, CONTEXT_MARKERS_READY, __ATOMIC_RELAXED);
	if (state == MARKER_MEMORY_REFUSED)
		__atomic_store_n(&context->row->markers, CONTEXT_MARKERS_REFUSED, __ATOMIC_RELAXED);
}

static struct context *make_context(CUcontext handle, struct context *primary)
{
	struct context *context = take_from(&dead, primary);
	if (!context)
		context = new_context();
	if (!context)
		return NULL;
	context->handle = handle;
	context->primary = primary;
	context->device = find_device(context);
	context->first_use = 0;
	__atomic_store_n(&context->failure, CONTEXT_SOUND, __ATOMIC_RELAXED);
	const struct context_row row = describe(context);
	if (row.flags & (CONTEXT_LACKS_HOST_MEMORY | CONTEXT_USES_HOST_TABLES))
		__atomic_store_n(&is_host_asked, true, __ATOMIC_RELAXED);
	if (row.flags & CONTEXT_IS_SHARED)
		__atomic_store_n(&is_one_shared, true, __ATOMIC_RELAXED);
	if (context->row)
		*context->row = row;
	contexts_note_markers(context);
	/* Last: threads that still have the old context's pointer may hold it from now on. */
	contexts_go_on(context);
	return context;
}

static void add_to_list(struct context *context)
{
	pthread_mutex_lock(&list_lock);
	__atomic_store_n(&are_several, list != NULL, __ATOMIC_RELAXED);
	if (!context->primary)
		__atomic_store_n(&n_primaries, n_primaries + 1, __ATOMIC_RELAXED);
	context->next = list;
	list = context;
	pthread_mutex_unlock(&list_lock);
}

static struct context *add_context(CUcontext handle, struct context *primary)
{
	struct context *made = make_context(handle, primary);
	if (!made)
		return NULL;
	uint64_t value = (uintptr_t)made;
	bool is_put = handle_map_put_new(&map, (uintptr_t)handle, &value);
	if (is_put && as_context(value) == made) {
		add_to_list(made);
		return made;
	}
	/* Another thread was first, or there is no room. */
	contexts_lay_down(made);
	return is_put ? as_context(value) : NULL;
}

struct context *contexts_known(CUcontext handle)
{
	uint64_t value = 0;
	return handle && handle_map_get(&map, (uintptr_t)handle, &value) ? as_context(value) : NULL;
}

struct context *contexts_of(CUcontext handle)
{
	struct context *known = contexts_known(handle);
	return known || !handle ? known : add_context(handle, NULL);
}

struct context *contexts_add_green(CUcontext handle, struct context *primary)
{
	return add_context(handle, primary);
}

uint32_t contexts_memory_id(const struct context *context)
{
	return context->primary ? context->primary->id : context->id;
}

struct context *contexts_current(void)
{
	CUcontext handle = NULL;
	if (real.cuCtxGetCurrent(&handle) != CUDA_SUCCESS)
		return NULL;
	return contexts_of(handle);
}

static void remove_from_list(const struct context *context)
{
	pthread_mutex_lock(&list_lock);
	struct context **link = &list;
	while (*link && *link != context)
		link = &(*link)->next;
	if (*link && !context->primary)
		__atomic_store_n(&n_primaries, n_primaries - 1, __ATOMIC_RELAXED);
	if (*link)
		*link = context->next;
	pthread_mutex_unlock(&list_lock);
}

struct context *contexts_take(CUcontext handle)
{
	uint64_t value = 0;
	if (!handle_map_take(&map, (uintptr_t)handle, &value))
		return NULL;
	remove_from_list(as_context(value));
	return as_context(value);
}

struct context *contexts_take_green(const struct context *primary)
{
	struct context *green = take_from(&list, primary);
	if (!green)
		return take_from(&dead, primary);
	uint64_t ignored = 0;
	(void)handle_map_take(&map, (uintptr_t)green->handle, &ignored);
	return green;
}

void contexts_note_end(const struct context *context)
{
	if (context->row)
		__atomic_store_n(&context->row->destroyed_ns, clock_ns(), __ATOMIC_RELAXED);
}

bool contexts_are_one(void)
{
	return __atomic_load_n(&n_primaries, __ATOMIC_RELAXED) == 1;
}

bool contexts_are_several(void)
{
	return __atomic_load_n(&are_several, __ATOMIC_RELAXED);
}

void contexts_used(struct context *context, struct context_use use)
{
	uint64_t none = 0;
	(void)__atomic_compare_exchange_n(&context->first_use, &none,
					  (uint64_t)use.call << 32 | use.stack, false,
					  __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

struct context_use contexts_first_use(const struct context *context)
{
	/* Acquire: the rows that the ids name were written before. */
	uint64_t use = __atomic_load_n(&context->first_use, __ATOMIC_ACQUIRE);
	return (struct context_use){.call = (uint32_t)(use >> 32), .stack = (uint32_t)use};
}

void contexts_for_each(void (*visit)(struct context *context, void *data), void *data)
{
	pthread_mutex_lock(&list_lock);
	for (struct context *context = list; context; context = context->next)
		visit(context, data);
	pthread_mutex_unlock(&list_lock);
}

bool contexts_need_host_mappings(void)
{
	return __atomic_load_n(&is_host_asked, __ATOMIC_RELAXED);
}

bool contexts_are_shared(void)
{
	return __atomic_load_n(&is_one_shared, __ATOMIC_RELAXED);
}
