/*
 * options.c - parses the command line by the tables of commands.def and settings.def. It does not
 * know what an option means.
 */
#include "command/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command/message.h"
#include "command/suggestion.h"

const struct command_facts command_facts[N_COMMANDS] = {
#define COMMAND(name_, operands_, summary_, text_) \
	[COMMAND_##name_] = {                      \
		.name = #name_, .operands = (operands_), .summary = (summary_), .text = (text_)},
#define OPTION(...)
#include "command/commands.def"
#undef COMMAND
#undef OPTION
};

const struct option_facts option_facts[N_OPTIONS] = {
#define COMMAND(...)
#define OPTION(command_, name, flag_, letter_, value_, help_)          \
	[OPTION_##command_##_##name] = {.command = COMMAND_##command_, \
					.flag = (flag_),               \
					.letter = (letter_),           \
					.value = (value_),             \
					.help = (help_)},
#include "command/commands.def"
#undef COMMAND
#undef OPTION
#define VALUE_OF_SWITCH(values)   NULL
#define VALUE_OF_CHOICE(values)   (values)
#define VALUE_OF_MARKERS(values)  (values)
#define VALUE_OF_INTERVAL(values) (values)
#define VALUE_OF_PATH(values)     (values)
#define VALUE_OF_RECORDS(values)  (values)
#define VALUE_OF_COUNT(values)    (values)
#define VALUE_OF_WORD(values)     (values)
#define VALUE_OF_KERNELS(values)  "[=" values "]"
#define SETTING(name, environment_, flag_, kind, initial_, values, help_)            \
	[OPTION_FIRST_SETTING + SETTING_##name] = {.command = COMMAND_run,           \
						   .flag = (flag_),                  \
						   .value = VALUE_OF_##kind(values), \
						   .help = (help_),                  \
						   .environment = (environment_),    \
						   .initial = (initial_)},
#include "base/settings.def"
#undef SETTING
};

enum command command_find(const char *name)
{
	for (enum command command = 0; command < N_COMMANDS; command++)
		if (!strcmp(command_facts[command].name, name))
			return command;
	return N_COMMANDS;
}

const char *command_suggest(const char *name)
{
	struct suggestion best = {0};
	for (enum command command = 0; command < N_COMMANDS; command++)
		suggestion_offer(&best, name, strlen(name), command_facts[command].name);
	return best.word;
}

static bool has_flag(enum option option, enum command command)
{
	return option_facts[option].command == command && option_facts[option].flag;
}

/* The options of `command` whose flags begin with flag[0..length). An exact match is the only one.
 */
struct matches {
	unsigned n;
	enum option first, second;
};

static struct matches find_flag(enum command command, const char *flag, size_t length)
{
	struct matches matches = {.first = N_OPTIONS, .second = N_OPTIONS};
	for (enum option option = 0; option < N_OPTIONS; option++) {
		if (!has_flag(option, command) ||
		    strncmp(option_facts[option].flag, flag, length) != 0)
			continue;
		if (!option_facts[option].flag[length])
			return (struct matches){.n = 1, .first = option};
		*(matches.n ? &matches.second : &matches.first) = option;
		matches.n++;
	}
	return matches;
}

static enum option find_letter(enum command command, char letter)
{
	for (enum option option = 0; option < N_OPTIONS; option++)
		if (option_facts[option].command == command &&
		    option_facts[option].letter == letter)
			return option;
	return N_OPTIONS;
}

static int refuse(enum command command, const char *complaint, const char *subject)
{
	message("%s '%s'; see culprit help %s", complaint, subject, command_facts[command].name);
	return -EINVAL;
}

static int refuse_flag(enum command command, const struct matches *matches, const char *word,
		       size_t length)
{
	struct suggestion best = {0};
	if (matches->n && length) {
		message("'%s' may be --%s or --%s; see culprit help %s", word,
			option_facts[matches->first].flag, option_facts[matches->second].flag,
			command_facts[command].name);
		return -EINVAL;
	}
	for (enum option option = 0; option < N_OPTIONS; option++)
		if (has_flag(option, command))
			suggestion_offer(&best, word + 2, length, option_facts[option].flag);
	if (!best.word)
		return refuse(command, "unknown option", word);
	message("unknown option '%s'; did you mean --%s? See culprit help %s", word, best.word,
		command_facts[command].name);
	return -EINVAL;
}

bool option_value_is_optional(const struct option_facts *facts)
{
	return facts->value && *facts->value == '[';
}

/* **argv is `--flag` or `--flag=value`; *argv ends at the last word that belongs to it. */
static int parse_flag(enum command command, char ***argv, struct arguments *out)
{
	const char *word = **argv;
	const char *flag = word + 2;
	size_t length = strcspn(flag, "=");
	struct matches matches = find_flag(command, flag, length);
	enum option option = matches.first;
	if (!strcmp(flag, "help")) {
		out->help = true;
		return 0;
	}
	if (!length || matches.n != 1)
		return refuse_flag(command, &matches, word, length);
	if (!option_facts[option].value) {
		if (flag[length])
			return refuse(command, "this option takes no value:", word);
		out->values[option] = "1";
		return 0;
	}
	if (!flag[length] && option_value_is_optional(&option_facts[option])) {
		out->values[option] = "";
		return 0;
	}
	if (!flag[length] && !(*argv)[1])
		return refuse(command, "a value must follow", word);
	out->values[option] = flag[length] ? flag + length + 1 : *++*argv;
	return 0;
}

/* **argv is `-x`, `-xVALUE` or `-xy`. */
static int parse_letters(enum command command, char ***argv, struct arguments *out)
{
	const char *word = **argv;
	for (const char *letter = word + 1; *letter; letter++) {
		enum option option = find_letter(command, *letter);
		if (*letter == 'h') {
			out->help = true;
			return 0;
		}
		if (option == N_OPTIONS)
			return refuse(command, "unknown option", word);
		if (!option_facts[option].value) {
			out->values[option] = "1";
			continue;
		}
		if (!letter[1] && !(*argv)[1])
			return refuse(command, "a value must follow", word);
		out->values[option] = letter[1] ? letter + 1 : *++*argv;
		return 0;
	}
	return 0;
}

/* True if the words after the first operand belong to the command that it names. */
static bool takes_command(enum command command)
{
	return command == COMMAND_run || command == COMMAND_triage;
}

int options_parse(enum command command, char **argv, struct arguments *out)
{
	char **operand = argv;
	memset(out, 0, sizeof(*out));
	out->operands = argv;
	for (; *argv && !out->help; argv++) {
		int result = 0;
		if (!strcmp(*argv, "--")) {
			argv++;
			break;
		}
		if ((*argv)[0] != '-' || !(*argv)[1]) {
			if (takes_command(command))
				break;
			*operand++ = *argv;
			continue;
		}
		result = (*argv)[1] == '-' ? parse_flag(command, &argv, out)
					   : parse_letters(command, &argv, out);
		if (result)
			return result;
	}
	while (*argv)
		*operand++ = *argv++;
	*operand = NULL;
	out->n_operands = (int)(operand - out->operands);
	return 0;
}

/* A user who runs a program under `run` wants its messages to name the culprit. */
const char *option_initial(const struct option_facts *facts)
{
	bool is_annotate = facts == &option_facts[OPTION_FIRST_SETTING + SETTING_annotate];
	return is_annotate ? "on under culprit run, else off" : facts->initial;
}

int options_choice(const struct arguments *arguments, enum option option)
{
	const struct option_facts *facts = &option_facts[option];
	const char *value = arguments->values[option];
	const char *word = facts->value;
	if (!value)
		return 0;
	for (int index = 0; *word; index++) {
		size_t length = strcspn(word, "|");
		if (strlen(value) == length && !memcmp(word, value, length))
			return index;
		word += length;
		word += *word == '|';
	}
	message("--%s '%s': expected %s; see culprit help %s", facts->flag, value, facts->value,
		command_facts[facts->command].name);
	return -EINVAL;
}

int options_number(const struct arguments *arguments, enum option option, unsigned first,
		   unsigned last, unsigned *out)
{
	const struct option_facts *facts = &option_facts[option];
	const char *value = arguments->values[option];
	if (!value)
		return 0;
	errno = 0;
	char *end = NULL;
	long long number = strtoll(value, &end, 10);
	if (errno || end == value || *end || number < first || number > last) {
		message("--%s '%s': expected %u to %u; see culprit help %s", facts->flag, value,
			first, last, command_facts[facts->command].name);
		return -EINVAL;
	}
	*out = (unsigned)number;
	return 0;
}

int options_no_operands(const struct arguments *arguments, enum command command)
{
	if (!arguments->n_operands)
		return 0;
	message("'%s': no operand is expected; see culprit help %s", arguments->operands[0],
		command_facts[command].name);
	return -EINVAL;
}
