/*
 * test_stream_ends.c - what is released when a stream, a thread or a context ends, and what a
 * thread's cache keeps.
 */
#include "contexts/stream_case.h"

#include "record/driver/captures.h"
#include "record/streams/streams.h"
#include "support/check.h"

static struct stream_finds finds;
static struct stream_cache cache = {.finds = &finds};

static struct stream *find(uintptr_t handle)
{
	return streams_find(&cache, (CUstream)handle, false);
}

/* Check the newest one in the cache, and forget what was traced. */
static void check_newest(const struct stream *stream, uint64_t key)
{
	(void)trace_take();
	CHECK(stream && cache.stream == stream && cache.key == key);
	CHECK_EQUAL(cache.generation, streams_generation);
	CHECK(finds.entries[(key >> 4) % STREAM_CACHE].stream == stream);
}

static void test_found(void)
{
	stream_case.has_no_streams = true;
	CHECK(!find(HANDLE) && !stream_case.keys[0]);
	stream_case.has_no_streams = false;
	struct stream *stream = find(HANDLE);
	CHECK_TRACE("ask ask ");
	check_newest(stream, HANDLE);
	struct stream *legacy = find(0);
	check_newest(legacy, 0x1001);
	CHECK(find(HANDLE) == stream);
	check_newest(stream, HANDLE);
	CHECK(find(0) == legacy);
	check_newest(legacy, 0x1001);
	stream_case.raced = stream;
	CHECK(find(0x60) == stream);
	CHECK_TRACE("ask [0 retire 3 ] ");
	CHECK(stream_case.rows[3].destroyed_ns == 7 && !stream_case.rows[1].destroyed_ns);
}

static void test_own(void)
{
	struct stream *own[2];
	for (int i = 0; i < 6; i++) {
		stream_case.current = &stream_case.contexts[i % 2];
		struct stream *stream = streams_find(&cache, NULL, true);
		CHECK(i < 2 || stream == own[i % 2]);
		CHECK_EQUAL(stream->row->destroyed_ns, 0);
		stream->row->destroyed_ns = 5;
		own[i % 2] = stream;
	}
	CHECK(own[0] != own[1] && stream_case.n_streams == 2);
	finds.late = &stream_case.late;
	own[0]->lock.state = OTHER;
	streams_thread_finished(&cache, TID);
	CHECK_TRACE("late end forget 2 give up 2 [1 retire 2 ] give up 1 [0 retire 1 ] ");
	CHECK(!finds.own && !own[1]->lock.state && own[0]->lock.state == OTHER);
}

/* While a number is owed, nothing is found in the cache. */
static void test_owed(void)
{
	struct file_header ring = {.owed = 0};
	struct stream *stream = find(HANDLE);
	CHECK_TRACE("ask ");
	streams_owe_number(&cache, TID, stream, NULL, &ring);
	CHECK_TRACE("memory owe 1 1 ");
	CHECK(finds.late == &stream_case.late && !cache.key && !cache.stream && !cache.generation);
	for (int i = 0; i < STREAM_CACHE; i++)
		CHECK(!finds.entries[i].key && !finds.entries[i].generation);
	streams_owe_number(&cache, TID, stream, NULL, NULL);
	CHECK_TRACE("owe 1 0 ");
	CHECK(find(HANDLE) == stream && find(HANDLE) == stream);
	CHECK_TRACE("give give ");
	stream_case.gets_number = true;
	CHECK(find(HANDLE) == stream && find(HANDLE) == stream);
	CHECK_TRACE("give ");
}

static void destroy(uint64_t synced, uint32_t owner)
{
	struct stream *stream = find(HANDLE);
	(void)trace_take();
	stream->row->synced = synced;
	stream->lock.state = owner;
	streams_destroying((CUstream)HANDLE, TID);
	CHECK(stream->is_ended && stream->lock.state == owner && stream_case.keys[0] == HANDLE);
	streams_destroyed((CUstream)HANDLE, true);
	CHECK(!stream_case.keys[0]);
}

/* A marker follows work that may be unfinished, if the stream can be locked and asked. */
static void test_destroyed(void)
{
	destroy(0, 0);
	const char *ends = strchr(trace_take(), '[');
	CHECK_STRING(ends, "[0 retire 1 ] ");
	destroy(1, 0);
	CHECK(!strstr(trace_take(), "marker"));
	captures_under_way = 1;
	destroy(0, 0);
	CHECK(!strstr(trace_take(), "marker"));
	captures_under_way = 0;
	destroy(0, OTHER);
	const char *trace = trace_take();
	CHECK(!strstr(trace, "marker") && !strstr(trace, "forget") && strstr(trace, "give up 4 "));
	(void)find(HANDLE);
	(void)trace_take();
	uint64_t value = stream_case.values[0];
	char wanted[160];
	streams_destroying((CUstream)HANDLE, TID);
	(void)snprintf(wanted, sizeof(wanted),
		       "wait (%" PRIu64 ") gone 50 marker 5 forget 5 give up 5 wait (%" PRIu64
		       ") [0 retire 5 ] ",
		       value, stream_case.values[0]);
	CHECK_TRACE(wanted);
	CHECK(stream_case.values[0] != value && !find(HANDLE));
	CHECK_TRACE("");
	streams_created((CUstream)HANDLE);
	CHECK_TRACE("back 50 ");
	CHECK(!stream_case.keys[0]);
}

/* Three streams: a legacy one, an explicit one, and one of a handle that another context has. */
static void make_three(void)
{
	(void)find(0);
	(void)find(HANDLE);
	(void)find(0x60);
	stream_case.streams[3].is_retired = true;
	(void)trace_take();
}

static void test_context_ends(void)
{
	make_three();
	stream_case.streams[2].lock.state = OTHER;
	streams_ending(&stream_case.contexts[0], TID);
	CHECK_TRACE("[0 gone 50 ] pause 3 give up 2 pause 1 ");
	CHECK(!stream_case.streams[1].lock.state && !stream_case.streams[3].lock.state);
	stream_case.contexts[0].primary = &stream_case.contexts[1];
	streams_ending(&stream_case.contexts[0], TID);
	CHECK_TRACE("[0 gone 50 ] forget 3 give up 3 give up 2 forget 1 give up 1 ");
	streams_retire_all(&stream_case.contexts[0]);
	CHECK_TRACE("[0 retire 2 retire 1 ] ");
	CHECK(stream_case_slot(HANDLE) == N_KEYS && stream_case_slot(0x1001) == N_KEYS &&
	      stream_case_slot(0x60) < N_KEYS);
	CHECK(stream_case.rows[1].destroyed_ns == 7 && stream_case.rows[3].destroyed_ns == 7);
	/* A retired legacy stream leaves the handle to the next one. */
	(void)find(0);
	(void)trace_take();
	stream_case.streams[4].context = &stream_case.contexts[1];
	stream_case.contexts[0].streams = &stream_case.streams[3];
	streams_retire_all(&stream_case.contexts[0]);
	CHECK_TRACE("[0 ] ");
	CHECK(stream_case_slot(0x1001) < N_KEYS);
}

static void test_context_destroyed(void)
{
	make_three();
	for (int i = 1; i <= 3; i++)
		stream_case.rows[i].synced = 1;
	stream_case.streams[2].lock.state = OTHER;
	CHECK(!streams_context_destroyed(&stream_case.contexts[0], TID));
	CHECK_TRACE("[0 forget 3 give up 2 forget 1 ] ");
	CHECK(stream_case.rows[2].destroyed_ns == 7 && !stream_case.streams[1].lock.state);
	stream_case.streams[2].lock.state = 0;
	stream_case.streams[1].n_beside = 1;
	CHECK(!streams_context_destroyed(&stream_case.contexts[0], TID));
	CHECK_TRACE("[0 forget 3 forget 2 forget 1 ] ");
	stream_case.streams[1].n_beside = 0;
	stream_case.is_frozen = true;
	CHECK(!streams_context_destroyed(&stream_case.contexts[0], TID));
	stream_case.is_frozen = false;
	(void)trace_take();
	uint64_t generation = streams_generation;
	CHECK(streams_context_destroyed(&stream_case.contexts[0], TID));
	CHECK_TRACE("[0 forget 3 forget 2 forget 1 lay down 3 lay down 2 lay down 1 ] ");
	CHECK_EQUAL(streams_generation, generation + 1);
}

int main(void)
{
	static void (*const tests[])(void) = {test_found,        test_own,
					      test_owed,         test_destroyed,
					      test_context_ends, test_context_destroyed};
	stream_case_start();
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		check_in_child(tests[i]);
	return 0;
}
