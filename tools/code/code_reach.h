/*
 * code_reach.h - find out from a kernel's machine code whether it can reach __assertfail, the only
 * source of CUDA_ERROR_ASSERT, and whether it contains a trap.
 *
 * The section `.nv.callgraph` of a cubin lists calls between symbols, including the driver's
 * (`vprintf`, `__assertfail`). nvcc 13.0 writes it with and without -rdc, -G and -O0, for sm_75 to
 * sm_121. It lists calls through pointers only for linked code. So the instructions are checked as
 * well: a call whose target is in a register may go anywhere.
 *
 * A kernel is cleared if all code that it can reach is in the file, contains no such call, and
 * calls only those driver functions that are known to return. In all other cases the claim is
 * unknown: an unlinked file, an untested architecture, a call graph that is missing or damaged.
 */
#ifndef CULPRIT_TOOLS_CODE_REACH_H
#define CULPRIT_TOOLS_CODE_REACH_H

#include "code/cubin.h"

enum assert_claim {
	ASSERT_NO_KERNEL,  /* the image has no kernel of that name */
	ASSERT_IMPOSSIBLE, /* proven: it cannot reach __assertfail */
	ASSERT_UNKNOWN,
	ASSERT_POSSIBLE, /* it calls __assertfail, directly or not */
};

/*
 * Return the claim about the kernel of that name. *out_can_trap is set if reachable code contains a
 * trap. If out of memory, return ASSERT_UNKNOWN and no trap. Thread-safe.
 */
enum assert_claim code_reach_claim(const struct cubin *cubin, const char *kernel,
				   bool *out_can_trap);

#endif
