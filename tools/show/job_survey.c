/*
 * job_survey.c - finds the jobs among processes.
 */
#include "show/job_survey.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "show/job.h"

int job_survey_add(struct job_survey *survey, const struct analysis *analysis)
{
	struct job_rank *rank = calloc(1, sizeof(*rank));
	struct job_rank **ranks = reallocarray(survey->ranks, survey->n + 1, sizeof(*ranks));
	int result = rank && ranks ? 0 : -ENOMEM;

	if (ranks)
		survey->ranks = ranks;
	if (!result && analysis)
		result = job_rank_read(analysis, rank);
	if (result) {
		free(rank);
		return result;
	}
	rank->role = JOB_UNDECIDED;
	ranks[survey->n++] = rank;
	return 0;
}

void job_survey_free(struct job_survey *survey)
{
	for (size_t index = 0; index < survey->n; index++)
		free(survey->ranks[index]);
	free(survey->ranks);
	memset(survey, 0, sizeof(*survey));
}

/* The processes of the same job as the one at `at`, that one included. */
static void gather(const struct job_survey *survey, size_t at, const bool *is_placed,
		   struct job *job)
{
	job->n = 0;
	for (size_t index = 0; index < survey->n; index++)
		if (index == at ||
		    (!is_placed[index] && job_has_both(survey->ranks[at], survey->ranks[index])))
			job->ranks[job->n++] = survey->ranks[index];
}

static bool is_of(const struct job *job, const struct job_rank *rank)
{
	for (size_t index = 0; index < job->n; index++)
		if (job->ranks[index] == rank)
			return true;
	return false;
}

/* The heads of all jobs; the members of each are marked, and follow each other in `order`. */
static size_t place_jobs(const struct job_survey *survey, struct job *job, bool *is_placed,
			 size_t *order, FILE *heads)
{
	size_t n = 0;

	for (size_t at = 0; at < survey->n; at++) {
		if (is_placed[at])
			continue;
		gather(survey, at, is_placed, job);
		if (!job_decide(job))
			continue;
		if (n)
			fputc('\n', heads);
		job_print(job, heads);
		for (size_t index = 0; index < survey->n; index++) {
			if (!is_of(job, survey->ranks[index]))
				continue;
			is_placed[index] = true;
			order[n++] = index;
		}
	}
	return n;
}

/* Those that followed go behind all others; the order stays otherwise. */
static size_t put_followers_last(const struct job_survey *survey, size_t *order, size_t *buffer)
{
	size_t n_told = 0, n_followers = 0;

	for (size_t index = 0; index < survey->n; index++) {
		if (survey->ranks[order[index]]->role == JOB_FOLLOWED)
			buffer[n_followers++] = order[index];
		else
			order[n_told++] = order[index];
	}
	memcpy(order + n_told, buffer, n_followers * sizeof(order[0]));
	return n_told;
}

int job_survey_arrange(const struct job_survey *survey, size_t *order, size_t *out_n_told,
		       FILE *heads)
{
	struct job job = {calloc(survey->n + 1, sizeof(*job.ranks)), 0};
	bool *is_placed = calloc(survey->n + 1, sizeof(*is_placed));
	size_t *buffer = calloc(survey->n + 1, sizeof(*buffer));
	int result = job.ranks && is_placed && buffer ? 0 : -ENOMEM;
	size_t n = result ? 0 : place_jobs(survey, &job, is_placed, order, heads);

	for (size_t index = 0; !result && index < survey->n; index++)
		if (!is_placed[index])
			order[n++] = index;
	if (!result)
		*out_n_told = put_followers_last(survey, order, buffer);
	free(job.ranks);
	free(is_placed);
	free(buffer);
	return result;
}
