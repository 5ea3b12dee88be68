/*
 * timeline_model.h - the parts of a timeline: submissions, lanes and edges.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_MODEL_H
#define CULPRIT_TOOLS_TIMELINE_MODEL_H

#include "attribution/verdict.h"
#include "view/bundle_view.h"

/* A submission's state at the failure or, without a failure, at the end of the bundle. */
enum timeline_state {
	TIMELINE_UNKNOWN,   /* the stream or order is not known, or the verdict has no streams */
	TIMELINE_FINISHED,  /* proven to have finished; see is_doubted */
	TIMELINE_RUNNING,   /* started and not finished, by the driver's progress counters */
	TIMELINE_STARTED,   /* started; it may have finished */
	TIMELINE_STARTABLE, /* not proven to have finished, and may have started */
	TIMELINE_WAITING,   /* cannot have started, by evidence that the verdict trusts */
	TIMELINE_REJECTED,  /* the driver refused it */
	TIMELINE_LATE,      /* submitted after the failure was seen */
	N_TIMELINE_STATES
};

/* A submission. It is small because there may be millions; timeline_record() has the rest. */
struct timeline_work {
	uint64_t sequence;
	uint64_t time_ns;  /* CLOCK_MONOTONIC when the call was entered; the work started later */
	uint64_t ordinal;  /* on its stream; 0: unknown */
	uint64_t position; /* in ring `slot` */
	uint32_t slot;
	uint32_t tid;
	uint32_t lane;   /* index in lanes */
	uint8_t state;   /* enum timeline_state */
	uint8_t work;    /* enum work_kind */
	uint8_t suspect; /* position in the verdict's list, from 1; 0: not listed */
};
static_assert(VERDICT_MAX_SUSPECTS < UINT8_MAX, "a position in the list fits");

struct timeline_lane {
	uint32_t stream; /* stream ID; 0: the lane of work whose stream is not known */
	uint64_t n;
	uint64_t first; /* sequence numbers of its first and last submission */
	uint64_t last;
};

/* Submission `to` and later ones on its lane start after `from` and earlier ones on its lane. */
struct timeline_edge {
	uint64_t from; /* sequence numbers */
	uint64_t to;
	uint32_t from_lane;
	uint32_t to_lane;
};

struct timeline {
	const struct bundle_view *view;
	struct timeline_work *works; /* by sequence number */
	size_t n_works;
	struct timeline_lane *lanes; /* the verdict's streams first, in its order */
	size_t n_lanes;
	struct timeline_edge *edges; /* event waits between submissions in the journal */
	size_t n_edges;
	bool is_doubted; /* GPU core dumps were on, so "finished" may be wrong */
};

#endif
