/*
 * tried_versions.c - the table of tested versions. Add a row after a run, and describe the run in
 * docs/versions.md.
 */
#include "versions/versions.h"

#include <stdio.h>

struct row {
	int version;
	enum trial trial;
};

static const struct row drivers[] = {
	{12000, TRIAL_SIMULATED}, {12040, TRIAL_SIMULATED}, {12080, TRIAL_SIMULATED},
	{13000, TRIAL_GPU},       {13050, TRIAL_SIMULATED}, {0, TRIAL_NONE},
};

/* Runtimes need private tables of the driver, which the simulated driver cannot provide. */
static const struct row runtimes[] = {
	{12000, TRIAL_GPU}, {12040, TRIAL_GPU}, {12080, TRIAL_GPU},
	{12090, TRIAL_GPU}, {13000, TRIAL_GPU}, {0, TRIAL_NONE},
};

static enum trial find(const struct row *row, int version)
{
	while (row->version && row->version != version)
		row++;
	return row->trial;
}

enum trial tried_driver(int version)
{
	return find(drivers, version);
}

enum trial tried_runtime(int version)
{
	return find(runtimes, version);
}

const char *tried_text(enum trial trial)
{
	static const char *const texts[] = {
		[TRIAL_NONE] = "untried",
		[TRIAL_SIMULATED] = "tried on a simulated driver only",
		[TRIAL_GPU] = "",
	};
	return texts[trial];
}

void version_text(int version, char *out, size_t size)
{
	(void)snprintf(out, size, "%d.%d", version / 1000, version % 1000 / 10);
}
