/*
 * code_reach.h - what a kernel's machine code can do, as far as the file that holds it proves it:
 * can it come to __assertfail, which alone raises CUDA_ERROR_ASSERT? And has it a trap?
 *
 * `.nv.callgraph` of a cubin lists who calls whom by symbols, those of the driver (`vprintf`,
 * `__assertfail`) among them: nvcc 13.0 writes it with and without -rdc, -G and -O0, for sm_75 to
 * sm_121. It lists calls through pointers in code that was linked only. So the instructions are
 * looked at as well: a call whose target is in a register may go anywhere.
 *
 * A kernel is cleared if all code that it can come to is in the file, has no such call, and calls
 * nothing outside but what is known to come back. All else is not known: an unlinked file, an
 * architecture that was not tried, a list that is missing or damaged.
 */
#ifndef CULPRIT_TOOLS_CODE_REACH_H
#define CULPRIT_TOOLS_CODE_REACH_H

#include "code/cubin.h"

enum assert_claim {
	ASSERT_NO_KERNEL,  /* the image has no kernel of that name */
	ASSERT_IMPOSSIBLE, /* proven */
	ASSERT_UNKNOWN,
	ASSERT_POSSIBLE, /* it calls __assertfail, or what does */
};

/*
 * What is known of the kernel of that name; *out_can_trap: a trap was seen in what it comes to.
 * Without memory: ASSERT_UNKNOWN, and none. Any thread.
 */
enum assert_claim code_reach_claim(const struct cubin *cubin, const char *kernel,
				   bool *out_can_trap);

#endif
