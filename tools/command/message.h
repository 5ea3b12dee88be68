/*
 * message.h - culprit's messages on standard error: single lines that begin with the command's
 * name.
 */
#ifndef CULPRIT_TOOLS_MESSAGE_H
#define CULPRIT_TOOLS_MESSAGE_H

#include <stdbool.h>

/* Sets the command that the messages name; NULL: culprit itself. Start-up only. */
void message_set_command(const char *name);

/* Prints one line and a newline. Characters that a terminal could take for a command become '?'. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Silences messages, or allows them again: for commands that repeat the same checks. */
void message_mute(bool is_muted);

/* Ends a line that another program may have left incomplete on standard error. */
void message_end_line(void);

#endif
