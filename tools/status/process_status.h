/*
 * process_status.h - what one process is doing now: the state of its streams, and the driver calls
 * that its threads are in.
 */
#ifndef CULPRIT_TOOLS_PROCESS_STATUS_H
#define CULPRIT_TOOLS_PROCESS_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "command/exit_status.h"
#include "progress/stall.h"
#include "status/target.h"

enum { SNAPSHOT_TIMEOUT_MS = 2000, MAX_WAITS = 256 };

/* A thread inside a driver call that has not returned. */
struct waiting_thread {
	uint32_t tid;
	uint32_t call;  /* string ID */
	uint32_t stack; /* stack ID; 0: none */
	uint32_t stream;
	uint64_t ordinal;
	uint64_t sequence; /* of the submission being made; 0: the call submits no work */
	uint64_t since_ns;
};

struct process_status {
	struct bundle *bundle;
	struct analysis analysis; /* valid if has_names */
	bool has_names;
	long pid;
	bool is_alive;
	bool is_stopped;   /* by a signal or a debugger */
	bool has_snapshot; /* a snapshot was taken; else the driver's counters are not known */
	uint64_t now_ns;   /* CLOCK_MONOTONIC of the snapshot; 0: the process has exited */
	uint64_t last_ns;  /* the same of the last snapshot of a process that has exited; 0: none */
	uint64_t locked_ns; /* CLOCK_MONOTONIC when locked for a checkpoint; 0: it is not locked */
	struct stalls stalls;
	uint32_t n_waits;
	struct waiting_thread waits[MAX_WAITS];
};

/*
 * Read the target's bundle and take a snapshot, without loading symbols. Return EXIT_STATUS_OK or
 * EXIT_STATUS_DAMAGED, and the caller closes *out with process_status_close(); it is large and must
 * not move. Otherwise print the reason in one line and return its status. To print the result, call
 * process_status_name() first; until then none of the program's own files are read.
 */
enum exit_status process_status_read(const struct target *target, struct process_status *out);

/* True if `status` of process_status_read() or process_status_open() means that *out is valid. */
bool process_status_is_read(enum exit_status status);

/*
 * Fill in the streams and waiting threads from status->bundle as of status->now_ns. Return 0,
 * -ENOMEM, or -EBADMSG if the bundle contradicts itself.
 */
int process_status_take(struct process_status *status);

/* Load the symbols that printing needs, unless they are loaded. Return 0 or -ENOMEM. */
int process_status_name(struct process_status *status);

/* Call process_status_read(), then process_status_name(). Returns as process_status_read() does. */
enum exit_status process_status_open(const struct target *target, struct process_status *out);
void process_status_close(struct process_status *status);

/* The shortest and the longest that something can have lasted, in ns. */
struct status_span {
	uint64_t low, high;
};

/*
 * Return how long the stream's earliest unfinished submission has been running. If its start is not
 * known, `high` is the time since it was submitted and `low` is 0.
 */
struct status_span process_status_age(const struct process_status *status,
				      const struct stall *stall);

#endif
