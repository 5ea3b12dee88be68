/*
 * job_json.c - builds the object JOB of report_json.h.
 */
#include "job/job.h"

#include "json/json_values.h"

enum { MAX_LISTED = 64 };

static const char *role_word(enum job_role role)
{
	static const char *const words[] = {
		[JOB_FIRST] = "first",
		[JOB_UNDECIDED] = "undecided",
		[JOB_FOLLOWED] = "followed",
	};
	return words[role];
}

static const char *reason_word(enum job_reason reason)
{
	static const char *const words[] = {
		[JOB_UNKNOWN] = "seen", [JOB_COLLECTIVES] = "collectives",
		[JOB_IN_NCCL] = "nccl", [JOB_CLOCK] = "clock",
		[JOB_SEEN] = "seen",
	};
	return words[reason];
}

static json_t *text_or_null(const char *text)
{
	return *text ? json_string(text) : json_null();
}

static json_t *reason_to_json(const struct job_rank *first, const struct job_rank *other)
{
	enum job_reason reason = job_is_before(first, other);
	uint64_t then_ns = reason == JOB_CLOCK ? other->submitted_ns : other->seen_ns;
	bool is_clock = reason == JOB_CLOCK || reason == JOB_SEEN;
	bool is_counted = reason == JOB_COLLECTIVES;
	return json_pack("{s:s, s:s, s:o, s:o, s:o}", "rank", other->rank, "by",
			 reason_word(reason), "collectives",
			 is_counted ? json_count(first->collectives.n_all) : json_null(),
			 "other_collectives",
			 is_counted ? json_count(other->collectives.n_all) : json_null(), "ms",
			 is_clock && then_ns > first->seen_ns
				 ? json_count((then_ns - first->seen_ns + 500000) / 1000000)
				 : json_null());
}

/* True if a report lists this rank: a list in each report of a large job would be quadratic. */
static bool is_listed(const struct job *job, const struct job_rank *own,
		      const struct job_rank *rank)
{
	return job->n <= MAX_LISTED || own == job_first(job) || rank == own;
}

static json_t *reasons_to_json(const struct job *job, const struct job_rank *own)
{
	const struct job_rank *first = job_first(job);
	json_t *reasons = json_array();
	for (size_t index = 0; first && index < job->n; index++) {
		const struct job_rank *rank = job->ranks[index];
		if (rank != first && rank->seen_ns && is_listed(job, own, rank))
			json_array_append_new(reasons, reason_to_json(first, rank));
	}
	return reasons;
}

static json_t *rank_to_json(const struct job_rank *rank)
{
	const struct collectives *collectives = &rank->collectives;
	bool has_open = !rank->seen_ns && collectives->open_number;
	return json_pack(
		"{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:s}", "rank", rank->rank, "role",
		role_word(rank->role), "host", text_or_null(rank->host), "device",
		text_or_null(rank->device), "headline", text_or_null(rank->headline), "collective",
		has_open ? json_count(collectives->open_number) : json_null(), "collective_name",
		has_open ? json_string(collectives->open_name) : json_null(), "bundle", rank->path);
}

/* List all ranks, except in a follower's report, which has just enough to find such a list. */
static json_t *ranks_to_json(const struct job *job, const struct job_rank *own)
{
	json_t *ranks = json_array();
	for (size_t index = 0; own->role != JOB_FOLLOWED && index < job->n; index++)
		if (is_listed(job, own, job->ranks[index]))
			json_array_append_new(ranks, rank_to_json(job->ranks[index]));
	return ranks;
}

json_t *job_to_json(const struct job *job, const struct job_rank *own)
{
	const struct job_rank *first = job_first(job);
	return json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "size", text_or_null(own->size),
			 "n", json_count(job->n), "role", role_word(own->role), "first",
			 first ? json_string(first->rank) : json_null(), "proven",
			 first ? json_boolean(job_is_proven(job)) : json_null(), "known_by",
			 reasons_to_json(job, own), "ranks", ranks_to_json(job, own));
}
