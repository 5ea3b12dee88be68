/*
 * describe.h - reads the arguments of a submitting call into its journal record.
 */
#ifndef CULPRIT_CALL_DESCRIBE_H
#define CULPRIT_CALL_DESCRIBE_H

#include <stdbool.h>

#include "base/journal_format.h"
#include "call/call_state.h"
#include "record/thread.h"

/* A kernel launch, on its way to its record. */
struct launch {
	CUstream stream;
	CUfunction function;
	void **parameters;
	void **extra;
	const unsigned int *shape; /* see LAUNCH_SHAPE */
	uint16_t cluster[3];       /* 0: none given */
	uint16_t flags;            /* enum record_flags */
	/* What describe_launch() leaves alone, as in struct record_launch: */
	uint32_t id;
	uint32_t argument_bytes;
	uint32_t n_argument_rows;
};

/* Do launches return only when their kernel has ended? Start-up only. */
void describe_start(bool are_launches_blocking);

/* The stream argument of a call, null where it has none or its structure is null. */
CUstream describe_stream(const struct call *call);

/*
 * Fills in work, flags and payload of the record of a submission that is no kernel launch, which
 * was all zero.
 */
void describe_submission(const struct call *call, struct journal_record *record);

/* Reads a kernel launch; forgets events that it records itself. Valid as long as the call's
 * arguments are. */
void describe_launch(const struct call *call, struct launch *out);

#endif
