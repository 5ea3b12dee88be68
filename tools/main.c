/*
 * main.c - finds the subcommand and hands over.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "exit_status.h"
#include "message.h"
#include "options.h"
#include "probe.h"

static int (*const mains[N_COMMANDS])(const struct arguments *arguments) = {
#define COMMAND(name, ...) [COMMAND_##name] = name##_main,
#define OPTION(...)
#include "commands.def"
#undef COMMAND
#undef OPTION
};

static int run_command(enum command command, char **argv)
{
	struct arguments arguments;

	message_set_command(command_facts[command].name);
	if (options_parse(command, argv, &arguments))
		return EXIT_STATUS_USAGE;
	if (arguments.help) {
		options_help(command, stdout);
		return EXIT_STATUS_OK;
	}
	return mains[command](&arguments);
}

static int dispatch(char **argv)
{
	enum command command;

	if (!*argv) {
		options_overview(stderr);
		return EXIT_STATUS_USAGE;
	}
	if (!strcmp(*argv, "--help") || !strcmp(*argv, "-h")) {
		options_overview(stdout);
		return EXIT_STATUS_OK;
	}
	if (!strcmp(*argv, "--version") || !strcmp(*argv, "-V")) {
		puts("culprit " CULPRIT_VERSION);
		return EXIT_STATUS_OK;
	}
	if (!strcmp(*argv, PROBE_COMMAND))
		return probe_main();
	command = command_find(*argv);
	if (command == N_COMMANDS) {
		message("unknown %s '%s'; see culprit help", **argv == '-' ? "option" : "command",
			*argv);
		return EXIT_STATUS_USAGE;
	}
	return run_command(command, argv + 1);
}

int main(int argc, char **argv)
{
	int status = dispatch(argc > 0 ? argv + 1 : argv);

	/* A full disk shows itself only here: a report cut short must not pass for a whole one. */
	if (fflush(stdout) || ferror(stdout)) {
		message("standard output: cannot write");
		return status > EXIT_STATUS_SYSTEM ? status : EXIT_STATUS_SYSTEM;
	}
	return status;
}
