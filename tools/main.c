/*
 * main.c - finds the subcommand and calls it.
 */
#include <stdio.h>
#include <string.h>

#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "doctor/probe.h"
#include "help.h"

static int (*const mains[N_COMMANDS])(const struct arguments *arguments) = {
#define COMMAND(name, ...) [COMMAND_##name] = name##_main,
#define OPTION(...)
#include "command/commands.def"
#undef COMMAND
#undef OPTION
};

static int run_command(enum command command, char **argv)
{
	message_set_command(command_facts[command].name);
	/* `culprit run` leaves every exit status below 125 to the command. */
	struct arguments arguments;
	if (options_parse(command, argv, &arguments))
		return command == COMMAND_run ? EXIT_STATUS_NOT_STARTED : EXIT_STATUS_USAGE;
	if (arguments.help) {
		help_print_command(command, stdout);
		return EXIT_STATUS_OK;
	}
	return mains[command](&arguments);
}

static void report_unknown_setting(const char *word)
{
	const char *meant = command_suggest(word);
	if (meant)
		message("unknown command '%s'; did you mean %s? See culprit help", word, meant);
	else
		message("unknown %s '%s'; see culprit help", *word == '-' ? "option" : "command",
			word);
}

static int dispatch(char **argv)
{
	if (!*argv) {
		help_print_overview(stderr);
		return EXIT_STATUS_USAGE;
	}
	if (!strcmp(*argv, "--help") || !strcmp(*argv, "-h")) {
		help_print_overview(stdout);
		return EXIT_STATUS_OK;
	}
	if (!strcmp(*argv, "--version") || !strcmp(*argv, "-V"))
		return run_command(COMMAND_version, argv + 1);
	if (!strcmp(*argv, PROBE_COMMAND))
		return probe_main();
	enum command command = command_find(*argv);
	if (command == N_COMMANDS) {
		report_unknown_setting(*argv);
		return EXIT_STATUS_USAGE;
	}
	return run_command(command, argv + 1);
}

int main(int argc, char **argv)
{
	int status = dispatch(argc > 0 ? argv + 1 : argv);
	/* A full disk is noticed only here: a truncated report must not pass for a complete one. */
	if (fflush(stdout) || ferror(stdout)) {
		message("standard output: cannot write");
		return status > EXIT_STATUS_SYSTEM ? status : EXIT_STATUS_SYSTEM;
	}
	return status;
}
