/*
 * command_kind.h - whether the library can be loaded into a command, judged by the command's file.
 */
#ifndef CULPRIT_TOOLS_COMMAND_KIND_H
#define CULPRIT_TOOLS_COMMAND_KIND_H

enum command_kind {
	COMMAND_LOADS,     /* as far as we know */
	COMMAND_IS_STATIC, /* static: it has no loader */
	COMMAND_IS_32_BIT, /* its loader skips the library, with a message */
	COMMAND_IS_MUSL,   /* its loader would try and then exit: the library is for glibc */
	N_COMMAND_KINDS
};

/* Returns the kind of the file that exec would find by this name, or of a script's interpreter. */
enum command_kind command_kind(const char *command);

/* Returns one phrase: why the command itself cannot be recorded. NULL for COMMAND_LOADS. */
const char *command_kind_text(enum command_kind kind);

#endif
