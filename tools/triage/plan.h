/*
 * plan.h - which run comes next, from what the runs before it found. Pure: values in, a way out.
 */
#ifndef CULPRIT_TOOLS_PLAN_H
#define CULPRIT_TOOLS_PLAN_H

#include <stdbool.h>

#include "report/fingerprint.h"
#include "triage/sanitizer.h"
#include "verdict/attribution/verdict.h"

/* How a run differs from the command as it is. */
enum way {
	WAY_AS_IS,
	WAY_MARKERS_INLINE, /* proves order; costs GPU time */
	WAY_COREDUMP,       /* kernel, line and thread on the device; the driver is another then */
	WAY_UNCACHED,       /* PyTorch gives each tensor an allocation, so that its end is one */
	WAY_BLOCKING,       /* one launch at a time */
	WAY_SANITIZED,      /* compute-sanitizer checks each access of the suspect launches */
	N_WAYS
};

/* What one run found, of the process that failed first. */
struct finding {
	bool has_failure;
	bool is_python;
	bool has_device_place; /* where on the device the culprit failed: in which block or thread
				*/
	bool has_device_line;  /* and in which line */
	int code;
	enum verdict_class class;
	struct fingerprint fingerprint;
	uint64_t first_suspect;         /* the least number of a suspect; 0: there is none */
	struct sanitizer_target target; /* what to check */
};

/* What there is to run with. */
struct plan_means {
	unsigned max_runs;
	bool has_sanitizer;
};

enum plan_end {
	PLAN_GOES_ON,
	PLAN_FOUND,      /* exact, and the line on the device, or no way to it is left */
	PLAN_NO_FAILURE, /* the command as it is did not fail on the GPU */
	PLAN_SPENT,      /* as many runs as were allowed, or all ways tried */
};

struct plan_run {
	enum way way;
	struct finding finding;
};

/* The index of the run that tells most, of n > 0. */
unsigned plan_best(const struct plan_run *runs, unsigned n);

/* PLAN_GOES_ON with *out_way, or why nothing more is to be run. */
enum plan_end plan_next(const struct plan_run *runs, unsigned n, const struct plan_means *means,
			enum way *out_way);

/* What the runs that failed have in common. */
enum plan_constancy {
	PLAN_ONE_RUN, /* nothing to compare */
	PLAN_STEADY,  /* all that name a launch name the same code */
	PLAN_MOVES,   /* they do not */
};

enum plan_constancy plan_constancy(const struct plan_run *runs, unsigned n);

#endif
