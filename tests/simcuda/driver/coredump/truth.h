/*
 * truth.h - record for tests which submission faulted, in the file SIMCUDA_TRUTH.
 */
#ifndef SIMCUDA_TRUTH_H
#define SIMCUDA_TRUTH_H

#include "work/operation.h"

/* Lock held. Append a line of JSON about a fault, if the setting names a file. */
void truth_write(const struct operation *operation, CUresult code);

#endif
