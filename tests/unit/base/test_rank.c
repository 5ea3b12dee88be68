/*
 * Unit tests of ranks: which launcher's variables count, and which values are not numbers.
 */
#include "base/rank.h"

#include "support/check.h"

struct variable {
	const char *name;
	const char *value;
};

static const char *value_in(void *data, const char *name)
{
	for (const struct variable *row = data; row->name; row++) {
		if (strcmp(row->name, name) == 0)
			return row->value;
	}
	return NULL;
}

int main(void)
{
	struct variable none[] = {{NULL, NULL}};
	struct variable torch[] = {{"SLURM_PROCID", "1"},
				   {"LOCAL_RANK", "2"},
				   {"RANK", "10"},
				   {"WORLD_SIZE", "16"},
				   {NULL, NULL}};
	struct variable slurm[] = {{"RANK", "first"},
				   {"SLURM_PROCID", "7"},
				   {"SLURM_NTASKS", "12345678901"},
				   {NULL, NULL}};
	struct rank rank = rank_find(value_in, none);
	CHECK(!rank.rank && !rank.local && !rank.size);
	rank = rank_find(value_in, torch);
	CHECK_STRING(rank.rank, "10");
	CHECK_STRING(rank.local, "2");
	CHECK_STRING(rank.size, "16");
	/* A value that is not a rank's number is ignored, and the next launcher counts. */
	rank = rank_find(value_in, slurm);
	CHECK_STRING(rank.rank, "7");
	CHECK(!rank.local && !rank.size);
	return 0;
}
