/*
 * describe.h - reads the arguments of a submitting call into its journal record.
 */
#ifndef CULPRIT_CALL_DESCRIBE_H
#define CULPRIT_CALL_DESCRIBE_H

#include <stdbool.h>

#include "base/hot.h"
#include "base/journal_format.h"
#include "call/call_state.h"
#include "record/thread.h"

/* A kernel launch, on its way to its record. */
struct launch {
	const struct args_cuLaunchKernel *args; /* its own, or thread->launch */
	uint64_t cluster; /* x, y and z as struct record_launch has them; 0: none given */
	uint16_t flags;   /* enum record_flags */
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

/* Of a launch as such: it returns only when its kernel has ended. Any thread. */
extern __attribute__((visibility("hidden"))) bool describe_is_blocking; /* written at start only */
static inline uint16_t describe_flags(void)
{
	return describe_is_blocking ? RECORD_SYNCHRONOUS : 0;
}

/*
 * Reads a kernel launch; forgets events that it records itself. Valid as long as the call's
 * arguments are, and until the thread's next one.
 */
void describe_other_launch(const struct call *call, struct launch *out);
static inline struct launch describe_launch(const struct call *call)
{
	/* Not by family: the facts of the call are in a line of their own. */
	if (USUALLY(call->id == CALL_cuLaunchKernel) ||
	    USUALLY(call->id == CALL_cuLaunchKernel_ptsz))
		return (struct launch){.args = CALL_ARGUMENTS(call, cuLaunchKernel),
				       .flags = describe_flags()};
	struct launch other;
	describe_other_launch(call, &other);
	/* One by one: else all of them would be in memory. */
	return (struct launch){.args = other.args, .cluster = other.cluster, .flags = other.flags};
}

#endif
