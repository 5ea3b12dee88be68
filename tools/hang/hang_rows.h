/*
 * hang_rows.h - what each stream was at in the looks before, and for how long.
 */
#ifndef CULPRIT_TOOLS_HANG_ROWS_H
#define CULPRIT_TOOLS_HANG_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "status/process_status.h"

enum { HANG_MAX_ROWS = 1024, HANG_MAX_LONG = 64 };

/* A stream of a process, at the same submission in all looks since. */
struct hang_row {
	long pid;
	uint32_t stream;
	uint32_t function; /* id, of a kernel */
	uint64_t sequence; /* of its front */
	uint64_t first_ns; /* the look that first found it there, CLOCK_MONOTONIC */
	uint64_t last_ns;  /* and the newest one */
	bool is_proven;    /* in all of them */
	bool is_told;
	bool is_seen; /* in this round of looks */
	bool is_stuck;
};

/* A kernel that was seen to take long, and to finish. */
struct hang_long {
	long pid;
	uint32_t function;
	uint64_t ns;
};

struct hang_rows {
	struct hang_row rows[HANG_MAX_ROWS];
	uint32_t n;
	struct hang_long longs[HANG_MAX_LONG];
	uint32_t n_longs;
};

/* A round of looks begins; those streams that it does not find are forgotten at its end. */
void hang_rows_begin(struct hang_rows *rows);
void hang_rows_end(struct hang_rows *rows);

/*
 * Takes a process as it is now. What has been unfinished for `limit_ns`, or twice what its kernel
 * is known to take, is marked as stuck; with `must_be_awaited` only where a thread has waited for
 * it as long. Returns how many streams were so marked and not yet told.
 */
uint32_t hang_rows_add(struct hang_rows *rows, const struct process_status *status,
		       uint64_t limit_ns, bool must_be_awaited);

/* The row of a stream, or NULL. */
struct hang_row *hang_rows_find(struct hang_rows *rows, long pid, uint32_t stream);

/* As if it had not been looked at before. */
void hang_rows_forget(struct hang_rows *rows, long pid);
void hang_rows_forget_all(struct hang_rows *rows);

#endif
