/*
 * help.c - the help text of one command and of all, and the command `culprit help`.
 */
#include "help.h"

#include <string.h>

#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"

enum { TEXT_COLUMNS = 80, HELP_COLUMN = 26 };

/* Prints words from column `indent` on, wrapped. `column` is the present column. */
static void print_wrapped(FILE *out, int column, int indent, const char *text)
{
	while (*text) {
		int length = (int)strcspn(text, " ");
		if (column > indent && column + 1 + length > TEXT_COLUMNS) {
			fputc('\n', out);
			column = 0;
		}
		if (column > indent)
			column += fprintf(out, " ");
		if (column < indent)
			column += fprintf(out, "%*s", indent - column, "");
		column += fprintf(out, "%.*s", length, text);
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

static void print_option(FILE *out, const struct option_facts *facts)
{
	const char *value = facts->value ? facts->value : "";
	int column =
		facts->letter ? fprintf(out, "  -%c, ", facts->letter) : fprintf(out, "      ");
	column += fprintf(out, "--%s%s%s", facts->flag,
			  *value && !option_value_is_optional(facts) ? " " : "", value);
	if (column >= HELP_COLUMN - 1) {
		fputc('\n', out);
		column = 0;
	}
	print_wrapped(out, column, HELP_COLUMN, facts->help);
	if (facts->environment)
		fprintf(out, "%*s[%s, default %s]\n", HELP_COLUMN, "", facts->environment,
			option_initial(facts));
}

void help_print_command(enum command command, FILE *out)
{
	const struct command_facts *facts = &command_facts[command];
	fprintf(out, "usage: culprit %s %s\n\n", facts->name, facts->operands);
	print_wrapped(out, 0, 0, facts->text);
	fputs("\noptions:\n", out);
	for (enum option option = 0; option < N_OPTIONS; option++)
		if (option_facts[option].command == command && option_facts[option].flag)
			print_option(out, &option_facts[option]);
	fputs("  -h, --help              Show this text\n", out);
}

void help_print_overview(FILE *out)
{
	fputs("usage: culprit <command> [options] ...\n\n"
	      "Names the CUDA launch behind a late GPU error.\n\ncommands:\n",
	      out);
	for (enum command command = 0; command < N_COMMANDS; command++)
		fprintf(out, "  %-12s%s\n", command_facts[command].name,
			command_facts[command].summary);
	fputs("\nculprit help <command> explains one; culprit --version tells the version.\n"
	      "The manual page culprit(1) has all of it, and the exit statuses.\n",
	      out);
}

int help_main(const struct arguments *arguments)
{
	if (!arguments->n_operands) {
		help_print_overview(stdout);
		return EXIT_STATUS_OK;
	}
	enum command command = command_find(arguments->operands[0]);
	if (command == N_COMMANDS || arguments->n_operands > 1) {
		message("no command '%s'; see culprit help",
			arguments->operands[arguments->n_operands - 1]);
		return EXIT_STATUS_USAGE;
	}
	help_print_command(command, stdout);
	return EXIT_STATUS_OK;
}
