/*
 * options.h - the command line as tables: commands, options and operands, from commands.def and
 * settings.def.
 */
#ifndef CULPRIT_TOOLS_OPTIONS_H
#define CULPRIT_TOOLS_OPTIONS_H

#include <stdbool.h>

#include "base/settings.h"

enum command {
#define COMMAND(name, ...) COMMAND_##name,
#define OPTION(...)
#include "command/commands.def"
#undef COMMAND
#undef OPTION
	N_COMMANDS
};

/* The options of commands.def, followed by one for each setting. */
enum option {
#define COMMAND(...)
#define OPTION(command, name, ...) OPTION_##command##_##name,
#include "command/commands.def"
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
	const char *flag;  /* NULL: a setting without a flag */
	const char *value; /* NULL: takes no value */
	const char *help;
	const char *environment; /* NULL: no setting */
	const char *initial;     /* of a setting */
};

extern const struct command_facts command_facts[N_COMMANDS];
extern const struct option_facts option_facts[N_OPTIONS];

/* Returns the default of a setting, as described to users. */
const char *option_initial(const struct option_facts *facts);

/* True for "[=VALUE]": the value follows after "=", or is left out and is "" then. */
bool option_value_is_optional(const struct option_facts *facts);

/* A parsed command line; everything points into argv. */
struct arguments {
	bool help;                     /* --help was given: nothing else counts */
	const char *values[N_OPTIONS]; /* the last value given; "1" for those without a value */
	char **operands;               /* NULL-terminated */
	int n_operands;
};

/* Returns the command with that name, or N_COMMANDS. */
enum command command_find(const char *name);

/* Returns the command with the most similar name, or NULL if none is similar. */
const char *command_suggest(const char *name);

/*
 * Parses argv (NULL-terminated, without the command's name), moving operands to its end. Options of
 * `run` and `triage` end at the first operand; those of other commands may follow operands. A flag
 * may be shortened if the short form is unambiguous. Returns 0, or -EINVAL after one line on
 * standard error.
 */
int options_parse(enum command command, char **argv, struct arguments *out);

/*
 * Returns the index of the value of `option` in its facts' list a|b|c, 0 if it was not given, or
 * -EINVAL after one line on standard error.
 */
int options_choice(const struct arguments *arguments, enum option option);

/*
 * Read an option's value, a decimal number from `first` to `last`. *out is unchanged if the option
 * was not given. Return 0, or -EINVAL after one line on standard error.
 */
int options_number(const struct arguments *arguments, enum option option, unsigned first,
		   unsigned last, unsigned *out);

/* Return 0 if the command line has no operands, or -EINVAL after one line on standard error. */
int options_no_operands(const struct arguments *arguments, enum command command);

#endif
