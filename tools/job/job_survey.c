/*
 * job_survey.c - finds the jobs among processes.
 */
#include "job/job_survey.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct job_visitor {
	void (*visit)(const struct job *job, void *data);
	void *data;
};

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

/* Collect the processes of the same job as the one at `at`, including itself. */
static void gather(const struct job_survey *survey, size_t at, const bool *is_placed,
		   struct job *job)
{
	job->n = 0;
	for (size_t index = 0; index < survey->n; index++)
		if (index == at ||
		    (!is_placed[index] && job_has_both(survey->ranks[at], survey->ranks[index])))
			job->ranks[job->n++] = survey->ranks[index];
}

/* Visit all jobs. Mark the members of each, which follow each other in `order`. */
static size_t place_jobs(const struct job_survey *survey, struct job *job, bool *is_placed,
			 size_t *order, const struct job_visitor *visitor)
{
	size_t n = 0;
	for (size_t at = 0; at < survey->n; at++) {
		if (is_placed[at])
			continue;
		gather(survey, at, is_placed, job);
		if (!job_decide(job))
			continue;
		visitor->visit(job, visitor->data);
		for (size_t index = 0; index < survey->n; index++) {
			if (!job_has_rank(job, survey->ranks[index]))
				continue;
			is_placed[index] = true;
			order[n++] = index;
		}
	}
	return n;
}

/* Move the followers to the end, otherwise keeping the order. Returns the number of the others. */
static size_t put_followers_last(const struct job_survey *survey, size_t *order, size_t *buffer)
{
	size_t n_told = 0;
	size_t n_followers = 0;
	for (size_t index = 0; index < survey->n; index++) {
		if (survey->ranks[order[index]]->role == JOB_FOLLOWED)
			buffer[n_followers++] = order[index];
		else
			order[n_told++] = order[index];
	}
	memcpy(order + n_told, buffer, n_followers * sizeof(order[0]));
	return n_told;
}

/* Places the ranks of jobs first, then those without a job. Returns 0 or -ENOMEM. */
static int place_all(const struct job_survey *survey, size_t *order,
		     const struct job_visitor *visitor)
{
	struct job job = {calloc(survey->n + 1, sizeof(*job.ranks)), 0};
	bool *is_placed = calloc(survey->n + 1, sizeof(*is_placed));
	int result = job.ranks && is_placed ? 0 : -ENOMEM;
	size_t n = result ? 0 : place_jobs(survey, &job, is_placed, order, visitor);
	for (size_t index = 0; !result && index < survey->n; index++)
		if (!is_placed[index])
			order[n++] = index;
	free(job.ranks);
	free(is_placed);
	return result;
}

struct heads {
	FILE *out;
	size_t n;
};

static void print_head(const struct job *job, void *data)
{
	struct heads *heads = data;
	if (heads->n++)
		fputc('\n', heads->out);
	job_print(job, heads->out);
}

int job_survey_arrange(const struct job_survey *survey, size_t *order, size_t *out_n_told,
		       FILE *heads)
{
	struct heads state = {heads, 0};
	const struct job_visitor visitor = {print_head, &state};
	size_t *buffer = calloc(survey->n + 1, sizeof(*buffer));
	int result = buffer ? place_all(survey, order, &visitor) : -ENOMEM;
	if (!result)
		*out_n_told = put_followers_last(survey, order, buffer);
	free(buffer);
	return result;
}

int job_survey_visit(const struct job_survey *survey,
		     void (*visit)(const struct job *job, void *data), void *data)
{
	const struct job_visitor visitor = {visit, data};
	size_t *order = calloc(survey->n + 1, sizeof(*order));
	int result = order ? place_all(survey, order, &visitor) : -ENOMEM;
	free(order);
	return result;
}
