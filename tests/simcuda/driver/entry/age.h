/*
 * age.h - simulate an older driver: which calls it lacks, and a log of calls made to these anyway.
 */
#ifndef SIMCUDA_AGE_H
#define SIMCUDA_AGE_H

#include <stdbool.h>

#include "base/driver_calls.h"

/* True if only a later driver has the call. */
bool age_lacks(enum driver_call call);

/* Log the name of a lacking call that was called to the file SIMCUDA_LACKED. Any thread. */
void age_note_lacked(enum driver_call call);

#endif
