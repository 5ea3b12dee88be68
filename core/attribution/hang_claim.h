/*
 * hang_claim.h - the verdict on work that hung, as `culprit run` found it while the process lived,
 * or on work that had started before the process ended.
 */
#ifndef CULPRIT_ATTRIBUTION_HANG_CLAIM_H
#define CULPRIT_ATTRIBUTION_HANG_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "attribution/verdict.h"
#include "progress/stall.h"

enum { HANG_CLAIM_MAX = 64 };

/* A stream that made no progress, by its earliest unfinished submission. */
struct hang_stand {
	uint64_t sequence;        /* that submission's number in the process */
	uint64_t source_sequence; /* the submission that it waits for; 0: not known */
	enum stall_kind kind;
	bool is_proven; /* all snapshots within the time limit prove that it was unfinished */
};

/* Sequences come from a file: no journal need have them. */
struct hang_claim {
	/*
	 * The process ended before a hang was seen. The rows had started by the last snapshot.
	 */
	bool is_of_end;
	enum verdict_class class; /* EXACT or LIKELY, of rows[0]; is_of_end: NARROWED or LIKELY */
	uint64_t ns;              /* for how long rows[0] had made no progress; is_of_end: from its
				     launch to the snapshot */
	uint64_t n_later;         /* is_of_end: submissions after the snapshot */
	uint32_t n;               /* at least 1 */
	struct hang_stand rows[HANG_CLAIM_MAX]; /* the one to blame first */
};

#endif
