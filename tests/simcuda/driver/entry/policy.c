/*
 * policy.c - the checks that apply to each call. The results after a failure were measured on the
 * real driver: nearly every call returns the failure. Calls that only query objects, or release
 * virtual memory, graphs, pools and contexts, still succeed.
 */
#include "entry/policy.h"

#include <fnmatch.h>
#include <stdatomic.h>
#include <stddef.h>

#define KNOWN 0x80000000u /* set in a cached policy, so that 0 means not cached */

#define ANY_TIME POLICY_ANY_TIME
#define NOTHING  0
#define CONTEXT  POLICY_NEEDS_CONTEXT
#define TELLS    POLICY_TELLS_FAILURE
#define WORK     (CONTEXT | TELLS)
#define UNSAFE   (WORK | POLICY_UNSAFE_IN_CAPTURE)
#define CODE     POLICY_MOVES_CODE

/* The first row that matches wins. */
static const struct {
	const char *pattern;
	unsigned policy;
} policies[] = {
	{"cuInit", ANY_TIME},
	{"cuDriverGetVersion", ANY_TIME},
	{"cuGetProcAddress*", ANY_TIME},
	{"cuGetError*", ANY_TIME},
	{"cuGetExportTable", ANY_TIME},
	{"cuProfiler*", ANY_TIME},
	{"cuCoredump*", ANY_TIME},
	{"cuLogs*", ANY_TIME},
	{"cuThreadExchangeStreamCaptureMode", NOTHING},

	{"cuCtxCreate*", TELLS},
	{"cuCtxAttach", TELLS},
	{"cuCtxSynchronize*", UNSAFE},
	{"cuCtxRecordEvent", WORK},
	{"cuCtxWaitEvent", WORK},
	{"cuCtxGet*", NOTHING},
	{"cuCtxFromGreenCtx", NOTHING},
	{"cuCtxDestroy*", NOTHING},
	{"cuCtxDetach", NOTHING},
	{"cuCtxPush*", NOTHING},
	{"cuCtxPop*", NOTHING},
	{"cuCtxSetCurrent", NOTHING},
	{"cuCtx*", CONTEXT},
	{"cuGreenCtxCreate", TELLS},
	{"cuGreenCtxStreamCreate", TELLS},
	{"cuGreenCtxRecordEvent", TELLS},
	{"cuGreenCtxWaitEvent", TELLS},
	{"cuDevice*", NOTHING},

	{"cuStreamGetCaptureInfo*", CONTEXT},
	{"cuStreamIsCapturing*", CONTEXT},
	{"cuStreamUpdateCaptureDependencies*", CONTEXT},
	{"cuStreamGet*", CONTEXT},
	{"cuStreamSetAttribute*", CONTEXT},
	{"cuStreamCopyAttributes*", CONTEXT},
	{"cuStream*", WORK},
	{"cuEventQuery", UNSAFE},
	{"cuEventSynchronize", UNSAFE},
	{"cuEvent*", WORK},

	{"cuMemAllocAsync*", WORK},
	{"cuMemAllocFromPoolAsync*", WORK},
	{"cuMemFreeAsync*", WORK},
	{"cuMemAlloc*", UNSAFE},
	{"cuMemFree*", UNSAFE},
	{"cuMemHostAlloc", UNSAFE},
	{"cuMemHostRegister*", UNSAFE},
	{"cuMemHostUnregister", UNSAFE},
	{"cuMemHostGet*", CONTEXT},
	{"cuMemGetInfo*", WORK},
	{"cuMemGetAddressRange*", CONTEXT},
	{"cuMemcpy*Async*", WORK},
	{"cuMemcpy*", UNSAFE},
	{"cuMemset*", WORK},
	{"cuMemPrefetch*", WORK},
	{"cuMemAdvise*", WORK},
	{"cuMemMapArrayAsync*", WORK},
	{"cuMemDiscard*", WORK},
	{"cuMem*", NOTHING},
	{"cuPointer*", NOTHING},

	{"cuModuleGetLoadingMode", NOTHING},
	{"cuModuleLoad*", WORK | CODE},
	{"cuModuleUnload", WORK | CODE},
	{"cuModule*", WORK},
	{"cuLibraryLoad*", TELLS},
	{"cuLibraryUnload", CODE},
	{"cuLibraryGetModule", WORK},
	{"cuLibraryGetGlobal", WORK},
	{"cuLibrary*", NOTHING},
	{"cuKernelGetFunction", WORK | CODE},
	{"cuKernel*", NOTHING},
	{"cuFunc*", CONTEXT},
	{"cuParamSet*", CONTEXT},
	{"cuOccupancy*", CONTEXT},
	{"cuLaunch*", WORK},

	{"cuGraphLaunch*", WORK},
	{"cuGraphUpload*", WORK},
	{"cuGraphInstantiate*", WORK},
	{"cuGraphExec*", NOTHING},
	{"cuGraph*", NOTHING},
	{"cuUserObject*", NOTHING},
	{"cuArray*", WORK},
	{"cuMipmapped*", WORK},
	{"cuTex*", WORK},
	{"cuSurf*", WORK},
	{"cu*", NOTHING},
};

static unsigned look_up(const char *name)
{
	size_t i = 0;
	while (fnmatch(policies[i].pattern, name, 0) != 0)
		i++;
	return policies[i].policy;
}

unsigned policy_of(enum driver_call call)
{
	/* Threads may race to set an element, but all of them store the same value. */
	static _Atomic unsigned remembered[N_DRIVER_CALLS];
	unsigned policy = atomic_load_explicit(&remembered[call], memory_order_relaxed);
	if (policy == 0) {
		policy = look_up(driver_calls[call].name) | KNOWN;
		atomic_store_explicit(&remembered[call], policy, memory_order_relaxed);
	}
	return policy;
}
