/*
 * code_access.h - decode what an instruction of the GPU accesses. The formats were read off the
 * machine code that nvcc 13.0 makes for sm_75 to sm_121, as nvdisasm 13.2 prints it.
 */
#ifndef CULPRIT_TOOLS_CODE_ACCESS_H
#define CULPRIT_TOOLS_CODE_ACCESS_H

#include "coredump/byte_span.h"
#include "fault/code_extents.h"

/*
 * Decode the load, store or atomic at `offset`, which is a multiple of CODE_STEP. `architecture` is
 * 90 for sm_90. Its bytes are 0 if it is none of these, or outside the code. Thread-safe.
 */
struct instruction_access code_access_decode(struct byte_span code, uint64_t offset,
					     uint8_t architecture);

#endif
