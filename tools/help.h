/*
 * help.h - the command line's tables as text for people.
 */
#ifndef CULPRIT_TOOLS_HELP_H
#define CULPRIT_TOOLS_HELP_H

#include <stdio.h>

#include "command/options.h"

/* Usage, text and options of one command. */
void help_print_command(enum command command, FILE *out);

/* The list of commands. */
void help_print_overview(FILE *out);

#endif
