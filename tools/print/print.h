/*
 * print.h - print a line for each launch of a run as it is made. A separate process reads the
 * journals in memory. The run's own processes do no extra work; they only leave their journals
 * behind when they exit.
 */
#ifndef CULPRIT_TOOLS_PRINT_H
#define CULPRIT_TOOLS_PRINT_H

#include <stdint.h>
#include <sys/types.h>

#include "numbers/values.h"

struct print_wish {
	const char *kernels;   /* kernels to print, an extended regular expression; "": all */
	const char *inspected; /* kernels whose memory to inspect, the same; "": none */
	const char *nan;       /* kernels to check for NaN, the same; "": none */
	bool is_silent;        /* print inspections only */
	enum value_type type;  /* element type of the inspected memory; VALUE_GUESSED: guess it */
	const char *target;    /* file, or digits for a descriptor; NULL: standard error */
	const char *run;       /* ID of the run whose processes to read */
	/* Return how many submissions the process reports to have made; 0 if it reports none. */
	uint64_t (*submitted)(void *state, long pid);
	void *state;
};

struct print {
	pid_t pid; /* of the printing process; 0: not running */
	int end_fd;
};

/*
 * Start the printing process. Call this before the command is started. Return 0, or -errno after
 * printing one line. If `wish` is NULL nothing is printed.
 */
int print_start(const struct print_wish *wish, struct print *out);

/* After the command has exited, wait until everything that its processes recorded is printed. */
void print_end(struct print *print);

#endif
