/*
 * defaults.c - what is not simulated. A definition elsewhere takes the place of the weak one here.
 */
#include "entry.h"

/* The parameters of what does nothing are unused. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, ...) \
	__attribute__((weak)) CUresult sim_##name params                                     \
	{                                                                                    \
		return CUDA_ERROR_NOT_SUPPORTED;                                             \
	}
#include "base/driver_calls.def"
#undef DRIVER_CALL
