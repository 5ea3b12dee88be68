/*
 * env.c - `culprit env`: print shell commands that set the environment to load the library.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "command/preload.h"

/* Print an export command that POSIX shells and fish understand. */
static void print_export(const char *name)
{
	const char *value = getenv(name);
	printf("export %s='", name);
	for (; value && *value; value++) {
		if (*value == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*value);
	}
	puts("'");
}

int env_main(const struct arguments *arguments)
{
	if (options_no_operands(arguments, COMMAND_env))
		return EXIT_STATUS_USAGE;
	char library[PATH_MAX];
	if (preload_find_library(library, sizeof(library)))
		return EXIT_STATUS_NOT_WORKING;
	if (preload_set_environment(library) || preload_offer_nvtx(library)) {
		message("%s", "out of memory");
		return EXIT_STATUS_SYSTEM;
	}
	print_export("LD_PRELOAD");
	print_export("NVTX_INJECTION64_PATH");
	return EXIT_STATUS_OK;
}
