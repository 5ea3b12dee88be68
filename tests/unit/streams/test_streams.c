/*
 * test_streams.c - which stream a handle stands for, and when the driver is asked about it. The
 * driver and the recorder's other parts are simulated here.
 */
#include "record/streams/streams.h"

#include "record/driver/captures.h"
#include "record/driver/coredumps.h"
#include "record/driver/driver.h"
#include "record/host/clock.h"
#include "record/host/grace_period.h"
#include "record/streams/contexts.h"
#include "record/streams/late_numbers.h"
#include "record/streams/markers.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"
#include "support/check.h"

enum { TID = 100, N_STREAMS = 16 };

struct driver real;
int captures_under_way;
bool coredumps_watched;

/* Its lock refuses to be released without being held. */
static struct context context = {.handle = (CUcontext)0x1000,
				 .lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};
static struct stream streams[N_STREAMS];
static struct stream_row rows[N_STREAMS];
static uint32_t n_streams;
static unsigned n_asked; /* questions about an explicit stream */

static bool has_no_current;
static CUresult current_error;

static CUresult get_current(CUcontext *out)
{
	*out = has_no_current ? NULL : context.handle;
	return current_error;
}

static CUresult get_context(CUstream handle, CUcontext *out)
{
	CHECK(handle);
	n_asked++;
	*out = context.handle;
	return CUDA_SUCCESS;
}

struct context *contexts_of(CUcontext handle)
{
	CHECK(handle == context.handle);
	return &context;
}

struct stream *stream_make(struct context *of, CUstream handle, enum stream_kind kind, uint32_t tid)
{
	CHECK(of == &context && n_streams < N_STREAMS);
	struct stream *stream = &streams[n_streams];
	rows[n_streams] = (struct stream_row){.kind = (uint32_t)kind};
	*stream = (struct stream){.context = of,
				  .handle = handle,
				  .row = &rows[n_streams++],
				  .next_in_context = of->streams};
	CHECK_EQUAL(tid != 0, kind == STREAM_PER_THREAD);
	of->streams = stream;
	return stream;
}

uint64_t clock_ns(void)
{
	return 7;
}

bool streams_lock_slowly(struct stream *stream, uint32_t tid)
{
	(void)stream;
	(void)tid;
	return false;
}

void futex_lock_release_slowly(struct futex_lock *lock, uint32_t owner)
{
	(void)lock;
	(void)owner;
}

void progress_tracker_pause(struct progress_tracker *tracker)
{
	(void)tracker;
}

void progress_tracker_forget(struct progress_tracker *tracker)
{
	(void)tracker;
}

void progress_tracker_give_up(struct progress_tracker *tracker)
{
	(void)tracker;
}

bool captures_ask(CUstream stream)
{
	CHECK(!stream);
	return false;
}

static struct stream *leaving; /* the stream that is being destroyed */
static unsigned n_waits;

/* Threads that find the stream are waited for before it ends, and again before it is retired. */
void grace_wait_arrivals(void)
{
	n_waits++;
	if (leaving)
		CHECK(!leaving->is_retired && leaving->is_ended == (n_waits == 2));
}

static uint64_t followed; /* the last submission of a stream that got a marker at its end */

void markers_follow_last(struct stream *stream)
{
	CHECK(futex_lock_owner(&stream->lock) == TID && !stream->is_ended);
	followed = stream->row->submitted;
}

uint64_t markers_landed(const struct stream *stream)
{
	return stream->row->before;
}

uint64_t streams_submitted(const struct stream *stream)
{
	return stream->row->submitted;
}

void streams_finished(struct stream_row *of, uint64_t ordinal, uint32_t call)
{
	CHECK(!call);
	of->synced = ordinal;
}

bool late_numbers_give(struct late_numbers *late)
{
	return late != NULL;
}

/* Replaces the C library's function (--wrap). */
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	CHECK_EQUAL(__real_pthread_mutex_unlock(mutex), 0);
	return 0;
}

static void check_unlocked(void)
{
	CHECK_EQUAL(pthread_mutex_trylock(&context.lock), 0);
	CHECK_EQUAL(pthread_mutex_unlock(&context.lock), 0);
}

/* No handle is one of the two default streams, by the way that the program was compiled. */
static void test_default(struct stream_cache *cache)
{
	struct stream *legacy = streams_find(cache, NULL, false);
	struct stream *own = streams_find(cache, NULL, true);
	CHECK(legacy && legacy->row->kind == STREAM_LEGACY);
	CHECK(own && own->row->kind == STREAM_PER_THREAD);
	for (int i = 0; i < 2; i++) {
		CHECK(streams_find(cache, CU_STREAM_LEGACY, i) == legacy);
		CHECK(streams_find(cache, CU_STREAM_PER_THREAD, i) == own);
	}
	CHECK_EQUAL(n_asked, 0);
}

/* Without a context there is no default stream, although the thread has used it. */
static void test_no_context(struct stream_cache *cache)
{
	uint32_t n = n_streams;
	for (int i = 0; i < 2; i++) {
		has_no_current = i == 0;
		current_error = i == 0 ? CUDA_SUCCESS : CUDA_ERROR_DEINITIALIZED;
		for (int is_own = 0; is_own < 2; is_own++)
			CHECK(!streams_find(cache, NULL, is_own));
		CHECK(!streams_find(cache, CU_STREAM_LEGACY, false));
		CHECK(!streams_find(cache, CU_STREAM_PER_THREAD, false));
	}
	current_error = CUDA_SUCCESS;
	CHECK_EQUAL(n_streams, n);
}

/* The driver is asked once about a stream, and not about one that ended with its context. */
static void test_explicit(struct stream_cache *cache)
{
	CUstream handle = (CUstream)0x50;
	struct stream *stream = streams_find(cache, handle, false);
	CHECK(stream && stream->row->kind == STREAM_EXPLICIT && stream->handle == handle);
	CHECK(streams_find(cache, handle, true) == stream);
	CHECK_EQUAL(n_asked, 1);
	streams_ending(&context, TID);
	check_unlocked();
	CHECK_EQUAL(futex_lock_owner(&stream->lock), 0);
	CHECK(streams_find(cache, handle, false) == stream);
	streams_retire_all(&context);
	check_unlocked();
	CHECK(stream->is_retired && stream->row->destroyed_ns == 7);
	CHECK(!streams_find(cache, handle, false));
	CHECK_EQUAL(n_asked, 1);
	streams_created(handle); /* another stream of that name */
	CHECK(streams_find(cache, handle, false) && n_asked == 2);
	/* The legacy stream is made anew. The thread's own one lives as long as the thread. */
	CHECK(streams_find(cache, NULL, false) == &streams[n_streams - 1]);
	CHECK(streams_find(cache, NULL, true) == &streams[1] && !streams[1].is_retired);
}

/*
 * A stream that is being destroyed is found no more. It is retired once the driver may have
 * destroyed it, and its handle stays gone if the driver has.
 */
static void test_destroyed(struct stream_cache *cache)
{
	CUstream handle = (CUstream)0x60;
	struct stream *stream = streams_find(cache, handle, false);
	unsigned n = n_asked;
	stream->row->submitted = 3;
	leaving = stream;
	streams_destroying(handle, TID);
	leaving = NULL;
	check_unlocked();
	CHECK_EQUAL(n_waits, 2);
	CHECK(stream->is_ended && stream->is_retired && stream->row->destroyed_ns == 7);
	CHECK_EQUAL(futex_lock_owner(&stream->lock), 0);
	CHECK_EQUAL(followed, 3);
	CHECK(!streams_find(cache, handle, false));
	streams_destroyed(handle, true);
	CHECK(!streams_find(cache, handle, false));
	CHECK_EQUAL(n_asked, n);
	streams_created(handle);
	struct stream *next = streams_find(cache, handle, false);
	CHECK(next && next != stream && n_asked == n + 1);
	/* The driver refuses to destroy this one, so it is asked about it again. */
	streams_destroying(handle, TID);
	streams_destroyed(handle, false);
	CHECK(streams_find(cache, handle, false) && n_asked == n + 2);
	/* A default stream is not destroyed. */
	streams_destroying(NULL, TID);
	streams_destroying(CU_STREAM_LEGACY, TID);
	CHECK(streams_find(cache, NULL, false)->row->destroyed_ns == 0);
}

/* A context ends with its streams and their handles. Finished streams serve others. */
static void test_context_destroyed(struct stream_cache *cache)
{
	CUstream handle = (CUstream)0x70;
	struct stream *stream = streams_find(cache, handle, false);
	uint64_t generation = streams_generation;
	for (uint32_t i = 0; i < n_streams; i++)
		rows[i].before = rows[i].submitted;
	stream->row->before = 0;
	stream->row->submitted = 1;
	CHECK(!streams_context_destroyed(&context, TID));
	check_unlocked();
	CHECK(streams_generation > generation && !stream->is_retired);
	CHECK_EQUAL(stream->row->synced, 0);
	stream->row->before = 1;
	CHECK(streams_context_destroyed(&context, TID));
	check_unlocked();
	CHECK(stream->is_retired);
	CHECK_EQUAL(stream->row->synced, 1);
	unsigned n = n_asked;
	CHECK(streams_find(cache, handle, false) != stream);
	CHECK_EQUAL(n_asked, n + 1);
}

int main(void)
{
	static struct stream_finds finds;
	struct stream_cache cache = {.finds = &finds};
	real.cuCtxGetCurrent = get_current;
	real.cuStreamGetCtx = get_context;
	test_default(&cache);
	test_no_context(&cache);
	test_explicit(&cache);
	test_destroyed(&cache);
	test_context_destroyed(&cache);
	return 0;
}
