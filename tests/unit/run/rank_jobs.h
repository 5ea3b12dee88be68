/*
 * rank_jobs.h - jobs of several processes in a few characters, and what is found in them as text.
 */
#ifndef CULPRIT_TESTS_RANK_JOBS_H
#define CULPRIT_TESTS_RANK_JOBS_H

#include "base/text.h"
#include "status/ranks.h"

/*
 * Make a job. `text` has a line for each process; a process has groups between spaces. A group is
 * the letters of its collectives, of which "*64" repeats the last one, then "@3" if #3 is its first
 * unfinished one. "-" is a group that makes progress, and "!" as the first character a process
 * that has failed.
 */
void rank_jobs_make(const char *text, struct ranks *out);
void rank_jobs_free(struct ranks *job);

/*
 * Append a line for each finding: its text, then the role of each process as one letter of
 * "-BOW", and the outliers.
 */
void rank_jobs_print(struct ranks *job, struct text *out);

#endif
