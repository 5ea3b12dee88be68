/*
 * journal_live.h - the part of journal_format.h for snapshots of a running process. It describes
 * what the threads wait for, and copies on request of the progress values in private memory.
 * Include journal_format.h instead of this file.
 */
#ifndef CULPRIT_BASE_JOURNAL_LIVE_H
#define CULPRIT_BASE_JOURNAL_LIVE_H

#include <assert.h>
#include <stdint.h>

/*
 * The call that a thread is in, if the call may wait for the GPU or for a lock of the driver.
 * Submissions are in the thread's ring instead. All members are live: since_ns is set to 0 first,
 * and to its value last.
 */
struct wait_row {
	uint32_t tid;
	uint32_t call;     /* string */
	uint32_t stack;    /* id in stacks; 0: none */
	uint32_t stream;   /* stream that it waits for; 0: not known, or a whole context */
	uint64_t ordinal;  /* it waits for that stream's work up to here */
	uint64_t since_ns; /* CLOCK_MONOTONIC of the call; 0: the thread is in no such call */
};
static_assert(sizeof(struct wait_row) == 32, "wait_row is part of the format");

/*
 * The first row of "looks". To request a snapshot, add one to `asked` and wake it as a shared futex
 * (not a private one). The process then writes the rows after this row and wakes `n_finished`. The
 * rows belong to one snapshot if `n_started` and `n_finished` are equal before and after reading
 * them. All members are live.
 */
struct snapshot_row {
	uint32_t asked;
	uint32_t served;     /* value of `asked` at the start of the newest snapshot */
	uint32_t n_started;  /* snapshots started */
	uint32_t n_finished; /* snapshots finished; stored last */
	uint32_t n_readings;
	uint32_t tid;     /* of the thread that takes snapshots; 0: not running yet */
	uint64_t time_ns; /* CLOCK_MONOTONIC at the start of the newest snapshot */
};
static_assert(sizeof(struct snapshot_row) == 32, "look_row is part of the format");

enum reading_kind {
	READING_NONE,
	READING_CHANNEL, /* value: newest started payload; gpu_ns: when, by the GPU's clock */
	READING_STATE,   /* value: the kernel's state counter */
	READING_MARKER,  /* value: ordinal that the stream's marker shows */
	READING_LOCKED,  /* value: CLOCK_MONOTONIC when the process was locked for a checkpoint */
};

/* Every other row of "looks". */
struct reading_row {
	uint32_t kind; /* enum reading_kind */
	uint32_t id;   /* in channels, kernel-states, streams */
	uint64_t value;
	uint64_t gpu_ns;
	uint64_t reserved;
};
static_assert(sizeof(struct reading_row) == sizeof(struct snapshot_row), "rows of one table");

#endif
