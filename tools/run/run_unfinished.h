/*
 * run_unfinished.h - processes without a GPU failure that left their journals: the work that they
 * submitted, the part of it that was unfinished, and the calls that the driver refused.
 */
#ifndef CULPRIT_TOOLS_RUN_UNFINISHED_H
#define CULPRIT_TOOLS_RUN_UNFINISHED_H

#include <stdint.h>
#include <stdio.h>

#include "run/left_memory.h"
#include "run/run_end.h"
#include "run/run_slot.h"

/*
 * Adds the processes to `told`. With `is_news`, writes reports of those with unfinished work to
 * `out` (NULL: nowhere), the command's first and only a few. Their bundles stay, with the
 * unfinished work as finding. Returns the number of unfinished submissions.
 */
uint64_t run_unfinished_print(const struct run_end *end, struct left_memory *left,
			      struct run_reported *told, bool is_news, FILE *out);

/*
 * Write to `out` (NULL: nowhere) the last refused call that each process did not recover from, the
 * command's first, and only for a few processes. Their bundles stay, with the refusal as finding.
 */
void run_rejections_print(const struct run_end *end, struct left_memory *left, FILE *out);

/*
 * Writes a line to `out` about the sound journals of ranks whose job has another rank that failed.
 * The launcher kills ranks that wait for the failed one. A process that reported its own end was
 * not killed. Writes nothing if there is no such rank.
 */
void run_followers_print(const struct left_memory *left, const struct run_reported *told,
			 FILE *out);

#endif
