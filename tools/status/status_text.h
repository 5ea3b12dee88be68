/*
 * status_text.h - the status of a process as text. All functions need a status with names.
 */
#ifndef CULPRIT_TOOLS_STATUS_TEXT_H
#define CULPRIT_TOOLS_STATUS_TEXT_H

#include <stdio.h>

#include "status/process_status.h"

/* Print the whole status. Return 0, or -EIO if `out` has an error. */
int status_print_text(const struct process_status *status, FILE *out);

/* Append "61.2 s" or "12 ms". */
void status_add_time(uint64_t ns, struct text *out);

/* Append "in cuStreamSynchronize on stream 0x0 for 61.0 s". */
void status_add_wait(const struct process_status *status, const struct waiting_thread *wait,
		     struct text *out);

#endif
