/*
 * code_access.h - decode what an instruction of the GPU accesses. The formats were read off the
 * machine code that nvcc 13.0 makes for sm_75 to sm_121, as nvdisasm 13.2 prints it.
 */
#ifndef CULPRIT_TOOLS_CODE_ACCESS_H
#define CULPRIT_TOOLS_CODE_ACCESS_H

#include <stdbool.h>

#include "coredump/byte_span.h"
#include "fault/code_extents.h"

/* An instruction of CODE_STEP bytes. */
struct code_instruction {
	uint64_t words[2];
	uint8_t architecture; /* 90 for sm_90; 0: no instruction */
	struct instruction_access access;
};

/*
 * Decode the instruction at `offset`, which is a multiple of CODE_STEP. The bytes of its access are
 * 0 if it is no load, store or atomic. If it is outside the code, *out is no instruction.
 * Thread-safe.
 */
void code_access_decode(struct byte_span code, uint64_t offset, uint8_t architecture,
			struct code_instruction *out);

/*
 * True if a thread at the instruction needs the value that it loads before anything else can end
 * the thread: an instruction waits for it before the next one that may jump or exit, or that one
 * does. `offset` is a multiple of CODE_STEP. Thread-safe.
 */
bool code_access_is_awaited(struct byte_span code, uint64_t offset, uint8_t architecture);

#endif
