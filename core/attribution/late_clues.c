/*
 * late_clues.c - find finished work that may have raised the exception all the same.
 */
#include "attribution/clue_parts.h"

#include <stddef.h>

#include "progress/counters_order.h"
#include "view/record_walk.h"

/* True if the work of a known order was finished at the moment. */
static bool is_finished(const struct progress *progress, const struct journal_record *record)
{
	const struct stream_progress *stream = progress_stream(progress, record->stream);
	return record->kind == RECORD_SUBMISSION && record->result == 0 && stream &&
	       record->ordinal != 0 && record->ordinal <= stream->done &&
	       record->sequence <= progress->moment.sequence;
}

static bool is_success(const struct journal_record *record)
{
	return record->kind == RECORD_SYNC && record->result == 0;
}

/* A thread's waits for whole contexts: they covered its own submissions up to this number. */
struct thread_waits {
	uint32_t tid;
	uint64_t sequence;
};

enum { MAX_THREADS = 64 };

/*
 * Work that waits have covered: for each stream up to stream_progress.waited, and for each thread.
 * Waits for contexts by threads without room here cover no more than their streams.
 */
struct waited_work {
	uint32_t n;
	struct thread_waits threads[MAX_THREADS];
};

static struct thread_waits *waits_of(struct waited_work *waited, uint32_t tid)
{
	for (uint32_t i = 0; i < waited->n; i++) {
		if (waited->threads[i].tid == tid)
			return &waited->threads[i];
	}
	return NULL;
}

/* A wait for a whole context need not cover what other threads submitted meanwhile. */
static void add_wait(struct progress *progress, const struct journal_record *record,
		     struct waited_work *waited)
{
	struct stream_progress *stream = progress_stream(progress, record->stream);
	struct thread_waits *waits = waits_of(waited, record->tid);
	if (stream && record->ordinal > stream->waited)
		stream->waited = record->ordinal;
	if (record->stream != 0)
		return;
	if (!waits && waited->n < MAX_THREADS) {
		waits = &waited->threads[waited->n++];
		*waits = (struct thread_waits){.tid = record->tid};
	}
	if (waits && record->sequence > waits->sequence)
		waits->sequence = record->sequence;
}

/* Find what the waits had covered that returned before the submission `sequence`. */
static void find_waited(struct progress *progress, uint64_t sequence, struct waited_work *waited)
{
	struct record_walk walk = {.view = progress->view};
	waited->n = 0;
	for (uint32_t id = 1; id <= progress->n_streams; id++)
		progress->streams[id].waited = progress->streams[id].before;
	while (record_walk_next(&walk)) {
		if (is_success(&walk.record) && walk.record.sequence < sequence)
			add_wait(progress, &walk.record, waited);
	}
}

static bool is_waited(const struct progress *progress, const struct journal_record *record,
		      struct waited_work *waited)
{
	const struct thread_waits *waits = waits_of(waited, record->tid);
	return record->ordinal <= progress->streams[record->stream].waited ||
	       (waits && record->sequence <= waits->sequence);
}

/*
 * Return the number of the newest kernel that was finished, of those that `waited` covers unless it
 * is NULL; 0: none.
 */
static uint64_t newest_finished(const struct progress *progress, struct waited_work *waited)
{
	struct record_walk walk = {.view = progress->view};
	uint64_t newest = 0;
	while (record_walk_next(&walk)) {
		const struct journal_record *record = &walk.record;
		if (record->work == WORK_KERNEL && record->sequence > newest &&
		    is_finished(progress, record) &&
		    (!waited || is_waited(progress, record, waited)))
			newest = record->sequence;
	}
	return newest;
}

/*
 * Find the work after which a wait for it returned, then a wait for a kernel that was submitted
 * later, and a kernel that was submitted after that has finished.
 */
static void find_settled(struct progress *progress, struct waited_work *settled)
{
	find_waited(progress, newest_finished(progress, NULL), settled);
	find_waited(progress, newest_finished(progress, settled), settled);
	for (uint32_t id = 1; id <= progress->n_streams; id++)
		progress->streams[id].settled = progress->streams[id].waited;
}

/* True if more has finished after this finished work than a recovering driver lets finish. */
static bool is_settled(const struct progress *progress, const struct journal_record *record,
		       struct waited_work *settled)
{
	const struct stream_progress *stream = &progress->streams[record->stream];
	const struct thread_waits *waits = waits_of(settled, record->tid);
	return record->ordinal < stream->second_kernel || record->ordinal <= stream->settled ||
	       (waits && record->sequence <= waits->sequence);
}

/* Note the two newest finished kernels of each stream, but programmatic launches may start early.
 */
static void find_newest_kernels(struct progress *progress)
{
	struct record_walk walk = {.view = progress->view};
	while (record_walk_next(&walk)) {
		const struct journal_record *record = &walk.record;
		if (record->work != WORK_KERNEL || record->flags & RECORD_OVERLAPS ||
		    !is_finished(progress, record))
			continue;
		struct stream_progress *stream = &progress->streams[record->stream];
		if (record->ordinal > stream->newest_kernel) {
			stream->second_kernel = stream->newest_kernel;
			stream->newest_kernel = record->ordinal;
		} else if (record->ordinal > stream->second_kernel) {
			stream->second_kernel = record->ordinal;
		}
	}
}

/* Return the number of the newest submission when the first wait for the work had returned. */
static uint64_t end_of(const struct progress *progress, const struct journal_record *work)
{
	struct record_walk walk = {.view = progress->view};
	uint64_t end = progress->moment.sequence;
	while (record_walk_next(&walk)) {
		const struct journal_record *wait = &walk.record;
		bool covers = wait->stream ? wait->stream == work->stream &&
						     wait->ordinal >= work->ordinal
					   : wait->tid == work->tid;
		if (is_success(wait) && covers && wait->sequence >= work->sequence &&
		    wait->sequence < end)
			end = wait->sequence;
	}
	return end;
}

/* True if a submission of another stream cannot have been at work beside this one. */
static bool is_apart(const struct progress *progress, const struct journal_record *work,
		     uint64_t end, const struct journal_record *other, struct waited_work *waited)
{
	bool has_returned = other->flags & RECORD_SYNCHRONOUS && other->result == 0 &&
			    other->tid == work->tid && other->sequence < work->sequence;
	return other->sequence > end || has_returned || is_waited(progress, other, waited);
}

/* Return how many of its ordinals above those that were waited for the stream has no record of. */
static uint64_t n_unknown(const struct stream_progress *stream)
{
	uint64_t n = stream->submitted > stream->waited ? stream->submitted - stream->waited : 0;
	return n > stream->n_apart ? n - stream->n_apart : 0;
}

/*
 * True if no other stream had work between the submission and the end of the first wait for it. The
 * branches of a graph are beside each other.
 */
static bool was_alone(struct progress *progress, const struct journal_record *work,
		      struct waited_work *waited)
{
	struct record_walk walk = {.view = progress->view};
	uint64_t end = end_of(progress, work);
	if (work->work == WORK_GRAPH)
		return false;
	find_waited(progress, work->sequence, waited);
	for (uint32_t id = 1; id <= progress->n_streams; id++)
		progress->streams[id].n_apart = 0;
	while (record_walk_next(&walk)) {
		const struct journal_record *other = &walk.record;
		struct stream_progress *stream = progress_stream(progress, other->stream);
		if (other->kind != RECORD_SUBMISSION || other->stream == work->stream)
			continue;
		if (!stream || other->ordinal == 0 || !is_apart(progress, work, end, other, waited))
			return false;
		stream->n_apart += other->ordinal > stream->waited ? 1 : 0;
	}
	for (uint32_t id = 1; id <= progress->n_streams; id++) {
		if (id != work->stream && n_unknown(&progress->streams[id]) > 0)
			return false;
	}
	return true;
}

/* A time that passed since the work was submitted, in which a driver cannot have recovered. */
static bool is_soon(const struct journal_record *work, uint64_t time_ns)
{
	return time_ns >= work->time_ns && time_ns - work->time_ns < LATE_MARGIN_NS;
}

uint64_t late_next_time(const struct bundle_view *view, uint32_t slot, uint64_t position)
{
	uint64_t n_written = view_written(view, slot);
	struct journal_record record = {.kind = RECORD_ARGUMENTS};
	while (record.kind == RECORD_ARGUMENTS) {
		position = position + 1 < n_written ? position + 1 : 0;
		if (position == view_oldest(view, slot) ||
		    !view_record(view, slot, position, &record))
			return 0;
	}
	return record.time_ns;
}

/*
 * True if, soon after the submission, a wait for it had returned, or its stream had been given
 * another kernel.
 */
static bool is_soon_settled(const struct progress *progress, const struct journal_record *work)
{
	struct record_walk walk = {.view = progress->view};
	while (record_walk_next(&walk)) {
		const struct journal_record *record = &walk.record;
		if (record->stream != work->stream || record->result != 0)
			continue;
		if (record->kind == RECORD_SYNC && record->ordinal >= work->ordinal &&
		    is_soon(work, record->time_ns))
			return true;
		if (record->kind == RECORD_SUBMISSION && work->work == WORK_KERNEL &&
		    record->work == WORK_KERNEL && record->ordinal > work->ordinal &&
		    !(record->flags & (RECORD_UNORDERED | RECORD_OVERLAPS)) &&
		    is_soon(work, late_next_time(progress->view, walk.slot, walk.position)))
			return true;
	}
	return false;
}

/*
 * Each check needs several walks: more work than MAX_CHECKED counts as not alone, and after
 * MAX_WALKS along channels none counts as gone on.
 */
enum { MAX_CHECKED = 64, MAX_WALKS = 256 };

/* True if the GPU had surely started it, by counters that are believed. */
static bool has_started(const struct progress *progress, const struct journal_record *record)
{
	enum counters_say said =
		driver_counters_of(progress->view, &progress->moment, &progress->trust, record);
	return record->kind == RECORD_SUBMISSION && record->result == 0 &&
	       !(record->flags & RECORD_UNORDERED) &&
	       counters_surely_started(progress, said, record->progress.channel,
				       record->progress.payload);
}

/*
 * True if the GPU starts a later submission to the work's channel only when the work has finished:
 * its stream waits for it, or a marker that its call gave the channel, before it had `returned`. A
 * graph's marker may be on another channel than the graph. Where the journal lacks the work's
 * channel, it is that of the stream's kernels.
 */
static bool is_behind(const struct journal_record *work, uint64_t returned_ns,
		      const struct journal_record *next)
{
	bool is_next = next->stream == work->stream && next->ordinal > work->ordinal &&
		       !(next->flags & RECORD_OVERLAPS);
	bool is_after_marker = work->work == WORK_KERNEL && work->flags & RECORD_MARKED_INLINE &&
			       returned_ns && next->time_ns >= returned_ns;
	if (work->progress.channel == 0)
		return is_next && next->work == WORK_KERNEL;
	return next->progress.channel == work->progress.channel &&
	       (int32_t)(next->progress.payload - work->progress.payload) > 0 &&
	       (is_next || is_after_marker);
}

/*
 * Move on to the next submission behind the work that has started. `next` starts as a new walk.
 * Return false after the last one.
 */
static bool find_behind(const struct progress *progress, const struct record_walk *work,
			struct record_walk *next)
{
	uint64_t returned_ns = late_next_time(progress->view, work->slot, work->position);
	while (record_walk_next(next)) {
		if (is_behind(&work->record, returned_ns, &next->record) &&
		    has_started(progress, &next->record))
			return true;
	}
	return false;
}

/* A driver that recovers lets the next kernel wait for longer than a marker or the like. */
static int64_t margin_of(const struct journal_record *behind)
{
	return behind->work == WORK_KERNEL ? FOLLOWER_MARGIN_NS : LATE_MARGIN_NS;
}

/*
 * True if its channel shows that it raised nothing: the channel went on twice, so that the second
 * submission started after the first had finished, or the work had finished too soon.
 */
static bool has_channel_gone_on(const struct progress *progress, const struct record_walk *work,
				uint32_t *n_walks)
{
	const struct journal_record *record = &work->record;
	struct record_walk first = {.view = progress->view};
	if (!progress->has_counters)
		return false;
	while (find_behind(progress, work, &first) && ++*n_walks <= MAX_WALKS) {
		struct record_walk second = {.view = progress->view};
		if (late_has_finished_soon(progress, record, first.record.progress.channel,
					   margin_of(&first.record)) ||
		    find_behind(progress, &first, &second))
			return true;
	}
	return late_has_marker_started(progress, record) &&
	       late_has_finished_soon(progress, record, record->progress.channel, LATE_MARGIN_NS);
}

/* The newest work comes first, and stays if there is no room. */
static void keep_late(struct progress *progress, const struct record_walk *walk)
{
	const struct journal_record *record = &walk->record;
	uint32_t place = progress->n_late_kept;
	progress->n_late++;
	while (place > 0 && progress->late[place - 1].sequence < record->sequence)
		place--;
	if (place == MAX_LATE_KEPT)
		return;
	if (progress->n_late_kept < MAX_LATE_KEPT)
		progress->n_late_kept++;
	for (uint32_t i = progress->n_late_kept - 1; i > place; i--)
		progress->late[i] = progress->late[i - 1];
	progress->late[place] = (struct open_work){.ordinal = record->ordinal,
						   .sequence = record->sequence,
						   .position = walk->position,
						   .stream = record->stream,
						   .slot = walk->slot,
						   .flags = record->flags,
						   .work = record->work,
						   .is_accepted = true};
}

void late_find(struct progress *progress, const struct fault_clues *clues)
{
	struct record_walk walk = {.view = progress->view};
	struct waited_work settled;
	struct waited_work waited;
	uint32_t n_checked = 0;
	uint32_t n_walks = 0;
	if (!clues->are_pcs_usable)
		return;
	find_newest_kernels(progress);
	find_settled(progress, &settled);
	while (record_walk_next(&walk)) {
		const struct journal_record *record = &walk.record;
		if (!is_finished(progress, record) || is_settled(progress, record, &settled) ||
		    !fault_may_be_of(progress, record, clues))
			continue;
		if (n_checked++ >= MAX_CHECKED ||
		    (!is_soon_settled(progress, record) &&
		     !has_channel_gone_on(progress, &walk, &n_walks) &&
		     !was_alone(progress, record, &waited)))
			keep_late(progress, &walk);
	}
}
