/*
 * plan.h - choose the next run of triage from the findings of the runs before. Pure functions.
 */
#ifndef CULPRIT_TOOLS_PLAN_H
#define CULPRIT_TOOLS_PLAN_H

#include <stdbool.h>

#include "analysis/fingerprint.h"
#include "attribution/verdict.h"
#include "triage/sanitizer.h"

/* How a run differs from the unchanged command. */
enum way {
	WAY_AS_IS,
	WAY_MARKERS_INLINE, /* proves order; costs GPU time */
	WAY_COREDUMP,  /* finds kernel, device line and thread; changes the driver's behaviour */
	WAY_UNCACHED,  /* PyTorch allocates each tensor separately, so that overruns fault */
	WAY_BLOCKING,  /* one launch at a time */
	WAY_SANITIZED, /* compute-sanitizer checks each access of the suspect launches */
	N_WAYS
};

/* The finding of one run, about the process that failed first. */
struct finding {
	bool has_failure;
	bool is_python;
	bool has_node;            /* of a graph launch, a single node is named */
	bool has_device_location; /* the block or thread that failed on the device is known */
	bool has_device_line;     /* the line of device code is known */
	int code;
	enum verdict_class class;
	struct fingerprint fingerprint;
	uint64_t first_suspect;         /* lowest submission number of a suspect; 0: unknown */
	struct sanitizer_target target; /* launches for compute-sanitizer to check */
};

/* Limits and available tools. */
struct plan_means {
	unsigned max_runs;
	bool has_sanitizer;
};

enum plan_end {
	PLAN_GOES_ON,
	PLAN_FOUND,      /* the verdict is exact and no remaining way can add the device line */
	PLAN_NO_FAILURE, /* no run failed on the GPU */
	PLAN_SPENT,      /* not exact, and the runs or the ways are used up */
};

struct plan_run {
	enum way way;
	struct finding finding;
};

/* Return the index of the run with the most precise finding; n > 0. */
unsigned plan_best(const struct plan_run *runs, unsigned n);

/*
 * Return the index of the run whose report to show. It says the most about the device, among the
 * runs that name the same launch as the best one. If the best one names none, it is the best one.
 */
unsigned plan_shown(const struct plan_run *runs, unsigned n);

/* Return PLAN_GOES_ON and set *out_way, or return why no further run is needed. */
enum plan_end plan_next(const struct plan_run *runs, unsigned n, const struct plan_means *means,
			enum way *out_way);

/* Whether the runs that failed agree. */
enum plan_constancy {
	PLAN_ONE_RUN, /* nothing to compare */
	PLAN_STEADY,  /* all runs that name a launch name the same code */
	PLAN_MOVES,   /* some name different code */
};

/* Compare the runs that name a launch. */
enum plan_constancy plan_constancy(const struct plan_run *runs, unsigned n);

#endif
