/*
 * job.c - the order of failures within a job.
 */
#include "job/job.h"

#include <stdlib.h>
#include <string.h>

/*
 * HOSTS_DIFFER_NS is the assumed maximum difference between the clocks of two hosts. SEEN_LATE_NS
 * is the delay after which a host that keeps asking sees a failure: up to 350 ms on an H200 with
 * driver 580.
 */
#define HOSTS_DIFFER_NS 1000000000u
#define SEEN_LATE_NS    350000000u

static uint64_t clocks_differ(const struct job_rank *one, const struct job_rank *other)
{
	return *one->host && !strcmp(one->host, other->host) ? 0 : HOSTS_DIFFER_NS;
}

bool job_has_both(const struct job_rank *one, const struct job_rank *other)
{
	const struct job_rank *later = one->started_ns > other->started_ns ? one : other;
	const struct job_rank *earlier = later == one ? other : one;
	/* A rank that started after the other one failed belongs to a later run of the same job. */
	return *one->rank && *other->rank && !strcmp(one->job, other->job) &&
	       (!earlier->seen_ns ||
		later->started_ns <= earlier->seen_ns + clocks_differ(one, other));
}

/* True if `one` has no more collectives in any communicator than `other`, and fewer in one. */
static bool has_fewer(const struct collectives *one, const struct collectives *other)
{
	bool has_less = false;
	if (!one->is_whole || !other->is_whole)
		return false;
	for (uint32_t index = 0; index < MAX_COMMUNICATORS; index++) {
		if (one->n[index] > other->n[index])
			return false;
		has_less |= one->n[index] < other->n[index];
	}
	return has_less;
}

static bool is_sooner(uint64_t one_ns, uint64_t other_ns, uint64_t uncertain_ns)
{
	return one_ns && other_ns && one_ns < other_ns && other_ns - one_ns > uncertain_ns;
}

/* Compare the clocks alone. */
static enum job_reason find_sooner(const struct job_rank *one, const struct job_rank *other)
{
	uint64_t differ = clocks_differ(one, other);
	if (is_sooner(one->seen_ns, other->submitted_ns, differ))
		return JOB_CLOCK;
	return is_sooner(one->seen_ns, other->seen_ns, differ + SEEN_LATE_NS) ? JOB_SEEN
									      : JOB_UNKNOWN;
}

enum job_reason job_is_before(const struct job_rank *one, const struct job_rank *other)
{
	/* Nothing comes before a failure that was seen before. */
	if (!one->seen_ns || find_sooner(other, one) == JOB_CLOCK)
		return JOB_UNKNOWN;
	if (!other->seen_ns)
		return JOB_UNKNOWN;
	if (has_fewer(&one->collectives, &other->collectives))
		return JOB_COLLECTIVES;
	if (has_fewer(&other->collectives, &one->collectives))
		return JOB_UNKNOWN;
	if (!one->collectives.is_of_culprit && other->collectives.is_of_culprit)
		return JOB_IN_NCCL;
	if (one->collectives.is_of_culprit && !other->collectives.is_of_culprit)
		return JOB_UNKNOWN;
	return find_sooner(one, other);
}

/*
 * True if a rank failed before this one. The last rank that was found in this way is tried first:
 * in most jobs one rank failed before all others, and comparing each pair takes too long.
 */
static bool has_one_before(const struct job *job, const struct job_rank *rank, size_t *last)
{
	if (job->ranks[*last] != rank && job_is_before(job->ranks[*last], rank))
		return true;
	for (size_t index = 0; index < job->n; index++) {
		if (job->ranks[index] == rank || !job_is_before(job->ranks[index], rank))
			continue;
		*last = index;
		return true;
	}
	return false;
}

static bool is_proven(const struct job *job)
{
	for (size_t index = 0; index < job->n; index++)
		if (job->ranks[index] != job->first && job->ranks[index]->seen_ns &&
		    job_is_before(job->first, job->ranks[index]) == JOB_SEEN)
			return false;
	return true;
}

static bool is_one_mistake(const struct job *job)
{
	for (size_t index = 0; index < job->n; index++)
		if (!*job->ranks[index]->mistake ||
		    strcmp(job->ranks[index]->mistake, job->ranks[0]->mistake) != 0)
			return false;
	return true;
}

static bool has_several_ranks(const struct job *job)
{
	for (size_t index = 1; index < job->n; index++)
		if (strcmp(job->ranks[index]->rank, job->ranks[0]->rank) != 0)
			return true;
	return false;
}

static int compare_ranks(const void *a, const void *b)
{
	const struct job_rank *const *left = a;
	const struct job_rank *const *right = b;
	unsigned long one = strtoul((*left)->rank, NULL, 10);
	unsigned long other = strtoul((*right)->rank, NULL, 10);
	if (one != other)
		return one < other ? -1 : 1;
	return strcmp((*left)->path, (*right)->path);
}

/* Set the role of each rank. Returns the number of those that may have failed first. */
static size_t decide_roles(const struct job *job)
{
	size_t n_left = 0;
	size_t last = 0;
	for (size_t index = 0; index < job->n; index++) {
		struct job_rank *rank = job->ranks[index];
		bool has_followed = !rank->seen_ns || has_one_before(job, rank, &last);
		rank->role = has_followed ? JOB_FOLLOWED : JOB_UNDECIDED;
		n_left += !has_followed;
	}
	return n_left;
}

bool job_decide(struct job *job)
{
	job->first = NULL;
	job->is_proven = false;
	if (job->n)
		qsort(job->ranks, job->n, sizeof(job->ranks[0]), compare_ranks);
	for (size_t index = 0; index < job->n; index++)
		job->ranks[index]->role = JOB_UNDECIDED;
	if (!has_several_ranks(job) || is_one_mistake(job))
		return false;
	size_t n_left = decide_roles(job);
	for (size_t index = 0; index < job->n; index++) {
		struct job_rank *rank = job->ranks[index];
		/* If no rank is left, the ranks may precede each other in a cycle. */
		if (!n_left && rank->seen_ns)
			rank->role = JOB_UNDECIDED;
		if (n_left == 1 && rank->role == JOB_UNDECIDED) {
			rank->role = JOB_FIRST;
			job->first = rank;
		}
	}
	job->is_proven = job->first && is_proven(job);
	return n_left > 0;
}

const struct job_rank *job_first(const struct job *job)
{
	return job->first;
}

bool job_is_proven(const struct job *job)
{
	return job->is_proven;
}
