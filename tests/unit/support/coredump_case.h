/*
 * coredump_case.h - a failure with a core dump, for tests of the join: launches of two kernels on
 * two streams, and what one of them would have left in a dump.
 */
#ifndef CULPRIT_TESTS_COREDUMP_CASE_H
#define CULPRIT_TESTS_COREDUMP_CASE_H

#include <stddef.h>

#include "coredump/gpu_fault.h"
#include "support/verdict_case.h"

/* The parameters of the launches: what differs from case to case is `count`. */
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

/* Dumps that the user turned on. */
enum { UNWATCHED = FAILURE_COREDUMPS };

struct story story_begin(void);

struct journal_record *story_launch(struct story *story, uint32_t stream, uint32_t function,
				    uint32_t count);

/* What the launch of `function` with `count` would leave in a dump; to be changed further. */
struct gpu_fault *story_dump(struct story *story, uint32_t function, uint32_t count);

/* The dump of a warp that had gone: its code alone. */
void story_dump_place(struct story *story, const char *function, bool is_kernel);

/* Fails after all so far, the first time, and attributes with the dump. */
void story_judge_code(struct story *story, int32_t code, uint32_t flags);
void story_judge(struct story *story, uint32_t flags);

/* The verdict is narrowed to n suspects, of which this one is the first. */
void story_check_narrowed(const struct story *story, uint64_t n, uint64_t first);

#endif
