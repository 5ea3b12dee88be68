/*
 * device.h - what nvcc includes in every file without being asked, as far as PyCUDA's kernels need
 * it: the device language, and C's mathematics with CUDA's overloads.
 */
#ifndef CLIENTS_SIMCUDA_DEVICE_H
#define CLIENTS_SIMCUDA_DEVICE_H

#include <float.h>
#include <math.h>

#include "simcuda_kernel.h"

static inline void sincos(float angle, float *sine, float *cosine)
{
	sincosf(angle, sine, cosine);
}

#endif
