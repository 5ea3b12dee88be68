/*
 * stack_json.h - native and Python stacks as JSON.
 */
#ifndef CULPRIT_TOOLS_STACK_JSON_H
#define CULPRIT_TOOLS_STACK_JSON_H

#include <jansson.h>

#include "analysis/analysis.h"

/* Return arrays of FRAME and of PYTHON_FRAME, innermost first. */
json_t *stack_to_json(const struct analysis *analysis, uint32_t stack);
json_t *python_stack_to_json(const struct analysis *analysis, uint32_t stack);

#endif
