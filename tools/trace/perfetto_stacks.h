/*
 * perfetto_stacks.h - write call stacks in Perfetto's format, each of them once.
 */
#ifndef CULPRIT_TOOLS_PERFETTO_STACKS_H
#define CULPRIT_TOOLS_PERFETTO_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "trace/interned.h"
#include "trace/protobuf.h"

/* Initialise with `analysis` set and the rest zeroed. */
struct perfetto_stacks {
	const struct analysis *analysis;
	struct interned stacks, frames, functions, paths;
	bool is_out_of_memory;
};

/*
 * Return the number of a stack of the bundle; 0 if `stack` is 0. If it is new, append its frames,
 * functions and files to `interned`, a message InternedData. Errors set is_out_of_memory.
 */
uint64_t perfetto_stack(struct perfetto_stacks *stacks, uint32_t stack, struct protobuf *interned);
void perfetto_stacks_free(struct perfetto_stacks *stacks);

#endif
