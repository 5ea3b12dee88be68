/*
 * manual.c - writes the manual page at build time: the prose of culprit.1.in, with the lists of
 * commands, options, variables and exit statuses from the tables that the program itself uses, and
 * the JSON schema from the comment of report_json.h.
 *
 * usage: manual culprit.1.in report_json.h culprit.1
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command/exit_status.h"
#include "command/options.h"

enum { LINE_SIZE = 1024 };

/* Text as roff: a hyphen of the source is a minus sign, and no line is a request by accident. */
static void print_roff(const char *text, size_t length)
{
	if (length && (*text == '.' || *text == '\''))
		fputs("\\&", stdout);
	for (size_t index = 0; index < length; index++) {
		if (text[index] == '\\')
			fputs("\\e", stdout);
		else if (text[index] == '-')
			fputs("\\-", stdout);
		else if (text[index] == '`' || text[index] == '\'')
			fputs(text[index] == '`' ? "\\(ga" : "\\(aq", stdout);
		else
			putchar(text[index]);
	}
}

/* Print each sentence on its own line, as is usual for manual pages. */
static void print_sentences(const char *text)
{
	const char *end = NULL;
	while ((end = strstr(text, ". "))) {
		print_roff(text, (size_t)(end - text) + 1);
		putchar('\n');
		text = end + 2;
	}
	print_roff(text, strlen(text));
	putchar('\n');
}

static void print_option(const struct option_facts *facts)
{
	puts(".TP");
	if (facts->letter)
		printf("\\fB\\-%c\\fR, ", facts->letter);
	fputs("\\fB\\-\\-", stdout);
	print_roff(facts->flag, strlen(facts->flag));
	fputs("\\fR", stdout);
	if (facts->value) {
		fputs(" \\fI", stdout);
		print_roff(facts->value, strlen(facts->value));
		fputs("\\fR", stdout);
	}
	putchar('\n');
	print_sentences(facts->help);
	if (facts->environment)
		printf("(\\fB%s\\fR, default \\fB%s\\fR)\n", facts->environment,
		       option_initial(facts));
}

static void print_command(enum command command)
{
	const struct command_facts *facts = &command_facts[command];
	printf(".SS culprit %s ", facts->name);
	print_roff(facts->operands, strlen(facts->operands));
	printf("\n");
	print_sentences(facts->text);
	for (enum option option = 0; option < N_OPTIONS; option++)
		if (option_facts[option].command == command && option_facts[option].flag)
			print_option(&option_facts[option]);
	puts(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow a summary of the command.");
}

static void print_synopsis(void)
{
	for (enum command command = 0; command < N_COMMANDS; command++) {
		printf("%s\\fBculprit %s\\fR ", command ? ".br\n" : "",
		       command_facts[command].name);
		print_roff(command_facts[command].operands,
			   strlen(command_facts[command].operands));
		putchar('\n');
	}
}

static void print_commands(void)
{
	for (enum command command = 0; command < N_COMMANDS; command++)
		print_command(command);
}

/* Skip settings with a flag, which are explained among the options. */
static void print_settings(void)
{
	for (enum setting setting = 0; setting < N_SETTINGS; setting++) {
		const struct setting_facts *facts = &setting_facts[setting];
		printf(".TP\n\\fB%s\\fR=\\fI", facts->environment);
		print_roff(facts->values, strlen(facts->values));
		puts("\\fR");
		if (facts->flag)
			printf("As \\fBculprit run \\-\\-%s\\fR.\n", facts->flag);
		else
			print_sentences(facts->help);
	}
}

static void print_exit_statuses(void)
{
	static const struct {
		int number;
		const char *text;
	} statuses[] = {
#define EXIT_STATUS(name, number_, text_) {(number_), (text_)},
#include "command/exit_status.def"
#undef EXIT_STATUS
	};

	for (size_t index = 0; index < sizeof(statuses) / sizeof(statuses[0]); index++) {
		printf(".TP\n\\fB%d\\fR\n", statuses[index].number);
		print_sentences(statuses[index].text);
	}
}

/* Print the header's first comment, from the first line that shows an object. */
static bool print_schema(const char *header)
{
	FILE *file = fopen(header, "r");
	bool is_inside = false;
	if (!file)
		return false;
	puts(".EX");
	char line[LINE_SIZE];
	while (fgets(line, sizeof(line), file) && strncmp(line, " */", 3) != 0) {
		const char *text = strncmp(line, " * ", 3) ? "" : line + 3;
		is_inside = is_inside || *text == '{';
		if (!is_inside)
			continue;
		print_roff(text, strcspn(text, "\n"));
		putchar('\n');
	}
	puts(".EE");
	fclose(file);
	return is_inside;
}

/* Replace a line of the template that stands for a list. Returns false for other lines. */
static bool print_list(const char *line)
{
	static const struct {
		const char *line;
		void (*print)(void);
	} lists[] = {
		{"@SYNOPSIS@\n", print_synopsis},
		{"@COMMANDS@\n", print_commands},
		{"@SETTINGS@\n", print_settings},
		{"@EXIT_STATUSES@\n", print_exit_statuses},
	};
	for (size_t index = 0; index < sizeof(lists) / sizeof(lists[0]); index++)
		if (!strcmp(line, lists[index].line)) {
			lists[index].print();
			return true;
		}
	return false;
}

static void print_prose(const char *line)
{
	static const char version[] = "@VERSION@";
	const char *place = strstr(line, version);
	if (place)
		printf("%.*s%s%s", (int)(place - line), line, CULPRIT_VERSION,
		       place + strlen(version));
	else
		fputs(line, stdout);
}

static bool print_page(FILE *template, const char *header)
{
	bool has_schema = false;
	char line[LINE_SIZE];
	while (fgets(line, sizeof(line), template)) {
		if (!strcmp(line, "@JSON_SCHEMA@\n"))
			has_schema = print_schema(header);
		else if (!print_list(line))
			print_prose(line);
	}
	return has_schema && !fflush(stdout);
}

int main(int argc, char **argv)
{
	FILE *template = argc == 4 ? fopen(argv[1], "r") : NULL;
	bool is_good = template && freopen(argv[3], "w", stdout) && print_page(template, argv[2]);
	if (template)
		fclose(template);
	if (!is_good)
		fputs("manual: cannot write the page: wrong files?\n", stderr);
	return !is_good;
}
