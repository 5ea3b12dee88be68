/*
 * nan_steps.h - a walk over checked launches, and over nodes of graphs in which NaN or infinities
 * appeared, in their order. With --inf infinities count: both are called odd here.
 */
#ifndef CULPRIT_CHECKS_NAN_STEPS_H
#define CULPRIT_CHECKS_NAN_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "view/bundle_view.h"

/* An argument that was checked: a row of checks or, of a node, of graph-checks. */
struct nan_location {
	uint64_t sequence; /* of the launch, or of the graph's; 0: not known */
	uint32_t row;      /* id; 0: none */
	bool is_node;
};

struct nan_argument {
	struct nan_location location;
	uint64_t address, bytes;
	bool was_odd, is_odd; /* before and after the kernel */
	bool is_written;      /* by the kernel */
	bool is_whole;        /* all of the argument's memory was checked */
};

/* One kernel. Only odd arguments of a node are known. */
struct nan_step {
	bool is_unfinished;    /* the kernel had not finished when this was recorded */
	bool may_have_company; /* another kernel may have written the same memory meanwhile */
	bool is_sampled;       /* only a sample of some argument was read before it */
	uint32_t n;
	struct nan_argument arguments[CHECK_MAX_RANGES];
};

/* Later findings are ignored. Kernels that had not finished come last. */
enum { NAN_MAX_ODD_REPLAYS = 48, NAN_MAX_REPLAYS = 64 };

/* One finding of a graph. */
struct nan_replay {
	uint64_t sequence; /* of the graph's launch; 0: its record is lost */
	uint32_t first, n; /* rows */
};

/* A walk. It begins with nan_steps_begin(), which searches the rings for launches of graphs. */
struct nan_steps {
	const struct bundle_view *view;
	uint32_t launch; /* row of the next launch */
	uint32_t node;   /* row of the next node of the current replay; 0 after the last */
	uint32_t n_replays, next_replay;
	struct nan_replay replays[NAN_MAX_REPLAYS]; /* in their order */
};

void nan_steps_begin(const struct bundle_view *view, struct nan_steps *out);

/* Move to the next step, which has at least one argument. False after the last. */
bool nan_steps_next(struct nan_steps *steps, struct nan_step *out);

/* A result of a check, and what counts there. */
struct nan_values {
	const struct check_result *result;
	uint64_t n;     /* odd values */
	uint64_t first; /* index of the first one */
};

/* Return the values before the kernel, or after it. `place` is a row of the view. Any thread. */
struct nan_values nan_values_at(const struct bundle_view *view, struct nan_location location,
				bool is_after);

#endif
