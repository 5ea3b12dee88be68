/*
 * entry_points.c - the exported wrapper of every driver entry point. There is one body for calls
 * that matter only when they fail, and one for calls that the pipeline records. Wrappers with a
 * body of their own (role hook) are in driver_hooks.c.
 */
#include "entry/entry.h"

#include <stddef.h>

#include "arch/frame.h"
#include "base/hot.h"
#include "call/call.h"
#include "call/call_scope.h"
#include "failure/doubt.h"
#include "record/driver/driver.h"

static COLD CUresult doubt_passed(enum driver_call id, CUresult returned, void *frame)
{
	if (returned == CUDA_SUCCESS && !call_is_doubted(id))
		return CUDA_SUCCESS;
	return call_scope_failed(id, returned, frame);
}

/*
 * Fits one line of code: PyTorch asks for the current device a dozen times a launch. FRAME_HERE()
 * is only needed after an error, and before the driver's call it would take a register.
 */
#define PASSED(name, params, args)                                               \
	EXPORT CUresult CUDAAPI name params                                      \
	{                                                                        \
		CUresult returned_ = real.name args;                             \
		if (LIKELY(returned_ == CUDA_SUCCESS) && LIKELY(!doubt_is_on())) \
			return CUDA_SUCCESS;                                     \
		return doubt_passed(CALL_##name, returned_, FRAME_HERE());       \
	}

#define UNPACK(...) __VA_ARGS__

#define RECORDED(name, params, args)                                                           \
	EXPORT CUresult CUDAAPI name params                                                    \
	{                                                                                      \
		struct args_##name arguments_ = {UNPACK args};                                 \
		struct call call_;                                                             \
		bool is_entered_ = call_enter(&call_, CALL_##name, &arguments_, FRAME_HERE()); \
		CUresult result_ = real.name args;                                             \
		return is_entered_ ? call_leave(&call_, result_) : result_;                    \
	}

/* List members of arguments_ by their names. */
#define READ_1(a)                                             arguments_.a
#define READ_2(a, ...)                                        READ_1(a), READ_1(__VA_ARGS__)
#define READ_3(a, ...)                                        READ_1(a), READ_2(__VA_ARGS__)
#define READ_4(a, ...)                                        READ_1(a), READ_3(__VA_ARGS__)
#define READ_5(a, ...)                                        READ_1(a), READ_4(__VA_ARGS__)
#define READ_6(a, ...)                                        READ_1(a), READ_5(__VA_ARGS__)
#define READ_7(a, ...)                                        READ_1(a), READ_6(__VA_ARGS__)
#define READ_8(a, ...)                                        READ_1(a), READ_7(__VA_ARGS__)
#define READ_9(a, ...)                                        READ_1(a), READ_8(__VA_ARGS__)
#define READ_10(a, ...)                                       READ_1(a), READ_9(__VA_ARGS__)
#define READ_11(a, ...)                                       READ_1(a), READ_10(__VA_ARGS__)
#define PICK_12(a, b, c, d, e, f, g, h, i, j, k, picked, ...) picked
#define READ(...)                                                                              \
	PICK_12(__VA_ARGS__, READ_11, READ_10, READ_9, READ_8, READ_7, READ_6, READ_5, READ_4, \
		READ_3, READ_2, READ_1, )                                                      \
	(__VA_ARGS__)

/*
 * A launch has many arguments. Read them back from arguments_ in the only call of the driver:
 * separate copies would cost a register or a slot in the frame each.
 */
#define LAUNCHED(name, params, args)                                                             \
	EXPORT HOT CUresult CUDAAPI name params                                                  \
	{                                                                                        \
		struct args_##name arguments_ = {UNPACK args};                                   \
		struct call call_;                                                               \
		bool is_entered_ = launch_enter(&call_, CALL_##name, &arguments_, FRAME_HERE()); \
		CUresult result_ = real.name(READ args);                                         \
		return LIKELY(is_entered_) ? launch_leave(&call_, result_) : result_;            \
	}

#define BY_HAND(name, params, args)

#define BODY_PLAIN        PASSED
#define BODY_HOOK         BY_HAND
#define BODY_LAUNCH       LAUNCHED
#define BODY_GRAPH_LAUNCH RECORDED
#define BODY_COPY         RECORDED
#define BODY_MEMSET       RECORDED
#define BODY_MEMOP        RECORDED
#define BODY_HOST_FUNC    RECORDED
#define BODY_EVENT_RECORD RECORDED
#define BODY_EVENT_WAIT   RECORDED
#define BODY_SYNC         RECORDED
#define BODY_QUERY        RECORDED
#define BODY_ALLOC        RECORDED
#define BODY_FREE         RECORDED
#define BODY_CREATE       RECORDED
#define BODY_CLEANUP      RECORDED
#define BODY_CONTEXT      RECORDED
#define BODY_CAPTURE      RECORDED
#define BODY_GRAPH        RECORDED
#define BODY_GRAPH_EVENT  RECORDED
#define BODY_MODULE       RECORDED
#define BODY_LOOKUP       RECORDED
#define BODY_LOG          RECORDED

#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, args, ...) \
	BODY_##role(name, params, args)
#include "base/driver_calls.def"
#undef DRIVER_CALL

const void *const entry_points[N_DRIVER_CALLS] = {
#define DRIVER_CALL(name, ...) [CALL_##name] = (const void *)name,
#include "base/driver_calls.def"
#undef DRIVER_CALL
};

const void *entry_point_for(const void *address)
{
	int call = driver_call_at(address);
	return call < 0 ? NULL : entry_points[call];
}
