/*
 * hang_rows.h - the earliest unfinished submission of each stream in past snapshots, and for how
 * long it has been that one.
 */
#ifndef CULPRIT_TOOLS_HANG_ROWS_H
#define CULPRIT_TOOLS_HANG_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "attribution/hang_claim.h"
#include "status/process_status.h"

enum { HANG_MAX_ROWS = 1024, HANG_MAX_LONG = 64 };

/* A stream of a process that has had the same earliest unfinished submission since `first_ns`. */
struct hang_row {
	long pid;
	uint32_t stream;
	uint32_t function;  /* id, of a kernel */
	uint64_t sequence;  /* of that submission */
	uint64_t first_ns;  /* first snapshot that shows it, CLOCK_MONOTONIC */
	uint64_t last_ns;   /* newest snapshot that shows it */
	uint64_t proven_ns; /* since this one all prove it to be unfinished; 0: the newest does not
			     */
	bool is_told;       /* the hang was reported */
	bool is_seen;       /* in this round of snapshots */
	bool is_stuck;
};

/* A kernel that counted as stuck and finished later. */
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

/* Start and finish a round of snapshots. Streams not seen in the round are removed at its end. */
void hang_rows_begin(struct hang_rows *rows);
void hang_rows_end(struct hang_rows *rows);

/*
 * Add a snapshot of a process. A stream is marked as stuck if its submission has been unfinished
 * for `limit_ns`, and for twice the known duration of its kernel. While snapshots prove it to be
 * unfinished, only their time counts. With `must_be_awaited`, a thread must also have waited for it
 * that long. Return the number of stuck streams not yet reported.
 */
uint32_t hang_rows_add(struct hang_rows *rows, const struct process_status *status,
		       uint64_t limit_ns, bool must_be_awaited);

/* Return the row of a stream, or NULL. */
struct hang_row *hang_rows_find(struct hang_rows *rows, long pid, uint32_t stream);

/* Drop the history of one process, or of all. */
void hang_rows_forget(struct hang_rows *rows, long pid);
void hang_rows_forget_all(struct hang_rows *rows);

/* hang_text.c: the report about a hung process. */

/*
 * Fill *out with the stuck streams of the process. The first is the first one that waits for no
 * other stream; it is to blame. Returns false if no stream is stuck.
 */
bool hang_claim_make(struct hang_rows *rows, const struct process_status *status,
		     struct hang_claim *out);

/*
 * Print "culprit: hung — exact: launch #233, spin at train.c:48 [pid 4242]", then the status of the
 * process, whose analysis is of a hang. All stuck streams of the process are marked as reported.
 */
void hang_print(struct hang_rows *rows, const struct process_status *status, FILE *out);

/* Store the text in the bundle at `path`, if that is a directory. */
void hang_keep_text(const char *path, const char *text, size_t size);

#endif
