/*
 * truth.h - tells tests which submission faulted, in the file named by SIMCUDA_TRUTH.
 */
#ifndef SIMCUDA_TRUTH_H
#define SIMCUDA_TRUTH_H

#include "work/operation.h"

/* Lock held. Appends one line of JSON; without the setting does nothing. */
void truth_write(const struct operation *operation, CUresult code);

#endif
