/*
 * print.h - a line for each launch of a run, as it is made: a process beside the command reads the
 * journals in memory. The command's own processes do nothing for it but leave these at their end.
 */
#ifndef CULPRIT_TOOLS_PRINT_H
#define CULPRIT_TOOLS_PRINT_H

#include <stdint.h>
#include <sys/types.h>

#include "print/values.h"

struct print_wish {
	const char *kernels;   /* extended regular expression; "": all */
	const char *inspected; /* the same, of kernels whose memory is looked at; "": none */
	bool is_silent;        /* nothing but that is printed */
	enum value_type type;  /* that this memory is said to be of */
	const char *target;    /* file, digits for a descriptor; NULL: standard error */
	const char *run;       /* whose processes */
	/* How many submissions the process has said that it made, 0: it has not. */
	uint64_t (*submitted)(void *state, long pid);
	void *state;
};

struct print {
	pid_t pid; /* 0: nothing is printed */
	int end_fd;
};

/*
 * Starts to print the launches of the run, before its command is started. 0, or -errno after one
 * line. NULL: nothing is wished for.
 */
int print_start(const struct print_wish *wish, struct print *out);

/* The command has ended: waits until all that its processes recorded is printed. */
void print_end(struct print *print);

#endif
