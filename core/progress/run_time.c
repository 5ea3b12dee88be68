/*
 * run_time.c - walk the rings twice: for the launches, and for the waits after them.
 */
#include "progress/run_time.h"

#include <stdbool.h>

#include "view/record_walk.h"

enum { MAX_EARLIER = 16 };

struct earlier {
	uint64_t sequence;
	uint64_t ordinal;
	uint64_t time_ns;
	uint32_t stream;
	uint64_t end_ns; /* 0: no call has waited for it */
};

struct walk {
	const struct journal_record *launch;
	uint32_t n;
	struct earlier rows[MAX_EARLIER]; /* the newest */
};

static void visit_all(const struct bundle_view *view, struct walk *walk,
		      void (*visit)(struct walk *walk, const struct journal_record *record))
{
	struct record_walk records = {.view = view};
	while (record_walk_next(&records))
		visit(walk, &records.record);
}

static bool is_earlier(const struct walk *walk, const struct journal_record *record)
{
	return record->kind == RECORD_SUBMISSION && record->work == WORK_KERNEL &&
	       record->launch.function == walk->launch->launch.function && record->result == 0 &&
	       record->ordinal && record->sequence < walk->launch->sequence;
}

static void keep_newest(struct walk *walk, const struct journal_record *record)
{
	struct earlier *oldest = &walk->rows[0];
	if (!is_earlier(walk, record))
		return;
	if (walk->n < MAX_EARLIER)
		oldest = &walk->rows[walk->n++];
	else
		for (uint32_t i = 1; i < MAX_EARLIER; i++)
			oldest =
				walk->rows[i].sequence < oldest->sequence ? &walk->rows[i] : oldest;
	if (oldest->sequence < record->sequence)
		*oldest = (struct earlier){.sequence = record->sequence,
					   .ordinal = record->ordinal,
					   .time_ns = record->time_ns,
					   .stream = record->stream};
}

/* A wait for a whole context has no stream. It covers all work submitted before it. */
static void note_wait(struct walk *walk, const struct journal_record *record)
{
	if (record->kind != RECORD_SYNC)
		return;
	for (uint32_t i = 0; i < walk->n; i++) {
		struct earlier *row = &walk->rows[i];
		bool is_of_it = record->stream ? record->stream == row->stream &&
							 record->ordinal >= row->ordinal
					       : record->sequence >= row->sequence;
		if (is_of_it && record->time_ns > row->time_ns &&
		    (!row->end_ns || record->time_ns < row->end_ns))
			row->end_ns = record->time_ns;
	}
}

struct run_time run_time_of(const struct bundle_view *view, const struct journal_record *launch,
			    uint64_t end_ns)
{
	struct walk walk = {.launch = launch};
	struct run_time out = {.longest_ns =
				       end_ns > launch->time_ns ? end_ns - launch->time_ns : 0};
	visit_all(view, &walk, keep_newest);
	visit_all(view, &walk, note_wait);
	for (uint32_t i = 0; i < walk.n; i++) {
		uint64_t took = walk.rows[i].end_ns - walk.rows[i].time_ns;
		if (!walk.rows[i].end_ns)
			continue;
		out.n_earlier++;
		out.earlier_ns = took > out.earlier_ns ? took : out.earlier_ns;
	}
	return out;
}
