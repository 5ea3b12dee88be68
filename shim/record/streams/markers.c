/*
 * markers.c - decide when a marker is worth its cost, and write it in one of three ways.
 */
#include "record/streams/markers.h"

#include "base/hot.h"
#include "record/driver/driver.h"
#include "record/driver/environment.h"
#include "record/host/clock.h"
#include "record/progress/progress_samples.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_rows.h"

/*
 * auto spends about 3 % of the host's time at most: between two markers are 32 times the cost of
 * one (0.7 us to 2 us, by the host). While the GPU lags, host time is free and every submission is
 * followed. The GPU lags if a marker has not landed, or was seen landed, so long after it was sent
 * that work must have been waiting before it (BEHIND_NS is chosen, not measured). With several busy
 * streams each marker also costs overlap on the GPU: 5-10 % when every launch of 2-8 streams has
 * one. With a single hardware queue it makes all streams wait. So there is one in 200 us, and one
 * in 2 ms. (Measured on an H200, driver 580.159.)
 */
enum {
	/*
	 * Inline markers for a context's first submissions, half a millisecond of GPU time in all:
	 * a program that fails early leaves no time to find and check anything else.
	 */
	N_EARLY = 256,
	PAUSE_PER_COST = 32,
	MAX_COST_NS = 5 * 1000, /* a higher cost is not the marker's: the thread was interrupted */
	COMPANY_NS = 200 * 1000,
	ONE_QUEUE_NS = 2 * 1000 * 1000,
	BEHIND_NS = 40 * 1000,
	ALONE_AFTER = 64, /* submissions of the context without another stream's */
};

/* Written at start only. */
static struct marker_setting setting;
static bool has_one_queue;

void markers_start(const struct marker_setting *wanted)
{
	setting = *wanted;
	has_one_queue = environment_has_one_queue();
}

bool markers_are_wanted(void)
{
	return setting.scheme != MARKERS_OFF;
}

uint64_t markers_landed(const struct stream *stream)
{
	/* Pairs with the release store in equip(). */
	const volatile uint32_t *word = __atomic_load_n(&stream->word, __ATOMIC_ACQUIRE);
	if (!word)
		return __atomic_load_n(&stream->row->before, __ATOMIC_RELAXED);
	/*
	 * The word holds 32 bits. Its ordinal is at most `submitted`, if that is read after the
	 * word: the GPU and submitting threads go on meanwhile.
	 */
	uint32_t landed = __atomic_load_n(word, __ATOMIC_ACQUIRE);
	uint64_t submitted = streams_submitted(stream);
	return submitted - (uint32_t)((uint32_t)submitted - landed);
}

/*
 * Guess whether no other stream of the context was used lately. Threads may mix up its words, and
 * count two submissions as one.
 */
static bool is_alone(const struct stream *stream)
{
	struct marker_memory *memory = &stream->context->markers;
	uint32_t now = __atomic_load_n(&memory->n_submissions, __ATOMIC_RELAXED) + 1;
	__atomic_store_n(&memory->n_submissions, now, __ATOMIC_RELAXED);
	if (__atomic_load_n(&memory->newest_stream, __ATOMIC_RELAXED) != stream->id) {
		__atomic_store_n(&memory->newest_stream, stream->id, __ATOMIC_RELAXED);
		__atomic_store_n(&memory->switched_at, now, __ATOMIC_RELAXED);
	}
	uint32_t switched = __atomic_load_n(&memory->switched_at, __ATOMIC_RELAXED);
	/* The first stream is alone until a second one appears. */
	return switched <= 1 || now - switched >= ALONE_AFTER;
}

/* Threads' clocks differ by a microsecond (tick_clock.h): treat a future time as now. */
static uint64_t time_since(uint64_t then_ns, uint64_t now_ns)
{
	return now_ns > then_ns ? now_ns - then_ns : 0;
}

/* Under the stream's lock. */
static bool is_gpu_behind(struct stream *stream, uint64_t now_ns)
{
	bool is_late = time_since(stream->probe_ns, now_ns) >= BEHIND_NS;
	if (!stream->probe)
		return stream->is_behind;
	if (markers_landed(stream) >= stream->probe) {
		stream->probe = 0;
		stream->is_behind = is_late;
	} else if (is_late) {
		stream->is_behind = true;
	}
	return stream->is_behind;
}

/* True before setting.first, which asks for inline markers. A submission without a row is not. */
static bool is_before(const struct journal_record *row)
{
	return setting.first && row && row->sequence < setting.first;
}

/* False once a stream has a side marker: an inline one might land before that. */
static bool is_early(const struct stream *stream)
{
	return (setting.scheme == MARKERS_AUTO || setting.first) && !stream->row->side &&
	       __atomic_load_n(&stream->context->markers.n_early, __ATOMIC_RELAXED) < N_EARLY;
}

/* The interval of markers on a stream that has progress counters. */
static const uint64_t WITNESS_NS = 1000ull * 1000 * 1000;

/*
 * How long such a stream goes without another check whether it needs a marker: it may move to a
 * channel whose counter is not trusted yet.
 */
static const uint64_t QUIET_NS = 100ull * 1000 * 1000;

/* Skip the check for further submissions until then, because its answer would be no. */
static void be_quiet(struct stream *stream, uint64_t now_ns)
{
	uint64_t witness_ns = stream->marked_ns + WITNESS_NS;
	uint64_t asked_ns = now_ns + QUIET_NS;
	stream->quiet_until_ns = witness_ns < asked_ns ? witness_ns : asked_ns;
}

static bool is_time_adaptively(struct stream *stream, uint64_t now_ns, bool is_told)
{
	if (is_early(stream))
		return true;
	if (is_told)
		return time_since(stream->marked_ns, now_ns) >= WITNESS_NS;
	/* Unordered work has no exact verdict even with a marker after each. */
	uint32_t flags = __atomic_load_n(&stream->row->flags, __ATOMIC_RELAXED);
	bool alone = is_alone(stream) && !(flags & STREAM_UNORDERED);
	bool is_behind = is_gpu_behind(stream, now_ns);
	uint64_t pause = has_one_queue ? ONE_QUEUE_NS
			 : alone       ? stream->marker_cost_ns * PAUSE_PER_COST
				       : COMPANY_NS;
	if (time_since(stream->marked_ns, now_ns) >= pause)
		return true;
	return alone && !has_one_queue && is_behind;
}

static bool is_time(struct stream *stream, uint64_t ordinal, uint64_t now_ns,
		    const struct journal_record *row, bool is_told)
{
	if (setting.scheme == MARKERS_OFF)
		return false;
	if (is_before(row))
		return is_early(stream) || time_since(stream->marked_ns, now_ns) >= WITNESS_NS;
	if (setting.scheme == MARKERS_AUTO)
		return is_time_adaptively(stream, now_ns, is_told);
	return setting.interval <= 1 || ordinal % setting.interval == 0;
}

/* An event can be recorded only in its own context, and another one may be current. */
static bool make_event(struct stream *stream)
{
	bool has_pushed = false;
	if (!contexts_enter(stream->context, &has_pushed))
		return false;
	CUresult result = real.cuEventCreate(&stream->event, CU_EVENT_DISABLE_TIMING);
	contexts_leave(has_pushed);
	return result == CUDA_SUCCESS;
}

/* Give the stream an event, and publish its side stream. */
static bool equip_side(struct stream *stream)
{
	if (!stream->event && !make_event(stream))
		return false;
	__atomic_store_n(&stream->row->side, stream->side_number, __ATOMIC_RELAXED);
	return true;
}

/* Give the stream a word and one of the side streams. */
static bool equip(struct stream *stream)
{
	struct marker_memory *memory = &stream->context->markers;
	if (stream->word)
		return true;
	if (__atomic_load_n(&memory->state, __ATOMIC_ACQUIRE) != MARKER_MEMORY_READY)
		return false;
	uint32_t n = __atomic_fetch_add(&memory->n_words, 1, __ATOMIC_RELAXED);
	if (n >= MARKER_WORDS)
		return false;
	uint32_t side = n % __atomic_load_n(&memory->n_side, __ATOMIC_ACQUIRE);
	stream->side = memory->side[side];
	stream->side_number = side + 1;
	stream->device_word = memory->device_words + n * sizeof(uint32_t);
	/* Proves nothing yet: `before` is already known to be finished. */
	memory->words[n] = (uint32_t)stream->row->before;
	/* From here on other threads read it in markers_landed(). */
	__atomic_store_n(&stream->word, &memory->words[n], __ATOMIC_RELEASE);
	return true;
}

static CUresult write_side(const struct stream *stream, uint32_t value)
{
	CUresult result = real.cuEventRecord(stream->event, stream->handle);
	/* The wait takes the event's present state, so the event may be recorded again at once. */
	if (result == CUDA_SUCCESS)
		result = real.cuStreamWaitEvent(stream->side, stream->event, 0);
	if (result == CUDA_SUCCESS)
		result = real.cuStreamWriteValue32_v2(stream->side, stream->device_word, value,
						      CU_STREAM_WRITE_VALUE_DEFAULT);
	return result;
}

static CUresult write_inline(const struct stream *stream, uint32_t value)
{
	return real.cuStreamWriteValue32_v2(stream->handle, stream->device_word, value,
					    CU_STREAM_WRITE_VALUE_DEFAULT);
}

/* Learn a marker's cost for auto, and watch the marker. Under the stream's lock. */
static void learn(struct stream *stream, uint64_t ordinal, uint64_t sent_ns)
{
	uint64_t cost_ns = clock_ns() - sent_ns;
	if (cost_ns <= MAX_COST_NS)
		stream->marker_cost_ns = (3 * stream->marker_cost_ns + cost_ns) / 4;
	if (!stream->probe) {
		stream->probe = ordinal;
		stream->probe_ns = sent_ns;
	}
}

/* Send a marker; true if one was sent. */
static COLD bool follow(struct stream *stream, uint64_t ordinal, uint64_t now_ns,
			struct journal_record *row)
{
	bool early = is_early(stream);
	bool is_inline = setting.scheme == MARKERS_INLINE || early;
	/* The context's end destroys the event and side stream, even if they are in use. */
	bool is_ending = contexts_is_ending(stream->context) ||
			 __atomic_load_n(&stream->is_ended, __ATOMIC_SEQ_CST);
	if (is_ending || !equip(stream) || (!is_inline && !equip_side(stream)))
		return false;
	uint64_t sent_ns = setting.scheme == MARKERS_AUTO ? clock_ns() : 0;
	CUresult result = is_inline ? write_inline(stream, (uint32_t)ordinal)
				    : write_side(stream, (uint32_t)ordinal);
	/* After a failure, or out of resources: there is just no marker. */
	if (result != CUDA_SUCCESS)
		return false;
	if (is_inline)
		progress_samples_note(&stream->progress);
	if (early)
		__atomic_fetch_add(&stream->context->markers.n_early, 1, __ATOMIC_RELAXED);
	else if (sent_ns)
		learn(stream, ordinal, sent_ns);
	stream->marked_ns = now_ns;
	stream->marked = ordinal;
	uint16_t flag = is_inline ? RECORD_MARKED_INLINE : RECORD_MARKED_SIDE;
	if (row)
		__atomic_store_n(&row->flags, row->flags | flag, __ATOMIC_RELAXED);
	return true;
}

static uint64_t landed(const void *stream)
{
	return markers_landed(stream);
}

/* For inline markers only: work before a side marker may have finished long ago. */
static COLD void try_words(struct stream *stream)
{
	if (!stream->row->side)
		progress_samples_take(&stream->progress, landed, stream);
}

void markers_consider(struct stream *stream, uint64_t ordinal, uint64_t now_ns,
		      struct journal_record *row, bool is_told)
{
	bool is_tried = is_told && stream->word && progress_samples_go_on(&stream->progress);
	if (is_tried)
		try_words(stream);
	if (is_time(stream, ordinal, now_ns, row, is_told))
		(void)follow(stream, ordinal, now_ns, row);
	else if (is_told && !is_tried && setting.scheme == MARKERS_AUTO)
		be_quiet(stream, now_ns);
}

void markers_follow_last(struct stream *stream)
{
	uint64_t last = streams_submitted(stream);
	if (setting.scheme == MARKERS_OFF || stream->marked == last)
		return;
	/* Store this first: once sent, other streams' markers may wait for this one. */
	__atomic_store_n(&stream->row->followed, last, __ATOMIC_RELAXED);
	if (!follow(stream, last, clock_ns(), NULL))
		__atomic_store_n(&stream->row->followed, 0, __ATOMIC_RELAXED);
}
