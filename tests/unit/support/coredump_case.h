/*
 * coredump_case.h - a failure with a core dump, for tests of the join: launches of two kernels on
 * two streams, and the dump that one of them would have left.
 */
#ifndef CULPRIT_TESTS_COREDUMP_CASE_H
#define CULPRIT_TESTS_COREDUMP_CASE_H

#include <stddef.h>

#include "coredump/gpu_fault.h"
#include "support/verdict_case.h"

/* The parameters of the launches; `count` differs from case to case. */
struct arguments {
	uint64_t pointer;
	uint32_t count;
};
enum { ARGUMENT_BYTES = offsetof(struct arguments, count) + sizeof(uint32_t) };

struct story {
	struct verdict_case *c;
	uint32_t stream;
	uint32_t other_stream;
	uint32_t scatter; /* function ids */
	uint32_t gather;
	struct arguments dumped;
	struct gpu_fault fault;
};

/* The user turned on the dumps. */
enum { UNWATCHED = FAILURE_COREDUMPS };

struct story story_begin(void);

struct journal_record *story_launch(struct story *story, uint32_t stream, uint32_t function,
				    uint32_t count);

/*
 * Returns the dump that the launch of `function` with `count` would leave. The test may change it.
 */
struct gpu_fault *story_dump(struct story *story, uint32_t function, uint32_t count);

/* Leaves the dump of a warp that had exited: its code alone. */
void story_dump_place(struct story *story, const char *function, bool is_kernel);

/* Fails after all so far, the first time, and attributes with the dump. */
void story_judge_code(struct story *story, int32_t code, uint32_t flags);
void story_judge(struct story *story, uint32_t flags);

/* The verdict is narrowed to n suspects, of which this one is the first. */
void story_check_narrowed(const struct story *story, uint64_t n, uint64_t first);

#endif
