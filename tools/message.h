/*
 * message.h - what culprit says on standard error: single lines that begin with the command's name.
 */
#ifndef CULPRIT_TOOLS_MESSAGE_H
#define CULPRIT_TOOLS_MESSAGE_H

/* The command that speaks from now on; NULL: culprit itself. Start-up only. */
void message_set_command(const char *name);

/* One line, newline added; what a terminal could take for a command becomes '?'. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
