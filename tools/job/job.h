/*
 * job.h - the ranks of one job: whose failure came first, and how that is known. Collectives are
 * counted first, since they are the job's own clock; then the clocks of the hosts, as far as these
 * can be trusted.
 */
#ifndef CULPRIT_TOOLS_JOB_H
#define CULPRIT_TOOLS_JOB_H

#include <stdio.h>

#include "job/job_rank.h"

struct job {
	struct job_rank **ranks; /* the caller's; those of a job together */
	size_t n;
};

/* How one rank's failure is known to have come before another's. */
enum job_reason {
	JOB_UNKNOWN,
	JOB_COLLECTIVES, /* fewer of them lie before its culprit */
	JOB_IN_NCCL,     /* the other failed in a kernel of NCCL, which waits for its peers */
	JOB_CLOCK,       /* it was seen before the other's culprit was submitted */
	JOB_SEEN,        /* it was seen earlier: the other may still have come first */
};

enum job_reason job_is_before(const struct job_rank *one, const struct job_rank *other);

/* Are these processes of one job, at one time? */
bool job_has_both(const struct job_rank *one, const struct job_rank *other);

/*
 * Sorts the ranks of the job and sets the role of each. False: there is nothing to order, as there
 * are not several ranks, or no failure, or the same mistake in all: roles are JOB_UNDECIDED.
 */
bool job_decide(const struct job *job);

/* The one that failed first; NULL: it is not known. After job_decide() said true, as the rest. */
const struct job_rank *job_first(const struct job *job);

/* Is it more than an order in which the failures of the others were seen? */
bool job_is_proven(const struct job *job, const struct job_rank *first);

bool job_has_rank(const struct job *job, const struct job_rank *rank);

/* The head of the job's report, after job_decide() said true. */
void job_print(const struct job *job, FILE *out);

#endif
