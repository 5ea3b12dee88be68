/*
 * entry.h - the implementation of each entry point: sim_<name>, called by the exported <name> with
 * the lock held and the gate passed. _ptsz and _ptds variants have none of their own: the exported
 * name sets sim_thread.is_default_per_thread and calls that of its family.
 */
#ifndef SIMCUDA_ENTRY_H
#define SIMCUDA_ENTRY_H

#include "base/cuda_api.h"

#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, ...) \
	CUresult sim_##name params;
#include "base/driver_calls.def"
#undef DRIVER_CALL

#endif
