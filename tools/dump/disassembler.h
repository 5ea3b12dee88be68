/*
 * disassembler.h - the text of an instruction, from the CUDA toolkit's nvdisasm if that is in PATH.
 */
#ifndef CULPRIT_TOOLS_DISASSEMBLER_H
#define CULPRIT_TOOLS_DISASSEMBLER_H

#include <stdbool.h>

#include "base/text.h"
#include "code/code_access.h"

/*
 * Append "STG.E desc[UR4][R2.64], R7". Returns false and appends nothing if there is no nvdisasm.
 * If its answer cannot be used, or does not come within five seconds, prints one line and returns
 * false from then on. Single-threaded callers only.
 */
bool disassembler_append(const struct code_instruction *instruction, struct text *out);

#endif
