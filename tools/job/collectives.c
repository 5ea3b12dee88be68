/*
 * collectives.c - finds NCCL's kernels among the submissions of a timeline.
 */
#include "job/collectives.h"

#include <string.h>

#include "analysis/nccl_kernel.h"
#include "base/text.h"
#include "report/report_names.h"
#include "timeline/timeline.h"

struct count {
	const struct analysis *analysis;
	const struct timeline *timeline;
	struct collectives *out;
	uint64_t before; /* number of the earliest suspect; UINT64_MAX without one */
	uint32_t lanes[MAX_COMMUNICATORS];
};

/* Returns the communicator's index. Communicators that do not fit share the last one. */
static uint32_t find_communicator(struct count *count, uint32_t lane)
{
	struct collectives *out = count->out;
	for (uint32_t index = 0; index < out->n_communicators; index++)
		if (count->lanes[index] == lane)
			return index;
	if (out->n_communicators == MAX_COMMUNICATORS)
		return MAX_COMMUNICATORS - 1;
	count->lanes[out->n_communicators] = lane;
	return out->n_communicators++;
}

static void take_work(struct count *count, const struct timeline_work *work)
{
	struct collectives *out = count->out;
	char kind[NCCL_KERNEL_SIZE];
	struct journal_record record;
	if (work->state == TIMELINE_REJECTED || work->state == TIMELINE_LATE ||
	    !timeline_record(count->timeline, work, &record) ||
	    !nccl_kernel_read(count->analysis->report.view, &record, kind))
		return;
	if (work->sequence < count->before) {
		out->n[find_communicator(count, work->lane)]++;
		out->n_all++;
	}
	if (work->suspect == 1)
		out->is_of_culprit = true;
	if (work->state == TIMELINE_FINISHED || out->open_number)
		return;
	out->open_number = out->n_all + (work->sequence >= count->before);
	struct text name = text_in(out->open_name, sizeof(out->open_name));
	report_work_name(&count->analysis->report, &record, true, &name);
}

static uint64_t earliest_suspect(const struct verdict *verdict)
{
	uint64_t earliest = UINT64_MAX;
	for (uint32_t index = 0; index < verdict->n_groups; index++)
		if (verdict->groups[index].earliest < earliest)
			earliest = verdict->groups[index].earliest;
	for (uint64_t index = 0; index < verdict->n_suspects && index < VERDICT_MAX_SUSPECTS;
	     index++)
		if (verdict->suspects[index].record.sequence < earliest)
			earliest = verdict->suspects[index].record.sequence;
	return earliest;
}

int collectives_count(const struct analysis *analysis, struct collectives *out)
{
	const struct verdict *verdict = analysis->verdict;
	struct timeline timeline;
	struct count count = {.analysis = analysis,
			      .timeline = &timeline,
			      .out = out,
			      .before = verdict->failure.code ? earliest_suspect(verdict)
							      : UINT64_MAX};
	int result = timeline_open(analysis->report.view, verdict, &timeline);
	memset(out, 0, sizeof(*out));
	if (result)
		return result;
	for (size_t index = 0; index < timeline.n_works; index++)
		take_work(&count, &timeline.works[index]);
	/* Numbers begin with 1 and have no gaps. */
	out->is_whole = timeline.n_works > 0 && timeline.works[0].sequence == 1 &&
			timeline.works[timeline.n_works - 1].sequence == timeline.n_works;
	timeline_close(&timeline);
	return 0;
}
