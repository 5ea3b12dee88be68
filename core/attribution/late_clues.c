/*
 * late_clues.c - count finished work that may have raised the exception all the same.
 */
#include "attribution/clue_parts.h"

#include <stddef.h>

#include "view/record_walk.h"

/* True if the work of a known order was finished at the moment. */
static bool is_finished(const struct progress *progress, const struct journal_record *record)
{
	const struct stream_progress *stream = progress_stream(progress, record->stream);
	return record->kind == RECORD_SUBMISSION && record->result == 0 && stream &&
	       record->ordinal != 0 && record->ordinal <= stream->done &&
	       record->sequence <= progress->moment.sequence;
}

/* Return the number of the newest kernel that was finished; 0: none. */
static uint64_t newest_finished(const struct progress *progress)
{
	struct record_walk walk = {.view = progress->view};
	uint64_t newest = 0;
	while (record_walk_next(&walk)) {
		if (walk.record.work == WORK_KERNEL && walk.record.sequence > newest &&
		    is_finished(progress, &walk.record))
			newest = walk.record.sequence;
	}
	return newest;
}

/* A thread's waits for whole contexts: they covered its own submissions up to this number. */
struct thread_waits {
	uint32_t tid;
	uint64_t sequence;
};

enum { MAX_THREADS = 64 };

/* Work of threads without room here is not settled. */
struct settled_work {
	uint32_t n;
	struct thread_waits threads[MAX_THREADS];
};

static struct thread_waits *waits_of(struct settled_work *settled, uint32_t tid)
{
	for (uint32_t i = 0; i < settled->n; i++) {
		if (settled->threads[i].tid == tid)
			return &settled->threads[i];
	}
	return NULL;
}

/* A wait for a whole context need not cover what other threads submitted meanwhile. */
static void add_wait(struct progress *progress, const struct journal_record *record,
		     struct settled_work *settled)
{
	struct stream_progress *stream = progress_stream(progress, record->stream);
	struct thread_waits *waits = waits_of(settled, record->tid);
	if (stream && record->ordinal > stream->settled)
		stream->settled = record->ordinal;
	if (record->stream != 0)
		return;
	if (!waits && settled->n < MAX_THREADS) {
		waits = &settled->threads[settled->n++];
		*waits = (struct thread_waits){.tid = record->tid};
	}
	if (waits && record->sequence > waits->sequence)
		waits->sequence = record->sequence;
}

/* Find what waits had covered before a kernel was submitted that has finished, too. */
static void find_settled(struct progress *progress, struct settled_work *settled)
{
	struct record_walk walk = {.view = progress->view};
	uint64_t newest = newest_finished(progress);
	while (record_walk_next(&walk)) {
		if (walk.record.kind == RECORD_SYNC && walk.record.result == 0 &&
		    walk.record.sequence < newest)
			add_wait(progress, &walk.record, settled);
	}
}

static bool is_settled(const struct progress *progress, const struct journal_record *record,
		       struct settled_work *settled)
{
	const struct thread_waits *waits = waits_of(settled, record->tid);
	return record->ordinal <= progress->streams[record->stream].settled ||
	       (waits && record->sequence <= waits->sequence);
}

uint64_t late_count(struct progress *progress, const struct fault_clues *clues)
{
	struct record_walk walk = {.view = progress->view};
	struct settled_work settled = {.n = 0};
	uint64_t n = 0;
	if (!clues->may_be_late)
		return 0;
	find_settled(progress, &settled);
	while (record_walk_next(&walk)) {
		if (is_finished(progress, &walk.record) &&
		    !is_settled(progress, &walk.record, &settled) &&
		    fault_may_be_of(progress, &walk.record, clues))
			n++;
	}
	return n;
}
