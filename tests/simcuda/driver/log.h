/*
 * log.h - the driver's log of refused calls (CUDA_LOG_FILE, since 12.9).
 */
#ifndef SIMCUDA_LOG_H
#define SIMCUDA_LOG_H

#include "base/driver_calls.h"

/* Append a line about the call, if there is a log. Any thread; no lock held. */
void log_refusal(enum driver_call call, CUresult result);

#endif
