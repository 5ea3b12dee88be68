/*
 * refusal.h - a launch that the driver refused, explained by the limit that it broke, or by its
 * image: one line on standard error, once for each place.
 */
#ifndef CULPRIT_CALL_REFUSAL_H
#define CULPRIT_CALL_REFUSAL_H

#include "call/call_state.h"
#include "rejection/refused_line.h"

/* Describes a call that has returned, with its stack. Slot owner only. */
struct refused_call refusal_of(const struct call *call, CUresult result);

/*
 * Explains why the driver refused the launch of *call, which has a record, with this error,
 * although the GPU has not failed. Prints nothing unless a broken limit is proven. Queries the
 * driver, so no lock may be held. Slot owner only.
 */
void refusal_explain(const struct call *call, CUresult result);

#endif
