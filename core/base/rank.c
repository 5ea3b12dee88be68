/*
 * rank.c - the variables of launchers, and the order in which they count.
 */
#include "base/rank.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *const rank_variables[N_RANK_VARIABLES] = {
	"RANK",
	"LOCAL_RANK",
	"WORLD_SIZE",
	"GROUP_RANK",
	"TORCHELASTIC_RUN_ID",
	"TORCHELASTIC_RESTART_COUNT",
	"OMPI_COMM_WORLD_RANK",
	"OMPI_COMM_WORLD_LOCAL_RANK",
	"OMPI_COMM_WORLD_SIZE",
	"PMIX_RANK",
	"PMI_RANK",
	"PMI_SIZE",
	"MPI_LOCALRANKID",
	"SLURM_PROCID",
	"SLURM_LOCALID",
	"SLURM_NTASKS",
	"SLURM_JOB_ID",
};

static const struct rank launchers[] = {
	{"RANK", "LOCAL_RANK", "WORLD_SIZE"},
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE"},
	{"PMIX_RANK", NULL, NULL},
	{"PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE"},
	{"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NTASKS"},
};

static const char *number_of(const char *name, rank_value value, void *data)
{
	enum { MAX_DIGITS = 10 };
	const char *text = name ? value(data, name) : NULL;
	size_t length = text ? strspn(text, "0123456789") : 0;
	return length > 0 && length <= MAX_DIGITS && !text[length] ? text : NULL;
}

struct rank rank_find(rank_value value, void *data)
{
	for (size_t index = 0; index < sizeof(launchers) / sizeof(launchers[0]); index++) {
		const struct rank *names = &launchers[index];
		const char *rank = number_of(names->rank, value, data);
		if (rank)
			return (struct rank){.rank = rank,
					     .local = number_of(names->local, value, data),
					     .size = number_of(names->size, value, data)};
	}
	return (struct rank){NULL, NULL, NULL};
}

static const char *environment_value(void *unused, const char *name)
{
	(void)unused;
	return getenv(name);
}

struct rank rank_here(void)
{
	return rank_find(environment_value, NULL);
}
