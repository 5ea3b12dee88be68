/*
 * process_status.h - one process as it is now: where its streams stand, and which calls its threads
 * are in.
 */
#ifndef CULPRIT_TOOLS_PROCESS_STATUS_H
#define CULPRIT_TOOLS_PROCESS_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "bundle/analysis.h"
#include "command/exit_status.h"
#include "status/target.h"
#include "verdict/progress/standing.h"

enum { LOOK_TIMEOUT_MS = 2000, MAX_WAITS = 256 };

/* A thread in a call of the driver that has not returned. */
struct waiting_thread {
	uint32_t tid;
	uint32_t call;  /* string */
	uint32_t stack; /* id, 0 none */
	uint32_t stream;
	uint64_t ordinal;
	uint64_t sequence; /* of the submission that it makes; 0: it makes none */
	uint64_t since_ns;
};

struct process_status {
	struct bundle *bundle;
	struct analysis analysis; /* once there are names */
	bool has_names;
	long pid;
	bool is_alive;
	bool is_stopped;    /* by a signal or a debugger */
	bool has_look;      /* else what its private memory tells is not known */
	uint64_t now_ns;    /* CLOCK_MONOTONIC of the look; of one that has ended 0 */
	uint64_t locked_ns; /* as now_ns, when it was locked for a checkpoint; 0: it is not */
	struct standings standings;
	uint32_t n_waits;
	struct waiting_thread waits[MAX_WAITS];
};

/*
 * EXIT_STATUS_OK or _DAMAGED: *out, which is big and must not move, is the caller's to close. Else
 * the reason is told in a line. Without names there is nothing to print, but nothing is read of the
 * program's files either.
 */
enum exit_status process_status_read(const struct target *target, struct process_status *out);

/* Did that give one? */
bool process_status_is_read(enum exit_status status);

/* What the journal of `bundle` tells of `now_ns`, into the rest: 0, -ENOMEM or -EBADMSG. */
int process_status_take(struct process_status *status);

/* Finds the names: 0, or -ENOMEM. */
int process_status_name(struct process_status *status);

/* Both of it. */
enum exit_status process_status_open(const struct target *target, struct process_status *out);
void process_status_close(struct process_status *status);

/* For how long something has been going on: at least and at most, in ns. */
struct status_span {
	uint64_t low, high;
};

/* Since the stream's front began, as far as that is known; else since it was submitted, low 0. */
struct status_span process_status_age(const struct process_status *status,
				      const struct standing *standing);

#endif
