/*
 * run_early.h - the first lines of verdicts, told before the full reports: of a command that runs
 * on after a failure somebody may be waiting for them.
 */
#ifndef CULPRIT_TOOLS_RUN_EARLY_H
#define CULPRIT_TOOLS_RUN_EARLY_H

#include <stdbool.h>
#include <stddef.h>

struct run_early {
	int slot_fd;      /* of run_slot.h; negative: there is none */
	int events_fd;    /* readable when something was told to the slot; negative: nobody says */
	size_t n_told;    /* verdicts that were looked at */
	unsigned n_lines; /* written of these */
	bool is_quiet;
};

/* Watches the slot. Where that is refused lines come at the end only. */
void run_early_begin(int slot_fd, bool is_quiet, struct run_early *out);

/*
 * Writes the first line of each verdict told since to standard error, of a few: where many
 * processes fail the report at the end makes them one. STATE is a run_early.
 */
void run_early_tell(void *state);

void run_early_end(struct run_early *early);

#endif
