/*
 * reference.c - each rule is a function over all work, without an index or a shortcut, so that it
 * reads as the rule does.
 */
#include "reference/reference.h"

#include <string.h>

#include "base/failure_class.h"
#include "support/check.h"

enum { MAX_STREAMS = 64, MAX_EDGES = 16384 };
#define UNLIMITED UINT64_MAX

/* Work of `waiter` after `above` waits until `source` has finished `upto`. */
struct wait {
	uint32_t waiter, source;
	uint64_t above, upto;
};

struct story {
	const struct bundle_view *view;
	const struct failure_row *failure;
	uint32_t n_streams;
	uint64_t done[MAX_STREAMS];    /* by stream id: proven finished up to here */
	uint64_t wall[MAX_STREAMS];    /* work after this ordinal comes after a missing marker */
	uint64_t blocked[MAX_STREAMS]; /* work after this ordinal comes after a wait not passed */
	uint32_t n_work;
	struct journal_record work[REFERENCE_MAX_WORK];
	uint32_t n_waits;
	struct wait waits[MAX_EDGES];
};

static void add_wait(struct story *story, struct wait wait)
{
	CHECK(story->n_waits < MAX_EDGES);
	if (wait.upto > 0 && wait.source != wait.waiter &&
	    wait.upto <= view_stream(story->view, wait.source)->submitted)
		story->waits[story->n_waits++] = wait;
}

static bool is_legacy(const struct stream_row *stream)
{
	return stream->kind == STREAM_LEGACY;
}

static bool has_barrier(const struct stream_row *a, const struct stream_row *b)
{
	const struct stream_row *other = is_legacy(a) ? b : a;
	return a->context == b->context && is_legacy(a) != is_legacy(b) &&
	       !(other->flags & STREAM_NON_BLOCKING);
}

/* Rule 7: the legacy barrier is as event waits between the calls of one thread. */
static void add_barriers(struct story *story, const struct journal_record *work,
			 const uint64_t *newest)
{
	for (uint32_t id = 1; id <= story->n_streams; id++)
		if (has_barrier(view_stream(story->view, work->stream),
				view_stream(story->view, id)))
			add_wait(story,
				 (struct wait){work->stream, id, work->ordinal - 1, newest[id]});
}

/* Rule 3: the driver may have accepted it. */
static bool is_queued(const struct story *story, const struct journal_record *work)
{
	return work->result == 0 || work->result == RESULT_PENDING ||
	       (work->flags & RECORD_SYNCHRONOUS && work->result == story->failure->code);
}

static void read_thread(struct story *story, uint32_t slot)
{
	uint64_t newest[MAX_STREAMS] = {0};
	uint64_t written = view_written(story->view, slot);
	for (uint64_t i = 0; i < written; i++) {
		struct journal_record record;
		uint64_t position = (view_oldest(story->view, slot) + i) % written;
		if (!view_record(story->view, slot, position, &record))
			continue;
		if (record.kind == RECORD_EVENT_WAIT)
			add_wait(story, (struct wait){record.stream, record.event.source_stream,
						      record.ordinal, record.event.source_ordinal});
		if (record.kind != RECORD_SUBMISSION || !is_queued(story, &record))
			continue;
		add_barriers(story, &record, newest);
		newest[record.stream] = record.ordinal;
		CHECK(story->n_work < REFERENCE_MAX_WORK);
		story->work[story->n_work++] = record;
	}
}

/* Rule 1. */
static void read_streams(struct story *story)
{
	const struct stream_row *row = NULL;
	while ((row = view_stream(story->view, story->n_streams + 1)) != NULL) {
		story->n_streams++;
		CHECK(story->n_streams < MAX_STREAMS);
		story->done[story->n_streams] =
			row->synced > row->marked ? row->synced : row->marked;
	}
}

/* Rule 2, until it proves nothing more. */
static void pass_waits(struct story *story)
{
	for (bool is_new = true; is_new;) {
		is_new = false;
		for (uint32_t i = 0; i < story->n_waits; i++) {
			const struct wait *wait = &story->waits[i];
			if (story->done[wait->waiter] > wait->above &&
			    story->done[wait->source] < wait->upto) {
				story->done[wait->source] = wait->upto;
				is_new = true;
			}
		}
	}
}

static bool is_unfinished(const struct story *story, const struct journal_record *work)
{
	return work->ordinal > story->done[work->stream];
}

static const struct journal_record *work_at(const struct story *story, uint32_t stream,
					    uint64_t ordinal)
{
	for (uint32_t i = 0; i < story->n_work; i++)
		if (story->work[i].stream == stream && story->work[i].ordinal == ordinal)
			return &story->work[i];
	return NULL;
}

/* Rule 7. */
static bool is_held(const struct story *story, const struct wait *wait)
{
	return wait->upto > story->done[wait->source] &&
	       (wait->upto >= story->wall[wait->source] ||
		wait->upto > story->blocked[wait->source]);
}

/* Rules 5 to 7, with markers that have one of the flags. */
static void find_limits(struct story *story, uint32_t markers)
{
	for (uint32_t id = 0; id <= story->n_streams; id++)
		story->wall[id] = story->blocked[id] = UNLIMITED;
	for (uint32_t i = 0; i < story->n_work; i++) {
		const struct journal_record *work = &story->work[i];
		if (work->flags & markers && is_unfinished(story, work) &&
		    work->ordinal < story->wall[work->stream])
			story->wall[work->stream] = work->ordinal;
	}
	for (bool is_new = true; is_new;) {
		is_new = false;
		for (uint32_t i = 0; i < story->n_waits; i++) {
			const struct wait *wait = &story->waits[i];
			if (is_held(story, wait) && wait->above < story->blocked[wait->waiter]) {
				story->blocked[wait->waiter] = wait->above;
				is_new = true;
			}
		}
	}
}

/*
 * Rule 5: programmatic launches directly after the marker may start early. So may work without a
 * record: it may be such a launch.
 */
static bool is_early(const struct story *story, uint32_t stream, uint64_t ordinal)
{
	for (uint64_t i = story->wall[stream] + 1; i <= ordinal; i++) {
		const struct journal_record *between = work_at(story, stream, i);
		if (between && !(between->flags & RECORD_OVERLAPS))
			return false;
	}
	return true;
}

static bool can_have_started(const struct story *story, uint32_t stream, uint64_t ordinal)
{
	return ordinal <= story->blocked[stream] &&
	       (ordinal <= story->wall[stream] || is_early(story, stream, ordinal));
}

static bool is_suspect(const struct story *story, const struct journal_record *work)
{
	return is_unfinished(story, work) &&
	       failure_may_come_from(story->failure->code, work->work) && /* rule 4 */
	       can_have_started(story, work->stream, work->ordinal);
}

static bool is_kernel(const struct journal_record *work)
{
	return work->work == WORK_KERNEL || work->work == WORK_GRAPH;
}

/* suspect_order.h, without counters and names of kernels. */
static bool comes_first(const struct story *story, const struct journal_record *a,
			const struct journal_record *b)
{
	uint64_t distance_a = a->ordinal - story->done[a->stream];
	uint64_t distance_b = b->ordinal - story->done[b->stream];
	if (is_kernel(a) != is_kernel(b))
		return is_kernel(a);
	return distance_a != distance_b ? distance_a < distance_b : a->sequence < b->sequence;
}

/* Put the suspects into *out, and return the first one. */
static const struct journal_record *find_suspects(struct story *story, uint32_t markers,
						  struct reference_verdict *out)
{
	const struct journal_record *named[REFERENCE_MAX_WORK];
	find_limits(story, markers);
	out->n_suspects = 0;
	for (uint32_t i = 0; i < story->n_work; i++) {
		const struct journal_record *work = &story->work[i];
		if (!is_suspect(story, work))
			continue;
		uint64_t place = out->n_suspects++;
		for (; place > 0 && comes_first(story, work, named[place - 1]); place--)
			named[place] = named[place - 1];
		named[place] = work;
	}
	for (uint64_t i = 0; i < out->n_suspects; i++)
		out->suspects[i] = named[i]->sequence;
	return out->n_suspects ? named[0] : NULL;
}

/* Rule 9: is unfinished work missing in the journal? With `can_start`, only what can have started.
 */
static bool is_lost(const struct story *story, bool can_start)
{
	for (uint32_t id = 1; id <= story->n_streams; id++)
		for (uint64_t ordinal = story->done[id] + 1;
		     ordinal <= view_stream(story->view, id)->submitted; ordinal++)
			if (!work_at(story, id, ordinal) &&
			    (!can_start || can_have_started(story, id, ordinal)))
				return true;
	return false;
}

/* Rule 9: the driver may have rejected it for an error that it had already. */
static bool may_be_rejected(const struct journal_record *work)
{
	return work->result > 0 && (work->work == WORK_COPY || work->work == WORK_MEMSET);
}

void reference_attribute(const struct bundle_view *view, struct reference_verdict *out)
{
	static struct story story;
	memset(&story, 0, sizeof(story));
	story.view = view;
	story.failure = view_failure(view);
	read_streams(&story);
	for (uint32_t slot = 0; slot < view->n_rings; slot++)
		read_thread(&story, slot);
	pass_waits(&story);
	const struct journal_record *only = find_suspects(&story, RECORD_MARKED_INLINE, out);
	uint64_t n_strict = out->n_suspects;
	if (n_strict == 1 && !is_lost(&story, false) && !may_be_rejected(only)) {
		out->class = VERDICT_EXACT;
		return;
	}
	(void)find_suspects(&story, RECORD_MARKED_INLINE | RECORD_MARKED_SIDE, out);
	if (out->n_suspects == 1 && !is_lost(&story, true)) {
		out->class = VERDICT_LIKELY;
		return;
	}
	if (out->n_suspects == 0) /* rule 6 */
		(void)find_suspects(&story, RECORD_MARKED_INLINE, out);
	out->class = out->n_suspects ? VERDICT_NARROWED : VERDICT_UNKNOWN;
}
