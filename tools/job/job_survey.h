/*
 * job_survey.h - the processes whose reports are printed together, put in the order in which people
 * read them: of each job the rank that failed first in front, those that only followed at the end.
 */
#ifndef CULPRIT_TOOLS_JOB_SURVEY_H
#define CULPRIT_TOOLS_JOB_SURVEY_H

#include <stddef.h>
#include <stdio.h>

#include "job/job.h"

/* A zeroed one is empty. */
struct job_survey {
	struct job_rank **ranks; /* by the order in which they were added */
	size_t n;
};

/* One more; NULL: a process of which nothing is known. 0 or -ENOMEM. */
int job_survey_add(struct job_survey *survey, const struct analysis *analysis);

/*
 * Fills `order` with the numbers of all, from 0, as they are to be read, and the heads of their
 * jobs into `heads`. Returns how many of them have a report of their own: those behind it are
 * followers, which the heads tell of. -ENOMEM: none of it is known.
 */
int job_survey_arrange(const struct job_survey *survey, size_t *order, size_t *out_n_told,
		       FILE *heads);

/* Calls `visit` for each job in which there is something to order. 0 or -ENOMEM: for none. */
int job_survey_visit(const struct job_survey *survey,
		     void (*visit)(const struct job *job, void *data), void *data);
void job_survey_free(struct job_survey *survey);

#endif
