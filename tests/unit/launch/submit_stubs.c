/*
 * submit_stubs.c - the recorder as submissions see it.
 */
#include "launch/submit_stubs.h"

#include "call/submission.h"
#include "record/driver/captures.h"
#include "record/journal/call_names.h"
#include "record/journal/sequence.h"
#include "record/streams/streams.h"
#include "support/check.h"

unsigned submit_flags;
struct thread submit_thread;
struct stream submit_stream;
struct stream_row submit_row;
uint64_t submit_time;

uint64_t sequence_word;
uint64_t streams_generation = 1;
int captures_under_way;
bool nvtx_used;
bool rings_are_frozen;
const char *progress_refusal;
uint32_t call_name_ids[N_DRIVER_CALLS];
struct driver real;

/* A ring in memory; a row is appended here by a copy of the draft. */
static struct {
	struct file_header header;
	struct journal_record rows[SUBMIT_ROWS];
} submit_ring;

static const uint64_t counter, no_entry;

void submit_reset(unsigned flags)
{
	submit_flags = flags;
	submit_time = 1000;
	sequence_word = 90;
	captures_under_way = flags & SUBMIT_CAPTURES ? 1 : 0;
	nvtx_used = flags & SUBMIT_NVTX;
	memset(&submit_ring, 0x5a, sizeof(submit_ring));
	submit_thread = (struct thread){.tid = SUBMIT_TID};
	submit_thread.ring.header = &submit_ring.header;
	submit_thread.ring.capacity = flags & SUBMIT_FULL ? 0 : SUBMIT_ROWS;
	submit_row = (struct stream_row){.submitted = 40};
	submit_stream = (struct stream){
		.id = 11, .handle = (CUstream)0x55, .row = &submit_row, .marked = 3};
	submit_stream.lock.state = flags & SUBMIT_BUSY ? SUBMIT_OTHER_TID : 0;
	submit_stream.quiet_until_ns = flags & SUBMIT_QUIET ? UINT64_MAX : 0;
	if (flags & SUBMIT_TOLD) {
		submit_stream.progress.place = &counter;
		submit_stream.progress.entries = &no_entry;
		submit_stream.progress.entry = (const volatile struct progress_entry *)&submit_ring;
	}
}

void submit_trace_row(const struct journal_record *row)
{
	trace_add("row #%" PRIu64 " at %" PRIu64 " ordinal %" PRIu64 " tid %u stream %u stack %u",
		  row->sequence, row->time_ns, row->ordinal, row->tid, row->stream, row->stack);
	trace_add(" result %d call %u kind %u work %u flags %u", row->result, row->call, row->kind,
		  row->work, row->flags);
	for (size_t i = 0; i < RECORD_PAYLOAD; i += sizeof(uint32_t)) {
		uint32_t word = 0;
		memcpy(&word, row->argument_bytes + i, sizeof(word));
		if (word)
			trace_add(" %zu:%x", i, word);
	}
	trace_add("\n");
}

struct journal_record *ring_append(struct ring *to, const struct journal_record *record)
{
	CHECK(to == &submit_thread.ring);
	trace_add("append ");
	submit_trace_row(record);
	if (submit_flags & SUBMIT_FULL)
		return NULL;
	struct journal_record *row = &submit_ring.rows[to->next++];
	*row = *record;
	return row;
}

uint64_t tick_clock_ask(struct tick_clock *clock)
{
	CHECK(clock == &submit_thread.clock);
	submit_time += 10;
	return submit_time;
}

uint32_t call_name_miss(struct call_name *newest, enum driver_call call)
{
	CHECK(newest == &submit_thread.call_name);
	CHECK(driver_calls[call].name[0]);
	return 60;
}

uint32_t call_name_discover(enum driver_call call)
{
	CHECK(driver_calls[call].name[0]);
	return 61;
}

bool nvtx_journal(struct ring *to, uint32_t tid)
{
	CHECK(to == &submit_thread.ring);
	trace_add("ranges of %u\n", tid);
	return submit_flags & SUBMIT_RANGES;
}

bool captures_ask(CUstream stream)
{
	CHECK(stream == submit_stream.handle);
	trace_add("captures?\n");
	return true;
}

struct stream *streams_find(struct stream_cache *cache, CUstream handle, bool is_default_per_thread)
{
	CHECK(cache == &submit_thread.streams);
	trace_add("find %x %d\n", (unsigned)(uintptr_t)handle, is_default_per_thread);
	return submit_flags & SUBMIT_UNKNOWN ? NULL : &submit_stream;
}

bool streams_lock_slowly(struct stream *stream, uint32_t tid)
{
	CHECK(stream == &submit_stream);
	trace_add("lock slowly %u\n", tid);
	if (submit_flags & SUBMIT_WAITS)
		stream->lock.state = tid;
	return submit_flags & SUBMIT_WAITS;
}

void futex_lock_release_slowly(struct futex_lock *lock, uint32_t owner)
{
	CHECK(lock == &submit_stream.lock);
	trace_add("release %u of %u\n", owner, lock->state);
}

bool streams_lock_after(struct stream *stream, uint32_t tid, uint64_t call_ns)
{
	CHECK(stream == &submit_stream);
	trace_add("lock after %" PRIu64 "\n", call_ns);
	if (!(submit_flags & SUBMIT_NO_TURN))
		stream->lock.state = tid;
	return !(submit_flags & SUBMIT_NO_TURN);
}

uint64_t streams_pass(struct stream *stream)
{
	CHECK(stream == &submit_stream);
	trace_add("pass\n");
	return 33;
}

void streams_note_lost(void)
{
	trace_add("lost\n");
}

void streams_follow_again(struct stream *stream)
{
	CHECK(stream == &submit_stream && submit_row.submitted > 40);
	trace_add("follow again\n");
}

void markers_consider(struct stream *stream, uint64_t ordinal, uint64_t now_ns,
		      struct journal_record *row, bool is_told)
{
	CHECK(stream == &submit_stream);
	CHECK_EQUAL(stream->lock.state, SUBMIT_TID);
	trace_add("markers %" PRIu64 " at %" PRIu64 " row %d told %d\n", ordinal, now_ns,
		  row != NULL, is_told);
}

bool progress_tracker_follow(struct progress_tracker *tracker, const struct journal_record *row)
{
	CHECK(tracker == &submit_stream.progress);
	trace_add("follow row %d\n", row != NULL);
	return false;
}

bool progress_note_elsewhere(struct progress_tracker *tracker, uint64_t ordinal,
			     struct journal_record *row)
{
	CHECK(tracker == &submit_stream.progress);
	trace_add("note %" PRIu64 " row %d\n", ordinal, row != NULL);
	return true;
}

/* The counters have no entry of the stream, so nothing else is asked of them. */
bool progress_note_stopped(struct progress_tracker *tracker)
{
	CHECK(!tracker);
	return false;
}

bool progress_note_other(struct progress_tracker *tracker, uint32_t kind, uint64_t ordinal,
			 struct journal_record *row)
{
	CHECK(!tracker && kind && ordinal && row);
	return false;
}

bool progress_note_channel(struct progress_tracker *tracker, uint64_t object, bool is_kernel)
{
	CHECK(!tracker && object && is_kernel);
	return false;
}

uint32_t progress_note_state(struct progress_tracker *tracker, uint64_t kernel,
			     const struct journal_record *row)
{
	CHECK(!tracker && kernel && row);
	return 0;
}
