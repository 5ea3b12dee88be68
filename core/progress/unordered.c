/*
 * unordered.c - keep, count and judge work of unknown order.
 */
#include "progress/unordered.h"

#include <stddef.h>

#include "base/failure_class.h"

bool unordered_has_waited(const struct journal_record *record)
{
	return record->work == WORK_COPY && record->flags & RECORD_SYNCHRONOUS &&
	       record->result == 0;
}

static bool may_have_led(const struct progress *progress, uint8_t work, uint64_t sequence)
{
	return sequence <= progress->moment.sequence &&
	       failure_may_come_from(progress->moment.code, work);
}

void unordered_add_unplaced(struct progress *progress, const struct journal_record *record)
{
	if (!may_have_led(progress, record->work, record->sequence))
		return;
	if (unordered_has_waited(record))
		progress->n_waited++;
	else
		progress->n_unplaced++;
}

void unordered_add(struct progress *progress, uint32_t slot, uint64_t position,
		   const struct journal_record *record)
{
	struct stream_progress *stream = &progress->streams[record->stream];
	if (progress->n_unordered == progress->max_unordered) {
		unordered_add_unplaced(progress, record);
		return;
	}
	progress->unordered[progress->n_unordered++] =
		(struct unordered_work){.open = {.ordinal = record->ordinal,
						 .sequence = record->sequence,
						 .position = position,
						 .slot = slot,
						 .stream = record->stream,
						 .flags = record->flags,
						 .work = record->work,
						 .said = COUNTERS_SILENT},
					.behind = record->progress.behind,
					.next = stream->first_unordered,
					.has_waited = unordered_has_waited(record)};
	stream->first_unordered = progress->n_unordered;
}

const struct unordered_work *unordered_first(const struct progress *progress,
					     const struct stream_progress *stream)
{
	return stream->first_unordered != 0 ? &progress->unordered[stream->first_unordered - 1]
					    : NULL;
}

const struct unordered_work *unordered_next(const struct progress *progress,
					    const struct unordered_work *work)
{
	return work->next != 0 ? &progress->unordered[work->next - 1] : NULL;
}

uint64_t unordered_count_late(const struct progress *progress, const struct stream_progress *stream,
			      uint64_t limit)
{
	const struct unordered_work *work = unordered_first(progress, stream);
	uint64_t n = 0;
	for (; work; work = unordered_next(progress, work))
		n += work->open.ordinal > stream->done && work->open.ordinal <= limit ? 1 : 0;
	return n;
}

uint64_t unordered_count_lost(const struct progress *progress, const struct stream_progress *stream,
			      uint64_t limit)
{
	const struct open_work *open = &progress->open[stream->first_open];
	/* Work of unknown order may be anywhere before its ordinal. */
	bool is_all = stream->is_unordered || limit > stream->submitted;
	uint64_t last = is_all ? stream->submitted : limit;
	uint64_t previous = stream->done;
	uint64_t n_found = 0;
	if (last <= stream->done)
		return 0;
	for (uint32_t i = 0; i < stream->n_open && open[i].ordinal <= last; i++) {
		if (open[i].ordinal > previous) {
			previous = open[i].ordinal;
			n_found++;
		}
	}
	n_found += unordered_count_late(progress, stream, last);
	return last - stream->done > n_found ? last - stream->done - n_found : 0;
}

bool unordered_is_over(const struct progress *progress, const struct unordered_work *work)
{
	return work->has_waited ||
	       (work->open.ordinal != 0 &&
		work->open.ordinal <= progress->streams[work->open.stream].done);
}

bool unordered_is_held(const struct stream_limit *limit, uint64_t behind, uint16_t flags)
{
	if (behind == 0 || (flags & RECORD_OVERLAPS) || limit->overlap_end != limit->wall)
		return false;
	/*
	 * The marker of the work at `behind` may come after the unordered work. The first kernel
	 * that has not started is a wall, so unstarted_above holds nothing more.
	 */
	bool is_after_wall = behind > limit->wall || (behind == limit->wall && limit->is_wall_said);
	return is_after_wall || behind > limit->blocked_above;
}

bool unordered_is_blocked(const struct progress *progress, const struct unordered_work *work,
			  enum order_level level)
{
	const struct stream_progress *stream = &progress->streams[work->open.stream];
	return unordered_is_held(&stream->limits[level], work->behind, work->open.flags);
}

bool unordered_is_suspect(const struct progress *progress, const struct unordered_work *work,
			  enum order_level level)
{
	return !unordered_is_over(progress, work) && !work->open.is_in_bounds &&
	       may_have_led(progress, work->open.work, work->open.sequence) &&
	       !unordered_is_blocked(progress, work, level);
}

uint64_t unordered_count(const struct progress *progress)
{
	uint64_t n = progress->n_unplaced;
	for (uint32_t i = 0; i < progress->n_unordered; i++)
		n += progress->unordered[i].has_waited ? 0 : 1;
	return n;
}

uint64_t unordered_suspects(const struct progress *progress, enum order_level level)
{
	uint64_t n = progress->n_unplaced;
	for (uint32_t i = 0; i < progress->n_unordered; i++)
		n += unordered_is_suspect(progress, &progress->unordered[i], level) ? 1 : 0;
	return n;
}
