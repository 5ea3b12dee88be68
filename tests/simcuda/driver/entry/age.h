/*
 * age.h - a driver of another version: what it lacks, and who calls it all the same.
 */
#ifndef SIMCUDA_AGE_H
#define SIMCUDA_AGE_H

#include <stdbool.h>

#include "base/driver_calls.h"

/* Did a later driver bring CALL? */
bool age_lacks(enum driver_call call);

/* A call that the driver lacks has been called: its name goes to SIMCUDA_LACKED. Any thread. */
void age_note_lacked(enum driver_call call);

#endif
