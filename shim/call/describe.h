/*
 * describe.h - read the arguments of a submitting call into its journal record.
 */
#ifndef CULPRIT_CALL_DESCRIBE_H
#define CULPRIT_CALL_DESCRIBE_H

#include <stdbool.h>

#include "base/hot.h"
#include "base/journal_format.h"
#include "call/call_state.h"
#include "record/thread.h"

/* A kernel launch, before it becomes a record. */
struct launch {
	const struct args_cuLaunchKernel *args; /* the call's own arguments, or thread->launch */
	uint64_t cluster; /* x, y and z as in struct record_launch; 0: no cluster given */
	uint16_t flags;   /* enum record_flags */
};

/* Note whether each launch returns only after its kernel has finished. Start-up only. */
void describe_start(bool are_launches_blocking);

/* Return the call's stream argument; NULL if it has none, or if its structure is a null pointer. */
CUstream describe_stream(const struct call *call);

/*
 * Fill in the work, flags and payload of a submission's record, which must be all zero. Launches
 * have describe_launch() instead.
 */
void describe_submission(const struct call *call, struct journal_record *record);

/* Return the flags of any launch: RECORD_SYNCHRONOUS if it waits for its kernel. Any thread. */
extern __attribute__((visibility("hidden"))) bool describe_is_blocking; /* written at start only */
static inline uint16_t describe_flags(void)
{
	return describe_is_blocking ? RECORD_SYNCHRONOUS : 0;
}

/*
 * Read a kernel launch, and forget the events that the launch itself records. The result is valid
 * until the thread's next launch, and no longer than the call's arguments are.
 */
void describe_other_launch(const struct call *call, struct launch *out);
static inline struct launch describe_launch(const struct call *call)
{
	/* Compare ids, because the call's facts, with its family, are in another cache line. */
	if (LIKELY(call->id == CALL_cuLaunchKernel) || LIKELY(call->id == CALL_cuLaunchKernel_ptsz))
		return (struct launch){.args = CALL_ARGUMENTS(call, cuLaunchKernel),
				       .flags = describe_flags()};
	struct launch other;
	describe_other_launch(call, &other);
	/* Copy the members one by one, so that the compiler can keep them in registers. */
	return (struct launch){.args = other.args, .cluster = other.cluster, .flags = other.flags};
}

#endif
