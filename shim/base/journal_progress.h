/*
 * journal_progress.h - the part of journal_format.h about the driver's own words of its progress:
 * its readers include that one.
 */
#ifndef CULPRIT_BASE_JOURNAL_PROGRESS_H
#define CULPRIT_BASE_JOURNAL_PROGRESS_H

#include <assert.h>
#include <stdint.h>

/*
 * A channel is a queue of the GPU, which streams share. The driver numbers what it submits to one
 * (the payload), and the GPU writes the number of what it has begun to a word of the driver's. What
 * of that was found in this process, and how far it is believed, record/progress/ tells.
 */
struct channel_row {
	uint64_t object;   /* the driver's own, by which it knows the channel */
	uint32_t context;  /* id in contexts */
	uint32_t index;    /* the driver's number of it, from 0 */
	uint32_t trust;    /* live: enum channel_trust */
	uint32_t n_checks; /* live: how often its word was held against the truth, and was right */
	uint32_t begun;    /* payload that the GPU had begun last (copied when read) */
	uint32_t is_read;  /* live: begun and the next are those of the failure */
	uint64_t begun_gpu_ns; /* when that was, by the GPU's clock */
	uint16_t use;          /* live: see journal_uses.h */
	uint16_t reserved;
	uint32_t checked; /* live: the payload of its newest check; 0: not told */
	uint32_t reserved2[4];
};
static_assert(sizeof(struct channel_row) == 64, "channel_row is part of the format");

enum channel_trust {
	CHANNEL_UNCHECKED, /* nothing speaks against it, and not enough for it */
	CHANNEL_TRUSTED,   /* checked often enough for an exact verdict to rest on it */
	CHANNEL_REFUSED,   /* it contradicted what is known: nothing is believed of it */
};

/*
 * A channel is trusted after so many checks in its context, in which a word was the very payload,
 * one of them its own; or that payload and not more than TRIAL_SPAN above, where it is known that
 * no more can have begun, or that all below has finished.
 */
enum { CHECKS_OF_TRUST = 3, TRIAL_SPAN = 6 };

/*
 * One of the words in which the driver keeps the state of a stream's kernels, by turns: the n-th
 * kernel of a word, from 0, brings it to 4n + 1 when it begins and to 4n + 2 when it has finished.
 */
struct kernel_state_row {
	uint32_t stream;  /* id in streams */
	uint32_t value;   /* copied when read */
	uint32_t is_read; /* live: value is that of the failure */
	uint16_t use;     /* live: see journal_uses.h */
	uint16_t reserved;
};

/*
 * What the driver called a submission; all zero where that is not known. Live: written when the
 * driver has returned, `channel` last. A submission has begun when its payload is not above the
 * channel's word; both wrap at 32 bits.
 */
struct record_progress {
	uint32_t channel; /* id in channels, 0 unknown */
	uint32_t payload; /* on that channel */
	union {
		struct {
			uint32_t state; /* kernels, also of copies: id in kernel-states, or 0 */
			uint32_t turn;  /* the kernel's number there, from 1; 0 unknown */
		};
		/* Of unknown order (RECORD_UNORDERED), without a channel: the ordinal that its
		   stream had given last when the call went to the driver. It comes behind that. */
		uint64_t behind;
	};
};
static_assert(sizeof(struct record_progress) == 16, "record_progress is part of the format");

/* How progress was followed, for the report. */
enum marker_scheme { MARKERS_OFF, MARKERS_SIDE, MARKERS_INLINE, MARKERS_AUTO };

#endif
