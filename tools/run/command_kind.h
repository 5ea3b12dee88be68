/*
 * command_kind.h - whether the library can be loaded into a command, by its file.
 */
#ifndef CULPRIT_TOOLS_COMMAND_KIND_H
#define CULPRIT_TOOLS_COMMAND_KIND_H

enum command_kind {
	COMMAND_LOADS,     /* as far as can be told */
	COMMAND_IS_STATIC, /* no loader runs that could load anything */
	COMMAND_IS_32_BIT, /* its loader says that it leaves the library out */
	COMMAND_IS_MUSL,   /* its loader would try, and end the program: the library is for glibc */
	N_COMMAND_KINDS
};

/* Of the file that exec would find by this name; of a script, of its interpreter. */
enum command_kind command_kind(const char *command);

/* Why nothing of the command itself is recorded, one phrase; NULL of COMMAND_LOADS. */
const char *command_kind_text(enum command_kind kind);

#endif
