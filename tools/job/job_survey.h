/*
 * job_survey.h - orders the processes whose reports are printed together for the reader: in each
 * job the rank that failed first comes first, and all ranks that only followed come last.
 */
#ifndef CULPRIT_TOOLS_JOB_SURVEY_H
#define CULPRIT_TOOLS_JOB_SURVEY_H

#include <stddef.h>
#include <stdio.h>

#include "job/job.h"

/* A zeroed one is empty. */
struct job_survey {
	struct job_rank **ranks; /* as they were added; NULL: not a rank of a job */
	size_t n;
};

/* Adds a process; NULL: nothing is known about it. Returns 0 or -ENOMEM. */
int job_survey_add(struct job_survey *survey, const struct analysis *analysis);

/*
 * Fills `order` with the numbers of all processes, from 0, in reading order, and writes the
 * headings of their jobs to `heads`. *out_n_told is the number of processes that get a report of
 * their own. The ones after these are followers, which the headings describe. Returns 0, or -ENOMEM
 * with nothing filled in.
 */
int job_survey_arrange(const struct job_survey *survey, size_t *order, size_t *out_n_told,
		       FILE *heads);

/* Calls `visit` for each job that has something to order. Returns 0, or -ENOMEM without a call. */
int job_survey_visit(const struct job_survey *survey,
		     void (*visit)(const struct job *job, void *data), void *data);
void job_survey_free(struct job_survey *survey);

#endif
