/*
 * timeline_model.h - what a timeline is made of.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_MODEL_H
#define CULPRIT_TOOLS_TIMELINE_MODEL_H

#include "verdict/attribution/verdict.h"
#include "verdict/view/bundle_view.h"

/* What is known of a submission at the failure; of a bundle without one, at its end. */
enum timeline_state {
	TIMELINE_UNKNOWN,   /* of no known stream or order, or the streams are not judged */
	TIMELINE_FINISHED,  /* proven; see is_doubted */
	TIMELINE_RUNNING,   /* begun and not finished, by the driver's words */
	TIMELINE_BEGUN,     /* begun; whether it had finished is not known */
	TIMELINE_STARTABLE, /* not proven finished, and nothing shows that it cannot have begun */
	TIMELINE_WAITING,   /* it cannot have begun, as far as the verdict trusts */
	TIMELINE_REFUSED,   /* the driver did not take it */
	TIMELINE_LATE,      /* submitted when the failure had been seen */
	N_TIMELINE_STATES
};

/* Small, since there may be millions: the rest is in its record. */
struct timeline_work {
	uint64_t sequence;
	uint64_t time_ns;  /* CLOCK_MONOTONIC when the call was entered: nothing began before */
	uint64_t ordinal;  /* on its stream, 0 unknown */
	uint64_t position; /* in ring `slot` */
	uint32_t slot;
	uint32_t tid;
	uint32_t lane;   /* index in lanes */
	uint8_t state;   /* enum timeline_state */
	uint8_t work;    /* enum work_kind */
	uint8_t suspect; /* place in the verdict's list, from 1; 0: it is not in it */
};
static_assert(VERDICT_MAX_SUSPECTS < UINT8_MAX, "a place in the list fits");

struct timeline_lane {
	uint32_t stream; /* id; 0: of work whose stream is not known */
	uint64_t n;
	uint64_t first; /* numbers in the process */
	uint64_t last;
};

/* Submission `to` and what follows on its lane begin after `from` and what was before it there. */
struct timeline_edge {
	uint64_t from; /* numbers in the process */
	uint64_t to;
	uint32_t from_lane;
	uint32_t to_lane;
};

struct timeline {
	const struct bundle_view *view;
	struct timeline_work *works; /* by their numbers */
	size_t n_works;
	struct timeline_lane *lanes; /* the verdict's streams first, in its order */
	size_t n_lanes;
	struct timeline_edge *edges; /* event waits between what is in the journal */
	size_t n_edges;
	bool is_doubted; /* GPU core dumps were on: what was reported finished may not have been */
};

/* "finished", "may have begun", ...: for people. */
const char *timeline_state_text(enum timeline_state state);

#endif
