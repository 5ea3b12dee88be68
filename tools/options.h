/*
 * options.h - the command line: which command, which options, which operands; and the same as help
 * text. A view of commands.def and settings.def.
 */
#ifndef CULPRIT_TOOLS_OPTIONS_H
#define CULPRIT_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "settings.h"

enum command {
#define COMMAND(name, ...) COMMAND_##name,
#define OPTION(...)
#include "commands.def"
#undef COMMAND
#undef OPTION
	N_COMMANDS
};

/* The options of commands.def, then one for each setting. */
enum option {
#define COMMAND(...)
#define OPTION(command, name, ...) OPTION_##command##_##name,
#include "commands.def"
#undef COMMAND
#undef OPTION
	OPTION_FIRST_SETTING,
	N_OPTIONS = OPTION_FIRST_SETTING + N_SETTINGS
};

struct command_facts {
	const char *name;
	const char *operands;
	const char *summary;
	const char *text;
};

struct option_facts {
	enum command command;
	char letter;       /* '\0': none */
	const char *flag;  /* NULL: a setting without one */
	const char *value; /* NULL: takes none */
	const char *help;
	const char *environment; /* NULL: no setting */
	const char *initial;     /* of a setting */
};

extern const struct command_facts command_facts[N_COMMANDS];
extern const struct option_facts option_facts[N_OPTIONS];

/* A parsed command line; everything points into argv. */
struct arguments {
	bool help;                     /* --help was given: nothing else counts */
	const char *values[N_OPTIONS]; /* the last one given; "1" of those without value */
	char **operands;               /* NULL-terminated */
	int n_operands;
};

/* The command of that name, or N_COMMANDS. */
enum command command_find(const char *name);

/*
 * Parses argv (NULL-terminated, without the command's name), moving operands to its end. Options of
 * `run` end at the first operand, those of other commands may follow operands. 0, or -EINVAL after
 * one line on standard error.
 */
int options_parse(enum command command, char **argv, struct arguments *out);

/* The index of the value of `option` in its facts' list a|b|c, 0 when it was not given. -EINVAL
 * after one line on standard error. */
int options_choice(const struct arguments *arguments, enum option option);

/* Usage, text and options of one command, and the list of commands. */
void options_help(enum command command, FILE *out);
void options_overview(FILE *out);

#endif
