/*
 * order.c - apply rules 1 to 8, each to all work.
 */
#include "reference/order.h"

#include "base/failure_class.h"
#include "support/check.h"

#define UNLIMITED UINT64_MAX

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

/* Rules 4 and 8. */
bool order_may_have_led(const struct story *story, const struct journal_record *work)
{
	bool has_waited =
		work->work == WORK_COPY && work->flags & RECORD_SYNCHRONOUS && work->result == 0;
	return !has_waited && failure_may_come_from(story->failure->code, work->work);
}

static void add_unordered(struct story *story, const struct journal_record *work)
{
	CHECK(story->n_unordered < ORDER_MAX_WORK);
	if (work->flags & RECORD_UNORDERED && view_stream(story->view, work->stream))
		story->unordered[story->n_unordered++] = *work;
	else if (order_may_have_led(story, work))
		story->has_unplaced = true;
	else if (failure_may_come_from(story->failure->code, work->work))
		story->has_waited = true;
}

static void add_ordered(struct story *story, const struct journal_record *work, uint64_t *newest)
{
	CHECK(story->n_work < ORDER_MAX_WORK);
	add_barriers(story, work, newest);
	newest[work->stream] = work->ordinal;
	story->work[story->n_work++] = *work;
}

static void read_thread(struct story *story, uint32_t slot)
{
	uint64_t newest[MAX_STREAMS] = {0};
	uint64_t written = view_written(story->view, slot);
	uint64_t owed = story->view->rings[slot].owed;
	for (uint64_t i = 0; i < written; i++) {
		struct journal_record record;
		uint64_t position = (view_oldest(story->view, slot) + i) % written;
		if (!view_record(story->view, slot, position, &record))
			continue;
		if (record.kind == RECORD_EVENT_WAIT)
			add_wait(story, (struct wait){record.stream, record.event.source_stream,
						      record.ordinal, record.event.source_ordinal});
		if (record.kind == RECORD_SUBMISSION && record.sequence == owed)
			owed = 0;
		if (record.kind != RECORD_SUBMISSION || !is_queued(story, &record))
			continue;
		if (record.ordinal == 0 || record.flags & RECORD_UNORDERED)
			add_unordered(story, &record);
		else
			add_ordered(story, &record, newest);
	}
	if (owed != 0 && owed <= story->failure->sequence)
		story->has_unplaced = true;
}

/* Rule 1. */
static void read_streams(struct story *story)
{
	const struct stream_row *row = NULL;
	while ((row = view_stream(story->view, story->n_streams + 1)) != NULL) {
		story->n_streams++;
		CHECK(story->n_streams < MAX_STREAMS);
		story->proven[story->n_streams] =
			row->synced > row->marked ? row->synced : row->marked;
	}
}

/* The last work that has finished, or has started and so has passed its waits. */
static uint64_t reached(const struct story *story, uint32_t stream)
{
	return story->started[stream] > story->done[stream] ? story->started[stream]
							    : story->done[stream];
}

/* Until it proves nothing more. */
void order_pass_waits(struct story *story)
{
	for (bool is_new = true; is_new;) {
		is_new = false;
		for (uint32_t i = 0; i < story->n_waits; i++) {
			const struct wait *wait = &story->waits[i];
			if (reached(story, wait->waiter) > wait->above &&
			    story->done[wait->source] < wait->upto) {
				story->done[wait->source] = wait->upto;
				is_new = true;
			}
		}
	}
}

bool order_is_unfinished(const struct story *story, const struct journal_record *work)
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

/* Rules 5 and 11c. A side marker is late if its stream went on. */
static bool is_wall(const struct story *story, uint32_t i, uint32_t markers)
{
	const struct journal_record *work = &story->work[i];
	if (story->went_on[work->stream] > work->ordinal)
		markers &= ~(uint32_t)RECORD_MARKED_SIDE;
	return order_is_unfinished(story, work) &&
	       (work->flags & markers || story->said[i] == SAID_RUNNING ||
		story->said[i] == SAID_WAITING);
}

/* Rules 5 and 7, with markers that have one of the flags. */
void order_find_limits(struct story *story, uint32_t markers)
{
	for (uint32_t id = 0; id <= story->n_streams; id++)
		story->wall[id] = story->blocked[id] = UNLIMITED;
	for (uint32_t i = 0; i < story->n_work; i++) {
		const struct journal_record *work = &story->work[i];
		if (is_wall(story, i, markers) && work->ordinal < story->wall[work->stream])
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

/* Rule 8: an ordinal may be that of unordered work, whose place is before it. */
static const struct journal_record *unordered_at(const struct story *story, uint32_t stream,
						 uint64_t ordinal)
{
	for (uint32_t i = 0; i < story->n_unordered; i++)
		if (story->unordered[i].stream == stream && story->unordered[i].ordinal == ordinal)
			return &story->unordered[i];
	return NULL;
}

static bool has_unordered(const struct story *story, uint32_t stream)
{
	for (uint32_t i = 0; i < story->n_unordered; i++)
		if (story->unordered[i].stream == stream &&
		    story->unordered[i].ordinal > story->done[stream])
			return true;
	return false;
}

/* Rule 5, on a stream whose ordinals are not the order of all its work. */
static bool is_before_overlap(const struct story *story, uint32_t stream, uint64_t ordinal)
{
	for (uint32_t i = 0; i < story->n_work; i++)
		if (story->work[i].stream == stream && story->work[i].ordinal >= ordinal &&
		    story->work[i].flags & RECORD_OVERLAPS)
			return true;
	return false;
}

/*
 * Rule 5: programmatic launches directly after the marker may start early. So may work without a
 * record: it may be such a launch.
 */
static bool is_early(const struct story *story, uint32_t stream, uint64_t ordinal)
{
	if (has_unordered(story, stream))
		return is_before_overlap(story, stream, ordinal);
	for (uint64_t i = story->wall[stream] + 1; i <= ordinal; i++) {
		const struct journal_record *between = work_at(story, stream, i);
		if (between && !(between->flags & RECORD_OVERLAPS))
			return false;
	}
	return true;
}

bool order_can_have_started(const struct story *story, uint32_t stream, uint64_t ordinal)
{
	return ordinal <= story->blocked[stream] && ordinal <= story->next[stream] &&
	       (ordinal <= story->wall[stream] || is_early(story, stream, ordinal));
}

/* Rules 8 and 11: do the counters say that it is not over? */
static bool is_said_unfinished(const struct story *story, uint32_t stream, uint64_t ordinal)
{
	const struct journal_record *work = work_at(story, stream, ordinal);
	enum said said = work ? story->said[work - story->work] : SAID_NOTHING;
	return said == SAID_RUNNING || said == SAID_WAITING;
}

bool order_is_held_back(const struct story *story, const struct journal_record *work)
{
	uint64_t wall = story->wall[work->stream];
	uint64_t behind = work->progress.behind;
	bool has_next = wall < view_stream(story->view, work->stream)->submitted ||
			(wall != UNLIMITED && work_at(story, work->stream, wall + 1));
	if (behind == 0 || work->flags & RECORD_OVERLAPS ||
	    (has_next && is_early(story, work->stream, wall + 1)))
		return false;
	return behind > wall || behind > story->blocked[work->stream] ||
	       behind > story->next[work->stream] ||
	       is_said_unfinished(story, work->stream, behind);
}

void order_find_late(struct story *story)
{
	order_find_limits(story, RECORD_MARKED_INLINE | RECORD_MARKED_SIDE);
	for (uint32_t i = 0; i < story->n_work; i++)
		story->is_late[i] = !order_can_have_started(story, story->work[i].stream,
							    story->work[i].ordinal);
}

bool order_is_late(const struct story *story, const struct journal_record *work)
{
	return !(work->flags & RECORD_UNORDERED) && story->is_late[work - story->work];
}

bool order_has_work(const struct story *story, uint32_t stream, uint64_t ordinal)
{
	return work_at(story, stream, ordinal) || unordered_at(story, stream, ordinal);
}

bool order_lacks_work(const struct story *story, bool can_start)
{
	for (uint32_t id = 1; id <= story->n_streams; id++) {
		const struct stream_row *row = view_stream(story->view, id);
		bool is_any = !can_start || row->flags & STREAM_UNORDERED;
		for (uint64_t ordinal = story->done[id] + 1; ordinal <= row->submitted; ordinal++)
			if (!order_has_work(story, id, ordinal) &&
			    (is_any || order_can_have_started(story, id, ordinal)))
				return true;
	}
	return false;
}

void order_read(struct story *story, const struct bundle_view *view)
{
	story->view = view;
	story->failure = view_failure(view);
	read_streams(story);
	for (uint32_t slot = 0; slot < view->n_rings; slot++)
		read_thread(story, slot);
}
