/*
 * cuda_since.h - for builds with an older cuda.h: the types in driver_calls.def that were added
 * after CUDA 12.0. Each is defined only as far as passing the call on needs. Also the few values
 * and members of later versions that we use ourselves.
 */
#ifndef CULPRIT_BASE_CUDA_SINCE_H
#define CULPRIT_BASE_CUDA_SINCE_H

#include <assert.h>
#include <stddef.h>

#include <cuda.h>

/* NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in any. */
#define LATER_STRUCT(name)   typedef struct name##_later name
#define LATER_HANDLE(name)   typedef struct name##_later *name
#define LATER_ENUM(name)     typedef unsigned int name
#define LATER_FUNCTION(name) typedef void(CUDA_CB * name)(void)
/* NOLINTEND(bugprone-macro-parentheses) */

#if CUDA_VERSION < 12010
LATER_ENUM(CUcoredumpSettings);
LATER_ENUM(CUmulticastGranularity_flags);
LATER_STRUCT(CUmulticastObjectProp);
#endif
#if CUDA_VERSION < 12020
LATER_STRUCT(CUgraphNodeParams);
#endif
#if CUDA_VERSION < 12030
typedef cuuint64_t CUgraphConditionalHandle;
LATER_STRUCT(CUgraphEdgeData);
#endif
#if CUDA_VERSION < 12040
LATER_FUNCTION(CUasyncCallback);
LATER_HANDLE(CUasyncCallbackHandle);
LATER_STRUCT(CUdevResource);
LATER_HANDLE(CUdevResourceDesc);
LATER_ENUM(CUdevResourceType);
LATER_ENUM(CUfunctionLoadingState);
LATER_HANDLE(CUgreenCtx);
#endif
#if CUDA_VERSION < 12050
LATER_STRUCT(CUctxCreateParams);
#endif
#if CUDA_VERSION < 12080
LATER_STRUCT(CUDA_MEMCPY3D_BATCH_OP);
LATER_STRUCT(CUcheckpointCheckpointArgs);
LATER_STRUCT(CUcheckpointLockArgs);
LATER_STRUCT(CUcheckpointRestoreArgs);
LATER_STRUCT(CUcheckpointUnlockArgs);
LATER_STRUCT(CUmemDecompressParams);
LATER_STRUCT(CUmemcpyAttributes);
LATER_ENUM(CUprocessState);
LATER_ENUM(CUtensorMapIm2ColWideMode);
#endif
#if CUDA_VERSION < 12090
typedef unsigned int CUlogIterator;
LATER_FUNCTION(CUlogsCallback);
LATER_HANDLE(CUlogsCallbackHandle);
#endif
#if CUDA_VERSION < 13000
LATER_ENUM(CUatomicOperation);
#endif
#if CUDA_VERSION < 13010
LATER_STRUCT(CU_DEV_SM_RESOURCE_GROUP_PARAMS);
#endif
#if CUDA_VERSION < 13020
LATER_HANDLE(CUcoredumpCallbackHandle);
LATER_FUNCTION(CUcoredumpStatusCallback);
LATER_STRUCT(CUstreamCigCaptureParams);
#endif
#if CUDA_VERSION < 13030
LATER_FUNCTION(CUgraphRecaptureCallback);
typedef cuuint32_t CUlogicalEndpointId;
LATER_ENUM(CUlogicalEndpointIpcHandleType);
LATER_STRUCT(CUlogicalEndpointProp);
#endif
#if CUDA_VERSION < 13040
LATER_HANDLE(CUcheckpointOperationHandle);
LATER_STRUCT(CUcliqueInfo);
#endif
#if CUDA_VERSION < 13050
LATER_STRUCT(CUDA_FABRIC_COPY_BATCH_OP);
LATER_ENUM(CUtensorMapAllocClass);
#endif

/* Macros, because values cannot be added to an enum. */
#if CUDA_VERSION < 12010
#define CU_COREDUMP_ENABLE_ON_EXCEPTION ((CUcoredumpSettings)1)
#define CU_COREDUMP_FILE                ((CUcoredumpSettings)5)
#endif
#if CUDA_VERSION < 12030
#define CU_GRAPH_NODE_TYPE_CONDITIONAL              ((CUgraphNodeType)13)
#define CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT ((CUlaunchAttributeID)12)
#endif
#if CUDA_VERSION < 12040
#define CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE ((CUlaunchAttributeID)13)
#define CU_DEVICE_ATTRIBUTE_MPS_ENABLED                  ((CUdevice_attribute)133)
#endif
#if CUDA_VERSION < 12050
#define CU_COREDUMP_GENERATION_FLAGS  ((CUcoredumpSettings)7)
#define CU_COREDUMP_SKIP_ABORT        (1u << 4)
#define CU_COREDUMP_LIGHTWEIGHT_FLAGS (1u | 1u << 1 | 1u << 2 | 1u << 3)
#endif

#if CUDA_VERSION < 13000
#define CU_MEM_ALLOCATION_TYPE_MANAGED ((CUmemAllocationType)2)
#endif
#if CUDA_VERSION < 13050
#define CU_GRAPH_NODE_TYPE_MEMCPY_BATCH     ((CUgraphNodeType)14)
#define CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH ((CUgraphNodeType)18)
#endif

/* The parts of CUgraphNodeParams that we read. */
struct graph_node_params {
	CUgraphNodeType type;
	int reserved[3];
	union {
		struct {
			CUfunction func;
			unsigned int gridDimX, gridDimY, gridDimZ;
			unsigned int blockDimX, blockDimY, blockDimZ;
			unsigned int sharedMemBytes;
			void **kernelParams;
			void **extra;
			CUkernel kern;
		} kernel;
		struct {
			CUgraph graph;
		} graph;
		struct {
			CUgraphConditionalHandle handle;
			int type;
			unsigned int size;
			CUgraph *phGraph_out;
		} conditional;
	};
};
#if CUDA_VERSION >= 12030
#define SAME_PLACE(member)                                          \
	static_assert(offsetof(struct graph_node_params, member) == \
			      offsetof(CUgraphNodeParams, member),  \
		      #member " is where the driver has it")
SAME_PLACE(kernel.func);
SAME_PLACE(kernel.sharedMemBytes);
SAME_PLACE(kernel.kern);
SAME_PLACE(graph.graph);
SAME_PLACE(conditional.size);
SAME_PLACE(conditional.phGraph_out);
#undef SAME_PLACE
#endif

#undef LATER_STRUCT
#undef LATER_HANDLE
#undef LATER_ENUM
#undef LATER_FUNCTION

#endif
