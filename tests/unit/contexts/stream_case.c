/*
 * stream_case.c - the driver, and the recorder's parts that streams.c calls.
 */
#include "contexts/stream_case.h"

#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/host/arena.h"
#include "record/host/clock.h"
#include "record/host/gone_handles.h"
#include "record/host/grace_period.h"
#include "record/host/handle_map.h"
#include "record/progress/progress_tracker.h"
#include "record/streams/markers.h"
#include "record/streams/retired.h"
#include "record/streams/stream_lock.h"
#include "support/check.h"

struct driver real;
int captures_under_way;
struct stream_case stream_case = {
	.contexts = {{.handle = (CUcontext)0x1000}, {.handle = (CUcontext)0x2000}}};

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	trace_add("[%d ", mutex == &stream_case.contexts[1].lock);
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	CHECK(mutex);
	trace_add("] ");
	return 0;
}

static CUresult get_current(CUcontext *out)
{
	*out = stream_case.current->handle;
	return CUDA_SUCCESS;
}

static CUresult get_context(CUstream handle, CUcontext *out)
{
	CHECK(handle);
	trace_add("ask ");
	*out = stream_case.current->handle;
	return CUDA_SUCCESS;
}

struct context *contexts_of(CUcontext handle)
{
	return handle == stream_case.contexts[0].handle ? &stream_case.contexts[0]
							: &stream_case.contexts[1];
}

struct stream *stream_make(struct context *of, CUstream handle, enum stream_kind kind, uint32_t tid)
{
	CHECK((tid != 0) == (kind == STREAM_PER_THREAD) && stream_case.n_streams < N_STREAMS);
	if (stream_case.has_no_streams)
		return NULL;
	uint32_t id = ++stream_case.n_streams;
	stream_case.rows[id] = (struct stream_row){.kind = (uint32_t)kind, .submitted = 1};
	stream_case.streams[id] = (struct stream){.id = id,
						  .context = of,
						  .handle = handle,
						  .row = &stream_case.rows[id],
						  .next_in_context = of->streams};
	of->streams = &stream_case.streams[id];
	return &stream_case.streams[id];
}

uint64_t clock_ns(void)
{
	return 7;
}

void *arena_alloc(size_t size)
{
	CHECK_EQUAL(size, sizeof(stream_case.late));
	trace_add("memory ");
	return &stream_case.late;
}

bool streams_lock_slowly(struct stream *stream, uint32_t tid)
{
	CHECK(tid == TID && futex_lock_owner(&stream->lock) == OTHER);
	return false;
}

void futex_lock_release_slowly(struct futex_lock *lock, uint32_t owner)
{
	CHECK(lock && owner == TID && futex_lock_owner(lock) == TID);
}

static const struct stream *of_tracker(const struct progress_tracker *tracker)
{
	uint32_t id = 1;
	while (&stream_case.streams[id].progress != tracker)
		id++;
	return &stream_case.streams[id];
}

void progress_tracker_pause(struct progress_tracker *tracker)
{
	trace_add("pause %u ", of_tracker(tracker)->id);
}

void progress_tracker_forget(struct progress_tracker *tracker)
{
	CHECK_EQUAL(futex_lock_owner(&of_tracker(tracker)->lock), TID);
	trace_add("forget %u ", of_tracker(tracker)->id);
}

void progress_tracker_give_up(struct progress_tracker *tracker)
{
	trace_add("give up %u ", of_tracker(tracker)->id);
}

bool captures_ask(CUstream stream)
{
	CHECK(stream);
	return true;
}

void grace_wait_arrivals(void)
{
	trace_add("wait ");
	if (stream_case.keys[0] == HANDLE)
		trace_add("(%" PRIu64 ") ", stream_case.values[0]);
}

void markers_follow_last(struct stream *stream)
{
	trace_add("marker %u ", stream->id);
}

void retired_add(struct context *context, struct stream *stream)
{
	CHECK(stream->context == context);
	stream->is_retired = true;
	trace_add("retire %u ", stream->id);
}

void retired_lay_down(struct context *context, struct stream *stream)
{
	CHECK(stream->context == context);
	trace_add("lay down %u ", stream->id);
}

bool retired_is_finished(const struct stream *stream)
{
	return stream->row->synced == stream->row->submitted;
}

bool retired_are_frozen(void)
{
	return stream_case.is_frozen;
}

void gone_handles_add(struct gone_handles *gone, uint64_t handle)
{
	CHECK(gone);
	trace_add("gone %" PRIx64 " ", handle);
}

void gone_handles_remove(struct gone_handles *gone, uint64_t handle)
{
	CHECK(gone);
	trace_add("back %" PRIx64 " ", handle);
}

bool gone_handles_has(const struct gone_handles *gone, uint64_t handle)
{
	CHECK(gone && handle);
	return false;
}

bool late_numbers_give(struct late_numbers *of)
{
	CHECK(of == &stream_case.late);
	trace_add("give ");
	return stream_case.gets_number;
}

void late_numbers_end(struct late_numbers *of)
{
	CHECK(of == &stream_case.late);
	trace_add("late end ");
}

void late_numbers_owe(struct late_numbers *of, uint32_t tid, struct stream *stream,
		      struct journal_record *row, uint64_t *owed)
{
	CHECK(of == &stream_case.late && tid == TID && !row);
	trace_add("owe %u %d ", stream->id, owed != NULL);
}

uint32_t stream_case_slot(uint64_t key)
{
	uint32_t i = 0;
	while (i < N_KEYS && stream_case.keys[i] != key)
		i++;
	return i;
}

bool handle_map_get(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	uint32_t i = stream_case_slot(key);
	CHECK(map && key);
	if (i < N_KEYS)
		*out_value = stream_case.values[i];
	return i < N_KEYS;
}

bool handle_map_put(struct handle_map *map, uint64_t key, uint64_t value)
{
	uint32_t i = stream_case_slot(key) < N_KEYS ? stream_case_slot(key) : stream_case_slot(0);
	CHECK(map && i < N_KEYS);
	stream_case.keys[i] = key;
	stream_case.values[i] = value;
	return true;
}

bool handle_map_put_new(struct handle_map *map, uint64_t key, uint64_t *value)
{
	if (stream_case.raced)
		*value = (uintptr_t)stream_case.raced;
	return handle_map_get(map, key, value) || handle_map_put(map, key, *value);
}

bool handle_map_take(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	bool is_there = handle_map_get(map, key, out_value);
	if (is_there)
		stream_case.keys[stream_case_slot(key)] = 0;
	return is_there;
}

bool handle_map_take_own(struct handle_map *map, uint64_t key, uint64_t value)
{
	uint64_t found = 0;
	return handle_map_get(map, key, &found) && found == value &&
	       handle_map_take(map, key, &found);
}

void stream_case_start(void)
{
	real.cuCtxGetCurrent = get_current;
	real.cuStreamGetCtx = get_context;
	stream_case.current = &stream_case.contexts[0];
}
