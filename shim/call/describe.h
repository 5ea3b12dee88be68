/*
 * describe.h - reads the arguments of a submitting call into its journal record.
 */
#ifndef CULPRIT_CALL_DESCRIBE_H
#define CULPRIT_CALL_DESCRIBE_H

#include <stdbool.h>

#include "base/journal_format.h"
#include "call/call_state.h"

/* What is known of a kernel launch beyond its record. */
struct launch {
	CUstream stream;
	CUfunction function;
	void **parameters;
	void **extra;
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

/* The same of a kernel launch, the function id excepted; forgets events that it records itself. */
void describe_launch(const struct call *call, struct journal_record *record,
		     struct launch *out_launch);

#endif
