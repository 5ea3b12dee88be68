/*
 * entry.h - declare sim_<name>, the implementation of each entry point. The exported <name> passes
 * the gate and calls it with the lock held. _ptsz and _ptds variants share the implementation of
 * their family: the exported name sets sim_thread.is_default_per_thread before the call.
 */
#ifndef SIMCUDA_ENTRY_H
#define SIMCUDA_ENTRY_H

#include "base/cuda_api.h"

#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, ...) \
	CUresult sim_##name params;
#include "base/driver_calls.def"
#undef DRIVER_CALL

#endif
