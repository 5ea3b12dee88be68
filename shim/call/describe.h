/*
 * describe.h - reads the arguments of a submitting call into its journal record.
 */
#ifndef CULPRIT_CALL_DESCRIBE_H
#define CULPRIT_CALL_DESCRIBE_H

#include <stdbool.h>

#include "call.h"
#include "journal_format.h"

/* What is known of a kernel launch beyond its record. */
struct launch {
	CUfunction function;
	void **parameters;
	void **extra;
	CUevent events[2]; /* recorded by launch attributes; NULL: none */
};

/* Reads what of the environment changes what launches mean. Start-up only. */
void describe_start(void);

/* Does every launch return only when its kernel has ended? Any thread. */
bool describe_is_launch_blocking(void);

/* The stream argument of a call, null where it has none or its structure is null. */
CUstream describe_stream(const struct call *call);

/*
 * Fills in work, flags and payload of the record (the function id excepted), and of a kernel launch
 * *out_launch; of other calls that is all zero.
 */
void describe_submission(const struct call *call, struct journal_record *record,
			 struct launch *out_launch);

#endif
