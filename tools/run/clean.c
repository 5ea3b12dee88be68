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
#include "run/old_bundles.h"

static void tell(const char *path)
{
	printf("%s\n", path);
}

static enum exit_status clean(const char *directory, uint64_t max_bytes)
{
	int result = old_bundles_remove(directory, max_bytes, tell);
	if (!result)
		return EXIT_STATUS_OK;
	message("%s: %s", directory, strerror(-result));
	return EXIT_STATUS_SYSTEM;
}

int clean_main(const struct arguments *arguments)
{
	enum exit_status status = EXIT_STATUS_OK;
	uint64_t max_bytes = 0;
	if (old_bundles_read_size(arguments, OPTION_clean_size, &max_bytes))
		return EXIT_STATUS_USAGE;
	/* Clean the memory first, since the memory of a removed bundle is useless. */
	struct left_memory left;
	left_memory_collect(NULL, &left);
	left_memory_end(&left, true);
	if (!arguments->n_operands)
		status = clean(selection_default_folder(), max_bytes);
	for (int index = 0; index < arguments->n_operands; index++)
		if (clean(arguments->operands[index], max_bytes) != EXIT_STATUS_OK)
			status = EXIT_STATUS_SYSTEM;
	if (fflush(stdout))
		status = EXIT_STATUS_SYSTEM;
	return (int)status;
}
