/*
 * run_unfinished.h - of processes without a GPU failure that left their journals: what they had
 * submitted, what of it was unfinished, and what the driver refused.
 */
#ifndef CULPRIT_TOOLS_RUN_UNFINISHED_H
#define CULPRIT_TOOLS_RUN_UNFINISHED_H

#include <stdint.h>
#include <stdio.h>

#include "run/left_memory.h"
#include "run/run_end.h"
#include "run/run_slot.h"

/*
 * Adds the processes to those that are known. With `out` the reports of those with unfinished work
 * are written there, the command's first and few of them, and their journals kept. Returns how many
 * submissions were unfinished.
 */
uint64_t run_unfinished_tell(const struct run_end *end, struct left_memory *left,
			     struct run_told *told, FILE *out);

/*
 * Write to `out` the last refused call that each process did not recover from, of the command first
 * and of few processes.
 */
void run_refusals_tell(const struct run_end *end, const struct left_memory *left, FILE *out);

/*
 * Writes a line to `out` about those of the sound journals that are of a rank, of a job in which
 * another one failed: whoever waits for that is ended by its launcher. A process that told of its
 * end ended by itself. None: writes nothing.
 */
void run_followers_tell(const struct left_memory *left, const struct run_told *told, FILE *out);

#endif
