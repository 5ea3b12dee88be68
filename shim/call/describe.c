/*
 * describe.c - one reader for each shape of arguments. It reads only what the driver will read.
 */
#include "call/describe.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/hot.h"
#include "record/driver/driver.h"
#include "record/streams/contexts.h"
#include "record/streams/events.h"
#include "record/thread.h"

READ_MOSTLY __attribute__((aligned(64))) bool describe_is_blocking;

void describe_start(bool are_launches_blocking)
{
	describe_is_blocking = are_launches_blocking;
}

CUstream describe_stream(const struct call *call)
{
	int offset = driver_calls[call->id].stream_offset;
	CUstream stream = NULL;
	if (call_family(call) == CALL_cuLaunchKernelEx) {
		const CUlaunchConfig *config = CALL_ARGUMENTS(call, cuLaunchKernelEx)->config;
		return config ? config->hStream : NULL;
	}
	if (offset != NO_STREAM_ARGUMENT)
		memcpy(&stream, (const char *)call->args + offset, sizeof(stream));
	return stream;
}

#define SHAPE_SIZE (LAUNCH_SHAPE * sizeof(unsigned int))

/* True if grid, block and shared memory are laid out as in a record. */
#define IS_SHAPE(type)                                            \
	(offsetof(type, sharedMemBytes) + sizeof(unsigned int) == \
		 offsetof(type, gridDimX) + SHAPE_SIZE &&         \
	 offsetof(type, blockDimX) == offsetof(type, gridDimX) + 3 * sizeof(unsigned int))
static_assert(IS_SHAPE(struct args_cuLaunchKernel), "read as one array");
static_assert(IS_SHAPE(struct args_cuLaunchCooperativeKernel), "read as one array");
static_assert(IS_SHAPE(CUlaunchConfig), "read as one array");

/* Forget an event that the launch itself records, at its start or end: it marks no submission. */
static COLD void forget_event(CUevent event)
{
	if (event)
		events_forgotten(event);
}

static void describe_attribute(const CUlaunchAttribute *attribute, struct launch *launch)
{
	const CUlaunchAttributeValue *value = &attribute->value;
	switch ((int)attribute->id) {
	case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
		launch->flags |= value->cooperative ? RECORD_COOPERATIVE : 0;
		break;
	case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
		launch->cluster = (uint64_t)(uint16_t)value->clusterDim.x |
				  (uint64_t)(uint16_t)value->clusterDim.y << 16 |
				  (uint64_t)(uint16_t)value->clusterDim.z << 32;
		break;
	case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
		launch->flags |=
			value->programmaticStreamSerializationAllowed ? RECORD_OVERLAPS : 0;
		break;
	case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
	case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
		/* Both values start with the event; cuda.h names the second only since 12.3. */
		forget_event(value->programmaticEvent.event);
		break;
	default:
		break;
	}
}

static void describe_launch_ex(const struct args_cuLaunchKernelEx *args,
			       struct args_cuLaunchKernel *out, struct launch *launch)
{
	const CUlaunchConfig *config = args->config;
	out->f = args->f;
	out->kernelParams = args->kernelParams;
	out->extra = args->extra;
	if (!config)
		return;
	out->hStream = config->hStream;
	memcpy(&out->gridDimX, &config->gridDimX, SHAPE_SIZE);
	for (unsigned int i = 0; config->attrs && i < config->numAttrs; i++)
		describe_attribute(&config->attrs[i], launch);
}

static void describe_cooperative(const struct args_cuLaunchCooperativeKernel *args,
				 struct args_cuLaunchKernel *out)
{
	out->f = args->f;
	out->kernelParams = args->kernelParams;
	memcpy(&out->gridDimX, &args->gridDimX, SHAPE_SIZE);
}

/* Launches from before CUDA 4: separate calls set the block and the arguments. */
static void describe_old_grid(CUfunction function, int width, int height,
			      struct args_cuLaunchKernel *out)
{
	out->f = function;
	out->gridDimX = (unsigned int)width;
	out->gridDimY = (unsigned int)height;
	out->gridDimZ = 1;
}

/* Launch calls that today's programs do not use. */
static COLD void describe_rare_launch(const struct call *call, struct args_cuLaunchKernel *out,
				      struct launch *launch)
{
	out->hStream = describe_stream(call);
	switch (call_family(call)) {
	case CALL_cuLaunchCooperativeKernel:
		describe_cooperative(CALL_ARGUMENTS(call, cuLaunchCooperativeKernel), out);
		launch->flags |= RECORD_COOPERATIVE;
		break;
	case CALL_cuLaunch:
		describe_old_grid(CALL_ARGUMENTS(call, cuLaunch)->f, 1, 1, out);
		break;
	case CALL_cuLaunchGrid:
		describe_old_grid(CALL_ARGUMENTS(call, cuLaunchGrid)->f,
				  CALL_ARGUMENTS(call, cuLaunchGrid)->grid_width,
				  CALL_ARGUMENTS(call, cuLaunchGrid)->grid_height, out);
		break;
	case CALL_cuLaunchGridAsync:
		describe_old_grid(CALL_ARGUMENTS(call, cuLaunchGridAsync)->f,
				  CALL_ARGUMENTS(call, cuLaunchGridAsync)->grid_width,
				  CALL_ARGUMENTS(call, cuLaunchGridAsync)->grid_height, out);
		break;
	default:
		/* cuLaunchCooperativeKernelMultiDevice: several streams at once. */
		launch->flags |= RECORD_UNORDERED | RECORD_COOPERATIVE;
		break;
	}
}

HOT __attribute__((noinline)) void describe_other_launch(const struct call *call,
							 struct launch *out)
{
	struct args_cuLaunchKernel *args = &call->thread->launch;
	*args = (struct args_cuLaunchKernel){0};
	*out = (struct launch){.args = args, .flags = describe_flags()};
	if (call_family(call) == CALL_cuLaunchKernelEx)
		describe_launch_ex(CALL_ARGUMENTS(call, cuLaunchKernelEx), args, out);
	else
		describe_rare_launch(call, args, out);
}

/* An argument's offset and width. */
struct argument_place {
	uint16_t offset, size;
};

static const struct memory_shape {
	enum driver_call family;
	struct argument_place destination, source, count; /* size 0: the value 1 */
	uint32_t unit;
} shapes[] = {
#define PLACE(name, member)                                                                     \
	{                                                                                       \
		offsetof(struct args_##name, member), sizeof(((struct args_##name *)0)->member) \
	}
#define MEMSET(name, to, value, count, unit) \
	{CALL_##name, PLACE(name, to), PLACE(name, value), PLACE(name, count), unit},
#define COPY(name, to, from, bytes) MEMSET(name, to, from, bytes, 1)
#define MEMOP(name, at, value, bytes) \
	{CALL_##name, PLACE(name, at), PLACE(name, value), {0, 0}, bytes},
#include "call/memory_shapes.def"
#undef MEMOP
#undef COPY
#undef MEMSET
#undef PLACE
};

/* x86-64 is little-endian: a narrow argument is the low end of the wide value. */
static uint64_t read_argument(const struct call *call, struct argument_place place)
{
	uint64_t value = 0;
	memcpy(&value, (const char *)call->args + place.offset, place.size);
	return value;
}

static void describe_memory(const struct call *call, struct journal_record *record)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		const struct memory_shape *shape = &shapes[i];
		if (shape->family != call_family(call))
			continue;
		record->memory.destination = read_argument(call, shape->destination);
		record->memory.source = read_argument(call, shape->source);
		record->memory.bytes =
			(shape->count.size ? read_argument(call, shape->count) : 1) * shape->unit;
	}
}

/* True if the current context owns the memory. Otherwise the copy may wait for another's work. */
static bool is_own_memory(CUdeviceptr address)
{
	CUcontext current = NULL;
	CUcontext owner = NULL;
	return real.cuCtxGetCurrent(&current) == CUDA_SUCCESS &&
	       real.cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, address) ==
		       CUDA_SUCCESS &&
	       owner == current;
}

/*
 * True for copies that return only when their bytes have arrived; other copies without a stream may
 * return earlier. The context whose work they wait for is unknown for arrays, and for memory is
 * asked only if there are several contexts.
 */
static bool is_synchronous(const struct call *call)
{
	bool are_several = contexts_are_several();
	if (call_family(call) == CALL_cuMemcpyAtoH_v2)
		return !are_several;
	return call_family(call) == CALL_cuMemcpyDtoH_v2 &&
	       (!are_several || is_own_memory(CALL_ARGUMENTS(call, cuMemcpyDtoH_v2)->srcDevice));
}

void describe_submission(const struct call *call, struct journal_record *record)
{
	switch (driver_calls[call->id].role) {
	case ROLE_GRAPH_LAUNCH:
		record->work = WORK_GRAPH;
		record->graph.handle = (uintptr_t)CALL_ARGUMENTS(call, cuGraphLaunch)->hGraph;
		break;
	case ROLE_COPY:
	case ROLE_MEMSET:
		record->work = driver_calls[call->id].role == ROLE_COPY ? WORK_COPY : WORK_MEMSET;
		record->flags |= is_synchronous(call) ? RECORD_SYNCHRONOUS : 0;
		describe_memory(call, record);
		break;
	case ROLE_HOST_FUNC:
		record->work = WORK_HOST_FUNC;
		break;
	default:
		record->work = WORK_MEMOP;
		describe_memory(call, record);
		break;
	}
}
