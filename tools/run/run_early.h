/*
 * run_early.h - the first lines of verdicts, told before the full reports: of a command that runs
 * on after a failure somebody may be waiting for them.
 */
#ifndef CULPRIT_TOOLS_RUN_EARLY_H
#define CULPRIT_TOOLS_RUN_EARLY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_slot_header;

struct run_early {
	int slot_fd;      /* of run_slot.h; negative: there is none */
	int events_fd;    /* readable when something was told to the slot; negative: nobody says */
	unsigned n_lines; /* written */
	bool is_quiet;
	unsigned char *looked_at; /* a bit for each entry of the slot; NULL: none was */
	/* The thread that waits for the bell of the slot has: */
	struct run_slot_header *slot; /* NULL: there is no thread */
	int bell_fd;                  /* that it writes to */
	bool is_ending;               /* atomic */
	pthread_t thread;
};

/*
 * Watches the slot. Where that is refused lines come at the end only. `out` stays in place until
 * run_early_end().
 */
void run_early_begin(int slot_fd, bool is_quiet, struct run_early *out);

/*
 * Writes the first line of each verdict told since to standard error, of a few: where many
 * processes fail the report at the end makes them one. STATE is a run_early.
 */
void run_early_tell(void *state);

void run_early_end(struct run_early *early);

#endif
