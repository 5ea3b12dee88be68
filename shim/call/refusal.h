/*
 * refusal.h - a launch that the driver refused, explained by the limit that it broke, or by its
 * image: one line on standard error, once for each place.
 */
#ifndef CULPRIT_CALL_REFUSAL_H
#define CULPRIT_CALL_REFUSAL_H

#include "call/call_state.h"
#include "rejection/refused_line.h"

/* Of a call that is over, with its stack. Slot owner only. */
struct refused_call refusal_of(const struct call *call, CUresult result);

/*
 * The driver gave the launch of *call, which has a record, this error, and the GPU has not failed.
 * Says nothing where no broken limit is proven. Asks the driver: no lock held. Slot owner only.
 */
void refusal_explain(const struct call *call, CUresult result);

#endif
