/*
 * job.h - the ranks of one job: which failed first, and how that is known. Collectives are compared
 * first, since they are the job's own clock, then the clocks of the hosts, as far as these can be
 * trusted.
 */
#ifndef CULPRIT_TOOLS_JOB_H
#define CULPRIT_TOOLS_JOB_H

#include <jansson.h>
#include <stdio.h>

#include "job/job_rank.h"

struct job {
	struct job_rank **ranks; /* owned by the caller; the ranks of one job */
	size_t n;
	const struct job_rank *first; /* NULL: not known; set by job_decide() */
	bool is_proven;               /* of `first`; the same */
};

/* The evidence that one rank's failure came before another's. */
enum job_reason {
	JOB_UNKNOWN,
	JOB_COLLECTIVES, /* it has fewer collectives before its culprit */
	JOB_IN_NCCL,     /* the other failed in a kernel of NCCL, which waits for its peers */
	JOB_CLOCK,       /* it was seen before the other's culprit was submitted */
	JOB_SEEN,        /* it was seen earlier, but the other may still have come first */
};

enum job_reason job_is_before(const struct job_rank *one, const struct job_rank *other);

/* True if these processes belong to one job at one time. */
bool job_has_both(const struct job_rank *one, const struct job_rank *other);

/*
 * Sorts the ranks of the job and sets the role of each. Returns false if there is nothing to order:
 * there are not several ranks, no failure, or the same mistake in all. The roles are then
 * JOB_UNDECIDED.
 */
bool job_decide(struct job *job);

/*
 * The functions below may be called only after job_decide() returned true.
 *
 * Returns the rank that failed first, or NULL if it is not known.
 */
const struct job_rank *job_first(const struct job *job);

/* True if more than the order in which the failures were seen is known. */
bool job_is_proven(const struct job *job);

/* Prints the heading of the job's report: in a large job, of the first followers and reasons. */
void job_print(const struct job *job, FILE *out);

/*
 * Return the heading as JOB of report_json.h, for the report of `own`, one of the job's ranks.
 * NULL: out of memory.
 */
json_t *job_to_json(const struct job *job, const struct job_rank *own);

#endif
