/*
 * policy.h - which of the common checks apply to a call.
 */
#ifndef SIMCUDA_POLICY_H
#define SIMCUDA_POLICY_H

#include "base/driver_calls.h"

#define POLICY_ANY_TIME          0x1u /* works before cuInit */
#define POLICY_NEEDS_CONTEXT     0x2u
#define POLICY_TELLS_FAILURE     0x4u /* returns the code of the process's failure */
#define POLICY_UNSAFE_IN_CAPTURE 0x8u
#define POLICY_MOVES_CODE        0x10u /* loads or unloads code */

/* Return the policy flags of a call. Any thread, no lock. */
unsigned policy_of(enum driver_call call);

#endif
