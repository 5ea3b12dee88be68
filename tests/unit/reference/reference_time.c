/*
 * reference_time.c - see reference_time.h.
 */
#include "reference/reference_time.h"

#include "base/time_units.h"
#include "fault/fault_time.h"
#include "reference/reference_trust.h"
#include "reference/reference_words.h"

enum { CLOCK_ERROR_NS = 50000, HALT_NS = 20000 };

/* 17b: the channel's newest; 0 unknown. */
static uint64_t start_of(const struct story *story, const struct journal_record *work)
{
	const struct channel_row *row = view_channel(story->view, work->progress.channel);
	if (work->flags & RECORD_UNORDERED || !words_say_started(words_said(story, work)))
		return 0;
	return row->started == work->progress.payload ? row->started_gpu_ns : 0;
}

static bool is_just_before(const struct journal_record *a, const struct journal_record *b)
{
	uint32_t distance = b->progress.payload - a->progress.payload;
	return a->progress.channel == b->progress.channel &&
	       (distance == 1 ||
		(distance == 2 && a->stream == b->stream && a->flags & RECORD_MARKED_INLINE));
}

/* 17b: did its call give the GPU one submission alone? */
static bool is_alone(const struct story *story, const struct journal_record *work)
{
	struct journal_record record;
	for (uint32_t slot = 0; slot < story->view->n_rings; slot++)
		for (uint64_t i = 0; i < view_written(story->view, slot); i++)
			if (view_record(story->view, slot, i, &record) &&
			    record.kind == RECORD_SUBMISSION && is_just_before(&record, work))
				return true;
	return false;
}

/* 17f: work starts after its call. */
int64_t time_least_distance(const struct story *story)
{
	int64_t least = INT64_MIN;
	for (uint32_t i = 0; i < story->n_work; i++) {
		const struct journal_record *work = &story->work[i];
		uint64_t start = work->work == WORK_KERNEL ? start_of(story, work) : 0;
		int64_t apart = (int64_t)(work->time_ns - start);
		if (start && work->time_ns && apart > least)
			least = apart;
	}
	return least;
}

/* 15h: at most what a row says, and what the clocks have drifted between its time and this one. */
int64_t time_latest(const struct story *story, uint32_t context, uint64_t gpu_ns)
{
	const struct channel_row *row = NULL;
	int64_t latest = INT64_MAX;
	bool is_tried = false;
	for (uint32_t id = 1; (row = view_channel(story->view, id)); id++) {
		if (row->context != context || row->compared_ns == 0 ||
		    !trust_channel(story, id, &is_tried))
			continue;
		int64_t time = (int64_t)gpu_ns + row->apart_ns;
		int64_t since = time - (int64_t)row->compared_ns;
		time += (since > 0 ? since : -since) / 2000;
		latest = time < latest ? time : latest;
	}
	return latest;
}

/* 17f: and the CPU reads a report after the GPU has made it. */
static bool are_clocks_alike(const struct story *story)
{
	const struct fault_row *report = story->clues.report;
	int64_t most = (int64_t)(report->time_ns - report->gpu_ns);
	int64_t least = time_least_distance(story);
	return least != INT64_MIN && most + CLOCK_ERROR_NS > least &&
	       most - least < (int64_t)NS_PER_S;
}

bool time_is_later(const struct story *story, const struct journal_record *work)
{
	const struct fault_row *report = story->clues.report;
	return report && work->work == WORK_KERNEL && are_clocks_alike(story) &&
	       start_of(story, work) > report->gpu_ns + FAULT_TIME_MARGIN_NS &&
	       is_alone(story, work);
}

static uint64_t newest_start(const struct story *story, uint32_t context)
{
	const struct channel_row *row = NULL;
	uint64_t newest = 0;
	for (uint32_t id = 1; (row = view_channel(story->view, id)); id++)
		if (row->context == context && row->started_gpu_ns > newest)
			newest = row->started_gpu_ns;
	return newest;
}

uint64_t time_distance(const struct story *story, const struct journal_record *work)
{
	uint64_t start = start_of(story, work);
	const struct channel_row *row = view_channel(story->view, work->progress.channel);
	uint64_t age = start ? newest_start(story, row->context) - start : 0;
	return age < HALT_NS ? HALT_NS - age : age - HALT_NS;
}
