/*
 * status_text.h - the status of a process as lines for people.
 */
#ifndef CULPRIT_TOOLS_STATUS_TEXT_H
#define CULPRIT_TOOLS_STATUS_TEXT_H

#include <stdio.h>

#include "status/process_status.h"

/* 0, or -errno of the output. */
int status_print_text(const struct process_status *status, FILE *out);

/* "61.2 s", "12 ms". */
void status_add_time(uint64_t ns, struct text *out);

/* What keeps the stream, as one phrase: "runs #218 spin<<<...>>>", "waits for ...". */
void status_add_standing(const struct process_status *status, const struct standing *standing,
			 struct text *out);

/* "in cuStreamSynchronize for stream 0x0 since 61.0 s". */
void status_add_wait(const struct process_status *status, const struct waiting_thread *wait,
		     struct text *out);

#endif
