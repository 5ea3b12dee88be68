/*
 * argument_json.h - the arguments of a launch as JSON.
 */
#ifndef CULPRIT_TOOLS_ARGUMENT_JSON_H
#define CULPRIT_TOOLS_ARGUMENT_JSON_H

#include <jansson.h>

#include "analysis/analysis.h"
#include "memory/memory_blocks.h"

/* Return the arguments as an array of ARGUMENT, which is empty unless the work is a kernel. */
json_t *arguments_to_json(const struct analysis *analysis, const struct submission *suspect);
json_t *node_arguments_to_json(const struct analysis *analysis, const struct graph_node_row *node);

/* Return BLOCK with the offset of `address` in it, or null if `block` is NULL. */
json_t *block_to_json(const struct memory_block *block, uint64_t address);

#endif
