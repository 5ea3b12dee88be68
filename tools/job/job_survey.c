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
	struct job_rank **ranks = reallocarray(survey->ranks, survey->n + 1, sizeof(*ranks));
	if (!ranks)
		return -ENOMEM;
	survey->ranks = ranks;
	struct job_rank *rank = NULL;
	if (analysis && process_rank(analysis->bundle->meta).rank) {
		rank = calloc(1, sizeof(*rank));
		int result = rank ? job_rank_read(analysis, rank) : -ENOMEM;
		if (result) {
			free(rank);
			return result;
		}
		rank->role = JOB_UNDECIDED;
		rank->number = survey->n;
	}
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
static void gather(const struct job_survey *survey, size_t at, const size_t *job_of,
		   struct job *job)
{
	job->n = 0;
	for (size_t index = 0; index < survey->n; index++)
		if (index == at || (survey->ranks[index] && !job_of[index] &&
				    job_has_both(survey->ranks[at], survey->ranks[index])))
			job->ranks[job->n++] = survey->ranks[index];
}

/* Where the search for jobs is; each array has a member for each process. */
struct search {
	struct job job;
	size_t n_jobs;
	size_t *job_of;    /* the number of its job, from 1; 0: none was found */
	bool *is_compared; /* with the others: there is nothing to order, and no need to try again
			    */
	size_t *order;
	size_t n; /* in `order` */
};

static void place_members(struct search *search, size_t n_processes)
{
	search->n_jobs++;
	for (size_t index = 0; index < search->job.n; index++)
		search->job_of[search->job.ranks[index]->number] = search->n_jobs;
	for (size_t index = 0; index < n_processes; index++)
		if (search->job_of[index] == search->n_jobs)
			search->order[search->n++] = index;
}

/* Visit all jobs, whose members follow each other in the order. */
static void place_jobs(const struct job_survey *survey, struct search *search,
		       const struct job_visitor *visitor)
{
	for (size_t at = 0; at < survey->n; at++) {
		if (!survey->ranks[at] || search->job_of[at] || search->is_compared[at])
			continue;
		gather(survey, at, search->job_of, &search->job);
		if (job_decide(&search->job)) {
			visitor->visit(&search->job, visitor->data);
			place_members(search, survey->n);
			continue;
		}
		for (size_t index = 0; index < search->job.n; index++)
			search->is_compared[search->job.ranks[index]->number] = true;
	}
}

/* Move the followers to the end, otherwise keeping the order. Returns the number of the others. */
static size_t put_followers_last(const struct job_survey *survey, size_t *order, size_t *buffer)
{
	size_t n_told = 0;
	size_t n_followers = 0;
	for (size_t index = 0; index < survey->n; index++) {
		const struct job_rank *rank = survey->ranks[order[index]];
		if (rank && rank->role == JOB_FOLLOWED)
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
	struct search search = {.job = {.ranks = calloc(survey->n + 1, sizeof(struct job_rank *))},
				.job_of = calloc(survey->n + 1, sizeof(size_t)),
				.is_compared = calloc(survey->n + 1, sizeof(bool)),
				.order = order};
	bool has_memory = search.job.ranks && search.job_of && search.is_compared;
	if (has_memory)
		place_jobs(survey, &search, visitor);
	for (size_t index = 0; has_memory && index < survey->n; index++)
		if (!search.job_of[index])
			order[search.n++] = index;
	free(search.job.ranks);
	free(search.job_of);
	free(search.is_compared);
	return has_memory ? 0 : -ENOMEM;
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
