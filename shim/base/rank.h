/*
 * rank.h - which rank of a job a process is, as the launcher of the job tells it in the
 * environment. A launcher that runs under another one comes first in the table: under torchrun the
 * scheduler's number is that of the agent.
 */
#ifndef CULPRIT_BASE_RANK_H
#define CULPRIT_BASE_RANK_H

enum { N_RANK_VARIABLES = 17 };

/* All variables that launchers set about ranks. Any thread. */
extern const char *const rank_variables[N_RANK_VARIABLES];

/* Numbers as text; NULL: not known. */
struct rank {
	const char *rank;
	const char *local;
	const char *size;
};

/* The value of a variable, or NULL. */
typedef const char *(*rank_value)(void *data, const char *name);

/*
 * The rank by the first launcher whose variable is a number; all NULL without one. The strings are
 * those of `value`. Any thread.
 */
struct rank rank_find(rank_value value, void *data);

#endif
