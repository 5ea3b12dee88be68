/*
 * help.h - prints the command line's tables for users.
 */
#ifndef CULPRIT_TOOLS_HELP_H
#define CULPRIT_TOOLS_HELP_H

#include <stdio.h>

#include "command/options.h"

/* Prints usage, text and options of one command. */
void help_print_command(enum command command, FILE *out);

/* Prints the list of commands. */
void help_print_overview(FILE *out);

#endif
