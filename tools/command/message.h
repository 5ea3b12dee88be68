/*
 * message.h - what culprit says on standard error: single lines that begin with the command's name.
 */
#ifndef CULPRIT_TOOLS_MESSAGE_H
#define CULPRIT_TOOLS_MESSAGE_H

#include <stdbool.h>

/* The command that speaks from now on; NULL: culprit itself. Start-up only. */
void message_set_command(const char *name);

/* One line, newline added; what a terminal could take for a command becomes '?'. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on nothing is said, or again; for who looks at something again and again. */
void message_mute(bool is_muted);

/* Ends a line that another program may have left unfinished on standard error. */
void message_end_line(void);

#endif
