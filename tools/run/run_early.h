/*
 * run_early.h - prints the first lines of verdicts before the full reports. If the command keeps
 * running after a failure, its user may wait for them.
 */
#ifndef CULPRIT_TOOLS_RUN_EARLY_H
#define CULPRIT_TOOLS_RUN_EARLY_H

#include <pthread.h>
#include <stdbool.h>

struct run_slot_header;

struct run_early {
	int slot_fd;      /* of run_slot.h; negative: none */
	int events_fd;    /* readable after a new report; negative: not watched */
	unsigned n_lines; /* written */
	bool is_quiet;
	unsigned char *looked_at; /* a bit for each printed entry of the slot; NULL: none */
	/* The data of the thread that waits for the slot's bell: */
	struct run_slot_header *slot; /* NULL: there is no thread */
	int bell_fd;                  /* the end of the pipe that it writes to */
	bool is_ending;               /* atomic */
	pthread_t thread;
};

/*
 * Starts watching the slot. If that fails, lines are printed at the end only. Do not move `out`
 * until run_early_end().
 */
void run_early_begin(int slot_fd, bool is_quiet, struct run_early *out);

/*
 * Writes the first line of each new verdict to standard error, up to a limit: if many processes
 * fail, the report at the end groups them. STATE is a run_early.
 */
void run_early_print(void *state);

void run_early_end(struct run_early *early);

#endif
