/*
 * clean.c - `culprit clean`: removes finished bundles, and the journals that killed processes left.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bundle/selection.h"
#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "run/left_memory.h"
#include "run/run_parts.h"

enum { MAX_DAYS = 1000000, SECONDS_PER_DAY = 24 * 60 * 60 };

static void tell(const char *path)
{
	printf("%s\n", path);
}

static enum exit_status clean(const char *directory, const struct old_bundles_limits *limits)
{
	int result = old_bundles_remove(directory, limits, tell);
	if (!result)
		return EXIT_STATUS_OK;
	message("%s: %s", directory, strerror(-result));
	return EXIT_STATUS_SYSTEM;
}

/* Bundles are evidence: nothing is removed unless the user says what. 0, or -EINVAL after a line.
 */
static int read_limits(const struct arguments *arguments, struct old_bundles_limits *out)
{
	bool is_all = arguments->values[OPTION_clean_all];
	unsigned days = 0;
	*out = (struct old_bundles_limits){.max_bytes = is_all ? 0 : UINT64_MAX,
					   .max_seconds = UINT64_MAX,
					   .is_dry = arguments->values[OPTION_clean_dry_run]};
	if (old_bundles_read_size(arguments, OPTION_clean_size, &out->max_bytes) ||
	    options_number(arguments, OPTION_clean_older_than, 0, MAX_DAYS, &days))
		return -EINVAL;
	if (arguments->values[OPTION_clean_older_than])
		out->max_seconds = (uint64_t)days * SECONDS_PER_DAY;
	bool is_some =
		arguments->values[OPTION_clean_size] || arguments->values[OPTION_clean_older_than];
	if (is_all != is_some)
		return 0;
	message(is_all ? "--all and a limit exclude each other; see culprit help clean"
		       : "say what to remove: --size MB, --older-than DAYS or --all");
	return -EINVAL;
}

/* Clean the memory first, since the memory of a removed bundle is useless. */
static void clean_memory(void)
{
	struct left_memory left;
	left_memory_collect(NULL, &left);
	left_memory_end(&left, true);
}

int clean_main(const struct arguments *arguments)
{
	enum exit_status status = EXIT_STATUS_OK;
	struct old_bundles_limits limits;
	if (read_limits(arguments, &limits))
		return EXIT_STATUS_USAGE;
	if (!limits.is_dry)
		clean_memory();
	if (!arguments->n_operands)
		status = clean(selection_default_folder(), &limits);
	for (int index = 0; index < arguments->n_operands; index++)
		if (clean(arguments->operands[index], &limits) != EXIT_STATUS_OK)
			status = EXIT_STATUS_SYSTEM;
	if (fflush(stdout))
		status = EXIT_STATUS_SYSTEM;
	return (int)status;
}
