/*
 * perfetto_stacks.h - call stacks in Perfetto's format, each written once.
 */
#ifndef CULPRIT_TOOLS_PERFETTO_STACKS_H
#define CULPRIT_TOOLS_PERFETTO_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "bundle/analysis.h"
#include "trace/interned.h"
#include "trace/protobuf.h"

/* A zeroed one, but for `analysis`, is empty. */
struct perfetto_stacks {
	const struct analysis *analysis;
	struct interned stacks, frames, functions, paths;
	bool is_out_of_memory;
};

/*
 * The number of a stack of the bundle, 0: it has no frames. What a reader does not know yet of it
 * is added to `interned`, a message InternedData.
 */
uint64_t perfetto_stack(struct perfetto_stacks *stacks, uint32_t stack, struct protobuf *interned);
void perfetto_stacks_free(struct perfetto_stacks *stacks);

#endif
