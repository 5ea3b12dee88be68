/*
 * defaults.c - weak implementations for calls that are not simulated; other files override them.
 */
#include "entry.h"
#include "settings.h"

/* These implementations do not use their parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, ...) \
	__attribute__((weak)) CUresult sim_##name params                                     \
	{                                                                                    \
		return settings.stubs_succeed ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;     \
	}
#include "base/driver_calls.def"
#undef DRIVER_CALL
