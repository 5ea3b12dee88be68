/*
 * journal_live.h - the part of journal_format.h that is for looks into a process that runs: what
 * its threads wait for, and what the words that lie in its private memory say, copied when somebody
 * asks. Its readers include that one.
 */
#ifndef CULPRIT_BASE_JOURNAL_LIVE_H
#define CULPRIT_BASE_JOURNAL_LIVE_H

#include <assert.h>
#include <stdint.h>

/*
 * The call that a thread is in, of those that may have to wait for the GPU or for a lock of the
 * driver's; submissions are in its ring. All live: since_ns is 0 first and set last.
 */
struct wait_row {
	uint32_t tid;
	uint32_t call;     /* string */
	uint32_t stack;    /* id in stacks, 0 none */
	uint32_t stream;   /* that it waits for, 0: not known, or a whole context */
	uint64_t ordinal;  /* of that stream, up to which it waits */
	uint64_t since_ns; /* CLOCK_MONOTONIC; 0: it is in none */
};
static_assert(sizeof(struct wait_row) == 32, "wait_row is part of the format");

/*
 * The first row of "looks". Who wants to know adds one to `asked` and wakes it as a futex (not a
 * private one); the process then writes the rows behind this one, and wakes `n_ended`. They are
 * those of one look if `n_begun` and `n_ended` are equal before and after they are read. All live.
 */
struct look_row {
	uint32_t asked;
	uint32_t served;  /* what `asked` was when the newest look began */
	uint32_t n_begun; /* looks */
	uint32_t n_ended; /* stored last */
	uint32_t n_readings;
	uint32_t tid;     /* of the thread that looks; 0: there is none yet */
	uint64_t time_ns; /* CLOCK_MONOTONIC when the newest look began */
};
static_assert(sizeof(struct look_row) == 32, "look_row is part of the format");

enum reading_kind {
	READING_NONE,
	READING_CHANNEL, /* value: payload that had begun; gpu_ns: when, by the GPU's clock */
	READING_STATE,   /* value: the kernel's state word */
	READING_MARKER,  /* value: ordinal that the stream's marker shows */
	READING_LOCKED,  /* value: CLOCK_MONOTONIC when the process was locked for a checkpoint */
};

/* A further row of "looks". */
struct reading_row {
	uint32_t kind; /* enum reading_kind */
	uint32_t id;   /* in channels, kernel-states, streams */
	uint64_t value;
	uint64_t gpu_ns;
	uint64_t reserved;
};
static_assert(sizeof(struct reading_row) == sizeof(struct look_row), "rows of one table");

#endif
