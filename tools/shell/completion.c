/*
 * completion.c - `culprit completion`: print a completion script for bash, zsh or fish, made from
 * the tables of commands and options.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"

enum { MAX_PHRASE = 60 };

static bool is_option_of(enum option option, enum command command)
{
	return option_facts[option].command == command && option_facts[option].flag;
}

/* True if the option's value is a choice of words, "auto|side|off[:K]", and not "FILE". */
static bool has_counters(const char *value)
{
	return value && strchr(value, '|') && (*value < 'A' || *value > 'Z');
}

/* Print the words separated by spaces, without their variable parts. */
static void print_words(const char *value)
{
	while (*value) {
		size_t length = strcspn(value, "|");
		size_t fixed = strcspn(value, "|[");
		if (*value >= 'a' && *value <= 'z')
			printf("%.*s ", (int)fixed, value);
		value += length;
		value += *value == '|';
	}
}

/* Print the first phrase of the help, up to any character that is special to a shell. */
static void print_phrase(const char *help)
{
	size_t length = strcspn(help, ".;:(['`");
	if (length > MAX_PHRASE) {
		length = MAX_PHRASE;
		while (length && help[length] != ' ')
			length--;
	}
	while (length && (help[length - 1] == ' ' || help[length - 1] == ','))
		length--;
	printf("%.*s", (int)length, help);
}

static void print_commands(void)
{
	for (enum command command = 0; command < N_COMMANDS; command++)
		printf("%s ", command_facts[command].name);
}

static void print_bash_words(void)
{
	for (enum option option = 0; option < N_OPTIONS; option++) {
		const struct option_facts *facts = &option_facts[option];
		if (!facts->flag || !has_counters(facts->value))
			continue;
		printf("\t%s:--%s) words=\"", command_facts[facts->command].name, facts->flag);
		print_words(facts->value);
		puts("\" ;;");
	}
}

static void print_bash_flags(void)
{
	for (enum command command = 0; command < N_COMMANDS; command++) {
		printf("\t%s:*) words=\"--help ", command_facts[command].name);
		for (enum option option = 0; option < N_OPTIONS; option++)
			if (is_option_of(option, command))
				printf("--%s ", option_facts[option].flag);
		puts("\" ;;");
	}
}

/* Complete options and fixed words; bash completes anything else as a file name. */
static void print_bash(void)
{
	puts("_culprit() {\n"
	     "\tlocal words= word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
	     "\tif ((COMP_CWORD == 1)); then");
	fputs("\t\twords=\"", stdout);
	print_commands();
	puts("\"\n\telse\n\tcase ${COMP_WORDS[1]}:$before in");
	print_bash_words();
	puts("\tesac\n\t[[ $words || $word != -* ]] || case ${COMP_WORDS[1]}: in");
	print_bash_flags();
	puts("\tesac\n\tfi\n"
	     "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
	     "}\n"
	     "complete -o default -F _culprit culprit");
}

static void print_zsh_option(const struct option_facts *facts)
{
	printf("\t\t'--%s%s[", facts->flag, facts->value ? "=" : "");
	print_phrase(facts->help);
	putchar(']');
	if (has_counters(facts->value)) {
		fputs(":value:(", stdout);
		print_words(facts->value);
		putchar(')');
	} else if (facts->value) {
		printf(":value:%s", strcmp(facts->value, "DIRECTORY") ? "_files" : "_files -/");
	}
	puts("' \\");
}

static void print_zsh(void)
{
	puts("#compdef culprit\n_culprit() {\n\tif ((CURRENT == 2)); then\n\t\tlocal -a "
	     "commands=(");
	for (enum command command = 0; command < N_COMMANDS; command++) {
		printf("\t\t'%s:", command_facts[command].name);
		print_phrase(command_facts[command].summary);
		puts("'");
	}
	puts("\t\t)\n\t\t_describe command commands\n\t\treturn\n\tfi\n"
	     "\tlocal command=$words[2]\n\tshift words\n\t((CURRENT--))\n\tcase $command in");
	for (enum command command = 0; command < N_COMMANDS; command++) {
		printf("\t%s)\n\t\t_arguments \\\n", command_facts[command].name);
		for (enum option option = 0; option < N_OPTIONS; option++)
			if (is_option_of(option, command))
				print_zsh_option(&option_facts[option]);
		printf("\t\t'*::operand:%s'\n\t\t;;\n",
		       command == COMMAND_run || command == COMMAND_triage ? "_normal" : "_files");
	}
	/* The script is evaluated, or is itself the function that compinit loads when needed. */
	puts("\tesac\n}\n"
	     "if [[ $funcstack[1] == _culprit ]]; then\n\t_culprit \"$@\"\nelse\n"
	     "\tcompdef _culprit culprit\nfi");
}

static void print_fish_option(const struct option_facts *facts)
{
	printf("complete -c culprit -n '__fish_seen_subcommand_from %s' -l %s",
	       command_facts[facts->command].name, facts->flag);
	if (facts->letter)
		printf(" -s %c", facts->letter);
	if (has_counters(facts->value)) {
		fputs(" -x -a '", stdout);
		print_words(facts->value);
		putchar('\'');
	} else if (facts->value) {
		fputs(" -r", stdout);
	}
	fputs(" -d '", stdout);
	print_phrase(facts->help);
	puts("'");
}

static void print_fish(void)
{
	for (enum command command = 0; command < N_COMMANDS; command++) {
		printf("complete -c culprit -n __fish_use_subcommand -f -a %s -d '",
		       command_facts[command].name);
		print_phrase(command_facts[command].summary);
		puts("'");
	}
	for (enum option option = 0; option < N_OPTIONS; option++)
		if (option_facts[option].flag)
			print_fish_option(&option_facts[option]);
	puts("complete -c culprit -n '__fish_seen_subcommand_from run triage' "
	     "-a '(__fish_complete_subcommand)'");
}

int completion_main(const struct arguments *arguments)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
	const char *wanted = arguments->n_operands == 1 ? arguments->operands[0] : "";
	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++) {
		if (!strcmp(shells[i].name, wanted)) {
			shells[i].print();
			return EXIT_STATUS_OK;
		}
	}
	message("expected one of bash, zsh, fish; see culprit help completion");
	return EXIT_STATUS_USAGE;
}
