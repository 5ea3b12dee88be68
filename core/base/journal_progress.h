/*
 * journal_progress.h - the part of journal_format.h about the driver's progress counters. Include
 * journal_format.h instead of this file.
 */
#ifndef CULPRIT_BASE_JOURNAL_PROGRESS_H
#define CULPRIT_BASE_JOURNAL_PROGRESS_H

#include <assert.h>
#include <stdint.h>

/*
 * A channel is a queue of the GPU that streams share. The driver gives each submission to a channel
 * a number, its payload. When the GPU starts a submission, it writes the payload to the channel's
 * progress counter in the driver's memory. record/progress/ finds the counters in this process and
 * decides how far to trust them.
 */
struct channel_row {
	uint64_t object;         /* the driver's own object of the channel */
	uint32_t context;        /* id in contexts */
	uint32_t index;          /* the driver's number of the channel, from 0 */
	uint32_t trust;          /* live: enum channel_trust */
	uint32_t n_checks;       /* live: how often its counter was verified, and was right */
	uint32_t started;        /* payload that the GPU started last (copied when read) */
	uint32_t is_read;        /* live: started and started_gpu_ns are those of the failure */
	uint64_t started_gpu_ns; /* when the GPU started it, by the GPU's clock */
	uint16_t use;            /* live: see journal_uses.h */
	uint16_t reserved;
	uint32_t checked;     /* live: the payload of its newest check; 0: not known */
	int64_t apart_ns;     /* live: CLOCK_MONOTONIC is at most so far ahead of the GPU's clock */
	uint64_t compared_ns; /* live: when that was found, by CLOCK_MONOTONIC; 0: never */
};
static_assert(sizeof(struct channel_row) == 64, "channel_row is part of the format");

enum channel_trust {
	CHANNEL_UNCHECKED, /* not contradicted, and not checked often enough */
	CHANNEL_TRUSTED,   /* checked often enough for an exact verdict to rest on it */
	CHANNEL_REFUSED,   /* contradicted by what is known: ignore the channel */
};

/*
 * A channel is trusted after CHECKS_OF_TRUST checks in its context, at least one of them its own.
 * In a check the counter must equal the payload exactly. It may also be up to SAMPLE_SPAN above the
 * payload, if it is known that no later work can have started, or that all work below is finished.
 */
enum { CHECKS_OF_TRUST = 3, SAMPLE_SPAN = 6 };

/*
 * CLOCK_MONOTONIC and the GPU's clock drift apart by at most 1 ns in so many: NTP corrects Linux'
 * clock by no more. Other programs correct it by up to 1 in 10 (adjtimex), and libraries show a
 * program another time altogether. So the recorder drops a comparison if CLOCK_MONOTONIC has run
 * differently since.
 */
enum { CLOCK_DRIFT = 2000 };

/* Times and distances of a comparison are below this: their sums do not overflow. */
#define CLOCK_END_NS (INT64_MAX / 3)

/*
 * One of the driver's counters for the state of a stream's kernels. The kernels use a stream's
 * counters in turn. The n-th kernel of a counter, from 0, sets it to 4n + 1 when it starts and to
 * 4n + 2 when it is finished.
 */
struct kernel_state_row {
	uint32_t stream;  /* id in streams */
	uint32_t value;   /* copied when read */
	uint32_t is_read; /* live: value was read at the failure */
	uint16_t use;     /* live: see journal_uses.h */
	uint16_t reserved;
};

/*
 * The driver's numbers for a submission; all zero if they are not known. Live: written after the
 * driver returns, `channel` last. A submission has started if its payload is at most the channel's
 * counter. Both wrap at 32 bits.
 */
struct record_progress {
	uint32_t channel; /* id in channels; 0: unknown */
	uint32_t payload; /* on that channel */
	union {
		struct {
			uint32_t state; /* kernels, also of copies: id in kernel-states, or 0 */
			uint32_t turn;  /* the kernel's number there, from 1; 0: unknown */
		};
		/* RECORD_UNORDERED without a channel: its stream's newest ordinal when the call
		   went to the driver. The submission comes after that ordinal. */
		uint64_t behind;
	};
};
static_assert(sizeof(struct record_progress) == 16, "record_progress is part of the format");

/* How progress was followed, for the report. */
enum marker_scheme { MARKERS_OFF, MARKERS_SIDE, MARKERS_INLINE, MARKERS_AUTO };

#endif
