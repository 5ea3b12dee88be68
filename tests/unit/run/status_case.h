/*
 * status_case.h - a process whose streams and waiting threads a test sets, for tests of its status.
 */
#ifndef CULPRIT_TESTS_STATUS_CASE_H
#define CULPRIT_TESTS_STATUS_CASE_H

#include "status/process_status.h"
#include "support/bundle_builder.h"

enum { STATUS_TID = 100, STATUS_NOW_MS = 500000 };

/* The process; its rows are ids of the bundle. */
struct status_case {
	struct bundle_builder builder;
	struct bundle bundle;
	struct process_status status;
	uint32_t context, stream, other; /* the legacy stream, and one that was created */
	uint32_t function, stack, call;
};

/* Begin one, at a time, with this meta.json. A test adds rows, then calls status_case_view(). */
struct status_case *status_case_begin(const char *meta);
void status_case_view(struct status_case *c);
void status_case_end(struct status_case *c);

/* Add a stream at a kernel that was submitted that long before now. Return it, to change it. */
struct stall *status_case_stall(struct status_case *c, uint32_t stream, enum stall_kind kind,
				uint64_t age_ms);

/* Add a thread in a call since then. Return it, to change it. */
struct waiting_thread *status_case_wait(struct status_case *c, uint64_t age_ms);

#endif
