/*
 * driver.h - the driver as the corpus calls it. The same sources make three programs that differ
 * only in the door through which they find the driver's functions: the dynamic linker (the
 * default), dlopen + dlsym (CORPUS_DLSYM), or cuGetProcAddress_v2 (CORPUS_PROC_ADDRESS).
 * A call is written CU(cuInit)(0).
 */
#ifndef CULPRIT_CORPUS_DRIVER_H
#define CULPRIT_CORPUS_DRIVER_H

#include "base/cuda_api.h"

/*
 * Each row: the exported name; and what cuGetProcAddress must be asked to answer with it (name,
 * driver version, default stream).
 */
#define DRIVER_ROWS(ROW)                                                                   \
	ROW(cuInit, cuInit, 2000, LEGACY)                                                  \
	ROW(cuDeviceGet, cuDeviceGet, 2000, LEGACY)                                        \
	ROW(cuDeviceGetName, cuDeviceGetName, 2000, LEGACY)                                \
	ROW(cuDeviceGetAttribute, cuDeviceGetAttribute, 2000, LEGACY)                      \
	ROW(cuCtxCreate_v2, cuCtxCreate, 3020, LEGACY)                                     \
	ROW(cuCtxDestroy_v2, cuCtxDestroy, 4000, LEGACY)                                   \
	ROW(cuCtxGetCurrent, cuCtxGetCurrent, 4000, LEGACY)                                \
	ROW(cuCtxSetCurrent, cuCtxSetCurrent, 4000, LEGACY)                                \
	ROW(cuCtxPushCurrent_v2, cuCtxPushCurrent, 4000, LEGACY)                           \
	ROW(cuCtxPopCurrent_v2, cuCtxPopCurrent, 4000, LEGACY)                             \
	ROW(cuCtxDetach, cuCtxDetach, 2000, LEGACY)                                        \
	ROW(cuDeviceGetCount, cuDeviceGetCount, 2000, LEGACY)                              \
	ROW(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 7000, LEGACY)              \
	ROW(cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease, 11000, LEGACY)        \
	ROW(cuDeviceGetDevResource, cuDeviceGetDevResource, 12040, LEGACY)                 \
	ROW(cuDevSmResourceSplitByCount, cuDevSmResourceSplitByCount, 12040, LEGACY)       \
	ROW(cuDevResourceGenerateDesc, cuDevResourceGenerateDesc, 12040, LEGACY)           \
	ROW(cuGreenCtxCreate, cuGreenCtxCreate, 12040, LEGACY)                             \
	ROW(cuGreenCtxDestroy, cuGreenCtxDestroy, 12040, LEGACY)                           \
	ROW(cuCtxFromGreenCtx, cuCtxFromGreenCtx, 12040, LEGACY)                           \
	ROW(cuGreenCtxStreamCreate, cuGreenCtxStreamCreate, 12050, LEGACY)                 \
	ROW(cuGreenCtxRecordEvent, cuGreenCtxRecordEvent, 12040, LEGACY)                   \
	ROW(cuGreenCtxWaitEvent, cuGreenCtxWaitEvent, 12040, LEGACY)                       \
	ROW(cuMemcpyPeerAsync, cuMemcpyPeerAsync, 4000, LEGACY)                            \
	ROW(cuCtxSynchronize, cuCtxSynchronize, 2000, LEGACY)                              \
	ROW(cuModuleLoad, cuModuleLoad, 2000, LEGACY)                                      \
	ROW(cuModuleLoadData, cuModuleLoadData, 2000, LEGACY)                              \
	ROW(cuModuleGetFunction, cuModuleGetFunction, 2000, LEGACY)                        \
	ROW(cuModuleUnload, cuModuleUnload, 2000, LEGACY)                                  \
	ROW(cuMemAlloc_v2, cuMemAlloc, 3020, LEGACY)                                       \
	ROW(cuMemFree_v2, cuMemFree, 3020, LEGACY)                                         \
	ROW(cuMemAllocManaged, cuMemAllocManaged, 6000, LEGACY)                            \
	ROW(cuMemAllocAsync, cuMemAllocAsync, 11020, LEGACY)                               \
	ROW(cuMemFreeAsync, cuMemFreeAsync, 11020, LEGACY)                                 \
	ROW(cuMemHostAlloc, cuMemHostAlloc, 2020, LEGACY)                                  \
	ROW(cuMemHostRegister_v2, cuMemHostRegister, 6050, LEGACY)                         \
	ROW(cuMemHostUnregister, cuMemHostUnregister, 4000, LEGACY)                        \
	ROW(cuMemPoolCreate, cuMemPoolCreate, 11020, LEGACY)                               \
	ROW(cuMemPoolDestroy, cuMemPoolDestroy, 11020, LEGACY)                             \
	ROW(cuArrayCreate_v2, cuArrayCreate, 3020, LEGACY)                                 \
	ROW(cuArrayDestroy, cuArrayDestroy, 2000, LEGACY)                                  \
	ROW(cuMemFreeHost, cuMemFreeHost, 2000, LEGACY)                                    \
	ROW(cuMemHostGetDevicePointer_v2, cuMemHostGetDevicePointer, 3020, LEGACY)         \
	ROW(cuMemGetAllocationGranularity, cuMemGetAllocationGranularity, 10020, LEGACY)   \
	ROW(cuMemAddressReserve, cuMemAddressReserve, 10020, LEGACY)                       \
	ROW(cuMemAddressFree, cuMemAddressFree, 10020, LEGACY)                             \
	ROW(cuMemCreate, cuMemCreate, 10020, LEGACY)                                       \
	ROW(cuMemRelease, cuMemRelease, 10020, LEGACY)                                     \
	ROW(cuMemMap, cuMemMap, 10020, LEGACY)                                             \
	ROW(cuMemUnmap, cuMemUnmap, 10020, LEGACY)                                         \
	ROW(cuMemSetAccess, cuMemSetAccess, 10020, LEGACY)                                 \
	ROW(cuMemcpyDtoH_v2, cuMemcpyDtoH, 3020, LEGACY)                                   \
	ROW(cuMemcpyHtoD_v2, cuMemcpyHtoD, 3020, LEGACY)                                   \
	ROW(cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync, 3020, LEGACY)                         \
	ROW(cuMemsetD32_v2, cuMemsetD32, 3020, LEGACY)                                     \
	ROW(cuMemsetD32Async, cuMemsetD32Async, 3020, LEGACY)                              \
	ROW(cuStreamCreate, cuStreamCreate, 2000, LEGACY)                                  \
	ROW(cuStreamDestroy_v2, cuStreamDestroy, 4000, LEGACY)                             \
	ROW(cuStreamSynchronize, cuStreamSynchronize, 2000, LEGACY)                        \
	ROW(cuStreamSynchronize_ptsz, cuStreamSynchronize, 7000, PER_THREAD_DEFAULT)       \
	ROW(cuStreamQuery, cuStreamQuery, 2000, LEGACY)                                    \
	ROW(cuStreamWaitEvent, cuStreamWaitEvent, 3020, LEGACY)                            \
	ROW(cuStreamWaitValue32_v2, cuStreamWaitValue32, 11070, LEGACY)                    \
	ROW(cuStreamBeginCapture_v2, cuStreamBeginCapture, 10010, LEGACY)                  \
	ROW(cuStreamEndCapture, cuStreamEndCapture, 10000, LEGACY)                         \
	ROW(cuEventCreate, cuEventCreate, 2000, LEGACY)                                    \
	ROW(cuEventDestroy_v2, cuEventDestroy, 4000, LEGACY)                               \
	ROW(cuEventRecord, cuEventRecord, 2000, LEGACY)                                    \
	ROW(cuEventQuery, cuEventQuery, 2000, LEGACY)                                      \
	ROW(cuEventSynchronize, cuEventSynchronize, 2000, LEGACY)                          \
	ROW(cuLaunchKernel, cuLaunchKernel, 4000, LEGACY)                                  \
	ROW(cuLaunchKernel_ptsz, cuLaunchKernel, 7000, PER_THREAD_DEFAULT)                 \
	ROW(cuLaunchKernelEx, cuLaunchKernelEx, 11060, LEGACY)                             \
	ROW(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel, 9000, LEGACY)            \
	ROW(cuGraphInstantiateWithFlags, cuGraphInstantiateWithFlags, 11040, LEGACY)       \
	ROW(cuGraphLaunch, cuGraphLaunch, 10000, LEGACY)                                   \
	ROW(cuGraphExecDestroy, cuGraphExecDestroy, 10000, LEGACY)                         \
	ROW(cuGraphDestroy, cuGraphDestroy, 10000, LEGACY)                                 \
	ROW(cuGraphCreate, cuGraphCreate, 10000, LEGACY)                                   \
	ROW(cuGraphAddKernelNode_v2, cuGraphAddKernelNode, 12000, LEGACY)                  \
	ROW(cuGraphAddNode_v2, cuGraphAddNode, 12030, LEGACY)                              \
	ROW(cuGraphConditionalHandleCreate, cuGraphConditionalHandleCreate, 12030, LEGACY) \
	ROW(cuGraphKernelNodeSetAttribute, cuGraphKernelNodeSetAttribute, 11000, LEGACY)   \
	ROW(cuGraphAddChildGraphNode, cuGraphAddChildGraphNode, 10000, LEGACY)             \
	ROW(cuGraphClone, cuGraphClone, 10000, LEGACY)                                     \
	ROW(cuGraphExecUpdate_v2, cuGraphExecUpdate, 12000, LEGACY)                        \
	ROW(cuGraphGetRootNodes, cuGraphGetRootNodes, 10000, LEGACY)                       \
	ROW(cuGraphNodeSetEnabled, cuGraphNodeSetEnabled, 11060, LEGACY)                   \
	ROW(cuGraphExecKernelNodeSetParams_v2, cuGraphExecKernelNodeSetParams, 12000, LEGACY)

#if defined(CORPUS_DLSYM) || defined(CORPUS_PROC_ADDRESS)

/* Written once by driver_open, before any thread starts. */
struct driver {
#define ROW(name, base, version, stream) __typeof__(name) *name;
	DRIVER_ROWS(ROW)
#undef ROW
};
extern struct driver driver;
#define CU(name) driver.name

#else
#define CU(name) name
#endif

/* Find the driver's functions; exit with a message if one is missing. */
void driver_open(void);

#endif
