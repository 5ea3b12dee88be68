/*
 * sticky_calls.c - by role, and by name where calls of a role differ.
 */
#include "sticky_calls.h"

/* Virtual memory, pools and memory of other processes: they go on to succeed, or nobody knows. */
static bool is_exception(enum driver_call family)
{
	switch (family) {
	case CALL_cuMemMap:
	case CALL_cuMemUnmap:
	case CALL_cuMemCreate:
	case CALL_cuMemAddressReserve:
	case CALL_cuMemPoolCreate:
	case CALL_cuMemPoolImportPointer:
	case CALL_cuMulticastCreate:
	case CALL_cuUserObjectCreate:
	case CALL_cuLinkCreate_v2:
	case CALL_cuIpcCloseMemHandle:
	case CALL_cuStreamUpdateCaptureDependencies:
	case CALL_cuStreamUpdateCaptureDependencies_v2:
		return true;
	default:
		return false;
	}
}

/* Of the roles in which most calls go on to succeed. */
static bool is_one_that_reports(enum driver_call family)
{
	switch (family) {
	case CALL_cuMemGetInfo:
	case CALL_cuMemGetInfo_v2:
	case CALL_cuModuleGetFunction:
	case CALL_cuModuleGetGlobal:
	case CALL_cuModuleGetGlobal_v2:
	case CALL_cuKernelGetFunction:
	case CALL_cuArrayDestroy:
	case CALL_cuMipmappedArrayDestroy:
	case CALL_cuEventDestroy:
	case CALL_cuEventDestroy_v2:
	case CALL_cuStreamDestroy:
	case CALL_cuStreamDestroy_v2:
	case CALL_cuCtxCreate:
	case CALL_cuCtxCreate_v2:
	case CALL_cuCtxCreate_v3:
	case CALL_cuCtxCreate_v4:
	case CALL_cuDevicePrimaryCtxRetain:
		return true;
	default:
		return false;
	}
}

bool reports_sticky_error(enum driver_call id)
{
	enum driver_call family = driver_calls[id].family;
	switch (driver_calls[id].role) {
	case ROLE_LAUNCH:
	case ROLE_GRAPH_LAUNCH:
	case ROLE_COPY:
	case ROLE_MEMSET:
	case ROLE_MEMOP:
	case ROLE_HOST_FUNC:
	case ROLE_EVENT_RECORD:
	case ROLE_EVENT_WAIT:
	case ROLE_SYNC:
	case ROLE_QUERY:
	case ROLE_ALLOC:
	case ROLE_FREE:
	case ROLE_CREATE:
	case ROLE_MODULE:
	case ROLE_CAPTURE:
		return !is_exception(family);
	default:
		return is_one_that_reports(family);
	}
}

bool tells_health(enum driver_call id)
{
	switch (driver_calls[id].role) {
	case ROLE_SYNC:
	case ROLE_QUERY:
	case ROLE_COPY:
	case ROLE_ALLOC:
		return true;
	default:
		return false;
	}
}
