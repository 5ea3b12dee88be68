/*
 * rank.h - a process's rank in its job, from the environment variables that the job's launcher
 * sets. A launcher that runs under another one is first in the table: under torchrun, the
 * scheduler's number is that of the agent.
 */
#ifndef CULPRIT_BASE_RANK_H
#define CULPRIT_BASE_RANK_H

enum { N_RANK_VARIABLES = 17 };

/* All variables in which launchers pass ranks. Any thread. */
extern const char *const rank_variables[N_RANK_VARIABLES];

/* Numbers as text: the rank, the rank on its host, the number of ranks. NULL: not known. */
struct rank {
	const char *rank;
	const char *local;
	const char *size;
};

/* Returns the value of a variable, or NULL. */
typedef const char *(*rank_value)(void *data, const char *name);

/*
 * Return the rank from the first launcher whose variable is a number, or all NULL. The strings are
 * those that `value` returned. Any thread.
 */
struct rank rank_find(rank_value value, void *data);

/* Return the rank from this process's environment. Start-up only. */
struct rank rank_here(void);

#endif
