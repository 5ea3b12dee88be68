/*
 * exports.c - the exported entry points, one per row of driver_calls.def. Each passes the gate and
 * calls its implementation, or the weak one of defaults.c if the call is not simulated.
 */
#include "entry.h"
#include "entry/gate.h"
#include "log.h"
#include "settings.h"

/* With SIMCUDA_NULL these calls succeed at once, which leaves only the caller's own cost. */
static inline bool is_null_role(enum call_role role)
{
	return role == ROLE_LAUNCH || role == ROLE_GRAPH_LAUNCH || role == ROLE_MEMOP ||
	       role == ROLE_EVENT_RECORD || role == ROLE_EVENT_WAIT;
}

#define LEGACY     false
#define PER_THREAD true
#define EXPORT     __attribute__((visibility("default")))

/* cuGetProcAddress returns own_<name>; proc_address.c says why. */
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, args, ...) \
	EXPORT CUresult name params;                                                               \
	extern CUresult own_##name params __attribute__((alias(#name), visibility("hidden")));     \
	EXPORT CUresult name params                                                                \
	{                                                                                          \
		CUresult outcome;                                                                  \
                                                                                                   \
		if (is_null_role(ROLE_##role) && settings.is_null)                                 \
			return CUDA_SUCCESS;                                                       \
		outcome = gate_enter(CALL_##name, default_stream);                                 \
		if (outcome == CUDA_SUCCESS) {                                                     \
			outcome = sim_##family args;                                               \
			gate_leave();                                                              \
		}                                                                                  \
		if (outcome != CUDA_SUCCESS && outcome != CUDA_ERROR_NOT_READY)                    \
			log_refusal(CALL_##name, outcome);                                         \
		return outcome;                                                                    \
	}
#include "base/driver_calls.def"
#undef DRIVER_CALL
