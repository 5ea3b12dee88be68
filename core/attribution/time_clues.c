/*
 * time_clues.c - compare the times at which kernels started with the time of the fault.
 */
#include "attribution/clue_parts.h"

#include "base/cuda_api.h"
#include "base/time_units.h"
#include "fault/fault_time.h"
#include "view/record_walk.h"

/* Times of faults by CLOCK_MONOTONIC may be wrong by so much (struct fault_row). */
enum { CLOCK_ERROR_NS = 50000 };

/* A channel has one newest submission. Further kernels are not cleared. */
enum { MAX_LATER = 64 };

struct later {
	struct open_work *works[MAX_LATER];
	uint32_t n;
};

/* Return the time at which the GPU started a kernel's submission; 0: another one's, or unknown. */
static uint64_t begin_of(const struct progress *progress, const struct open_work *open)
{
	const struct channel_row *row = view_channel(progress->view, open->channel);
	bool is_known = open->work == WORK_KERNEL && row && row->started == open->payload &&
			driver_counters_show_started(open->said);
	return is_known ? row->started_gpu_ns : 0;
}

/* True if the record, or the marker after it, has the number before this kernel's. */
static bool is_just_before(const struct journal_record *record, const struct open_work *open)
{
	uint32_t distance = open->payload - record->progress.payload;
	bool is_marked = record->stream == open->stream && record->flags & RECORD_MARKED_INLINE;
	return record->kind == RECORD_SUBMISSION && record->progress.channel == open->channel &&
	       (distance == 1 || (distance == 2 && is_marked));
}

int64_t time_least_apart(const struct progress *progress)
{
	int64_t least = INT64_MIN;
	for (uint32_t i = 0; i < progress->n_open; i++) {
		struct journal_record record;
		uint64_t begin = begin_of(progress, &progress->open[i]);
		if (!begin)
			continue;
		progress_record(progress, &progress->open[i], &record);
		int64_t distance = (int64_t)(record.time_ns - begin);
		if (record.time_ns && distance > least)
			least = distance;
	}
	return least;
}

/*
 * True if the report's clocks are those of the counters. nvidia-uvm reads a report after the GPU
 * wrote it, so the distance between the two clocks also has an upper limit. A word that is no such
 * time does not fit between.
 */
static bool is_clock_known(const struct progress *progress, const struct fault_row *report)
{
	int64_t upper = (int64_t)(report->time_ns - report->gpu_ns);
	int64_t lower = time_least_apart(progress);
	int64_t between = 0;
	/* The times of a hostile bundle may be anything. */
	return lower != INT64_MIN && !__builtin_sub_overflow(upper, lower, &between) &&
	       between > -CLOCK_ERROR_NS && between < (int64_t)NS_PER_S;
}

/* Find the kernels that started after that time. */
static void find_later(struct progress *progress, uint64_t gpu_ns, struct later *out)
{
	out->n = 0;
	for (uint32_t i = 0; i < progress->n_open && out->n < MAX_LATER; i++)
		if (begin_of(progress, &progress->open[i]) > gpu_ns + FAULT_TIME_MARGIN_NS)
			out->works[out->n++] = &progress->open[i];
}

/* Mark kernels whose call gave the GPU a single submission: the time is then the kernel's own. */
static void mark_proven(const struct progress *progress, const struct later *later)
{
	struct record_walk walk = {.view = progress->view};
	while (record_walk_next(&walk))
		for (uint32_t i = 0; i < later->n; i++)
			if (is_just_before(&walk.record, later->works[i]))
				later->works[i]->is_elsewhere = later->works[i]->is_later = true;
}

void time_mark_work(struct progress *progress, const struct fault_story *story)
{
	struct later later;
	const struct fault_row *report = fault_time_find(progress->view, story);
	/* Memory faults end in no other code. */
	if (!report || progress->moment.code != CUDA_ERROR_ILLEGAL_ADDRESS ||
	    progress->moment.flags & FAILURE_SHARED || !is_clock_known(progress, report))
		return;
	find_later(progress, report->gpu_ns, &later);
	mark_proven(progress, &later);
}
