/*
 * describe.c - one reader for each shape of arguments. Reads only what the driver is about to read.
 */
#include "describe.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "contexts.h"
#include "driver.h"
#include "hot.h"

#define ARGUMENTS(call, name) ((const struct args_##name *)(call)->args)

static READ_MOSTLY bool is_launch_blocking; /* written at start only */

void describe_start(void)
{
	const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
	is_launch_blocking = blocking && strcmp(blocking, "0") != 0;
}

bool describe_is_launch_blocking(void)
{
	return is_launch_blocking;
}

static enum driver_call family_of(const struct call *call)
{
	return driver_calls[call->id].family;
}

HOT CUstream describe_stream(const struct call *call)
{
	int offset = driver_calls[call->id].stream_offset;
	CUstream stream = NULL;
	if (family_of(call) == CALL_cuLaunchKernelEx) {
		const CUlaunchConfig *config = ARGUMENTS(call, cuLaunchKernelEx)->config;
		return config ? config->hStream : NULL;
	}
	if (offset != NO_STREAM_ARGUMENT)
		memcpy(&stream, (const char *)call->args + offset, sizeof(stream));
	return stream;
}

static void set_dimensions(struct record_launch *launch, const unsigned int grid[3],
			   const unsigned int block[3], unsigned int shared_bytes)
{
	memcpy(launch->grid, grid, sizeof(launch->grid));
	memcpy(launch->block, block, sizeof(launch->block));
	launch->shared_bytes = shared_bytes;
}

static void describe_attribute(const CUlaunchAttribute *attribute, struct journal_record *record,
			       struct launch *launch)
{
	const CUlaunchAttributeValue *value = &attribute->value;
	switch (attribute->id) {
	case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
		record->flags |= value->cooperative ? RECORD_COOPERATIVE : 0;
		break;
	case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
		record->launch.cluster[0] = (uint16_t)value->clusterDim.x;
		record->launch.cluster[1] = (uint16_t)value->clusterDim.y;
		record->launch.cluster[2] = (uint16_t)value->clusterDim.z;
		break;
	case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
		record->flags |=
			value->programmaticStreamSerializationAllowed ? RECORD_OVERLAPS : 0;
		break;
	case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
		launch->events[0] = value->programmaticEvent.event;
		break;
	case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
		launch->events[1] = value->launchCompletionEvent.event;
		break;
	default:
		break;
	}
}

static void describe_launch_ex(const struct args_cuLaunchKernelEx *args,
			       struct journal_record *record, struct launch *launch)
{
	const CUlaunchConfig *config = args->config;
	*launch = (struct launch){
		.function = args->f, .parameters = args->kernelParams, .extra = args->extra};
	if (!config)
		return;
	const unsigned int grid[3] = {config->gridDimX, config->gridDimY, config->gridDimZ};
	const unsigned int block[3] = {config->blockDimX, config->blockDimY, config->blockDimZ};
	set_dimensions(&record->launch, grid, block, config->sharedMemBytes);
	for (unsigned int i = 0; config->attrs && i < config->numAttrs; i++)
		describe_attribute(&config->attrs[i], record, launch);
}

static void describe_launch_kernel(const struct args_cuLaunchKernel *args,
				   struct journal_record *record, struct launch *launch)
{
	const unsigned int grid[3] = {args->gridDimX, args->gridDimY, args->gridDimZ};
	const unsigned int block[3] = {args->blockDimX, args->blockDimY, args->blockDimZ};
	*launch = (struct launch){
		.function = args->f, .parameters = args->kernelParams, .extra = args->extra};
	set_dimensions(&record->launch, grid, block, args->sharedMemBytes);
}

static void describe_cooperative(const struct args_cuLaunchCooperativeKernel *args,
				 struct journal_record *record, struct launch *launch)
{
	const unsigned int grid[3] = {args->gridDimX, args->gridDimY, args->gridDimZ};
	const unsigned int block[3] = {args->blockDimX, args->blockDimY, args->blockDimZ};
	*launch = (struct launch){.function = args->f, .parameters = args->kernelParams};
	set_dimensions(&record->launch, grid, block, args->sharedMemBytes);
	record->flags |= RECORD_COOPERATIVE;
}

/* The launches of before CUDA 4: block and arguments were set by calls of their own. */
static void describe_old_grid(CUfunction function, int width, int height,
			      struct journal_record *record, struct launch *launch)
{
	*launch = (struct launch){.function = function};
	record->launch.grid[0] = (uint32_t)width;
	record->launch.grid[1] = (uint32_t)height;
	record->launch.grid[2] = 1;
}

static HOT void describe_launch(const struct call *call, struct journal_record *record,
				struct launch *launch)
{
	record->work = WORK_KERNEL;
	record->flags |= is_launch_blocking ? RECORD_SYNCHRONOUS : 0;
	switch (family_of(call)) {
	case CALL_cuLaunchKernel:
		describe_launch_kernel(ARGUMENTS(call, cuLaunchKernel), record, launch);
		break;
	case CALL_cuLaunchKernelEx:
		describe_launch_ex(ARGUMENTS(call, cuLaunchKernelEx), record, launch);
		break;
	case CALL_cuLaunchCooperativeKernel:
		describe_cooperative(ARGUMENTS(call, cuLaunchCooperativeKernel), record, launch);
		break;
	case CALL_cuLaunch:
		describe_old_grid(ARGUMENTS(call, cuLaunch)->f, 1, 1, record, launch);
		break;
	case CALL_cuLaunchGrid:
		describe_old_grid(ARGUMENTS(call, cuLaunchGrid)->f,
				  ARGUMENTS(call, cuLaunchGrid)->grid_width,
				  ARGUMENTS(call, cuLaunchGrid)->grid_height, record, launch);
		break;
	case CALL_cuLaunchGridAsync:
		describe_old_grid(ARGUMENTS(call, cuLaunchGridAsync)->f,
				  ARGUMENTS(call, cuLaunchGridAsync)->grid_width,
				  ARGUMENTS(call, cuLaunchGridAsync)->grid_height, record, launch);
		break;
	default:
		/* cuLaunchCooperativeKernelMultiDevice: several streams at once. */
		record->flags |= RECORD_UNORDERED | RECORD_COOPERATIVE;
		break;
	}
}

/* Where an argument lies, and how wide it is. */
struct argument_place {
	uint16_t offset, size;
};

static const struct memory_shape {
	enum driver_call family;
	struct argument_place destination, source, count;
	uint32_t unit;
} shapes[] = {
#define PLACE(name, member)                                                                     \
	{                                                                                       \
		offsetof(struct args_##name, member), sizeof(((struct args_##name *)0)->member) \
	}
#define MEMSET(name, to, value, count, unit) \
	{CALL_##name, PLACE(name, to), PLACE(name, value), PLACE(name, count), unit},
#define COPY(name, to, from, bytes) MEMSET(name, to, from, bytes, 1)
#include "memory_shapes.def"
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
		if (shape->family != family_of(call))
			continue;
		record->memory.destination = read_argument(call, shape->destination);
		record->memory.source = read_argument(call, shape->source);
		record->memory.bytes = read_argument(call, shape->count) * shape->unit;
	}
}

/* Is it the current context's memory? Else the copy may be another one's, and wait for its work. */
static bool is_own_memory(CUdeviceptr address)
{
	CUcontext current = NULL, owner = NULL;
	return real.cuCtxGetCurrent(&current) == CUDA_SUCCESS &&
	       real.cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, address) ==
		       CUDA_SUCCESS &&
	       owner == current;
}

/*
 * These return only when their bytes are there; other copies without a stream need not. Whose work
 * they wait for is not told of arrays, and of memory where nobody else can have any.
 */
static bool is_synchronous(const struct call *call)
{
	bool are_several = contexts_are_several();
	if (family_of(call) == CALL_cuMemcpyAtoH_v2)
		return !are_several;
	return family_of(call) == CALL_cuMemcpyDtoH_v2 &&
	       (!are_several || is_own_memory(ARGUMENTS(call, cuMemcpyDtoH_v2)->srcDevice));
}

HOT void describe_submission(const struct call *call, struct journal_record *record,
			     struct launch *out_launch)
{
	*out_launch = (struct launch){0};
	switch (driver_calls[call->id].role) {
	case ROLE_LAUNCH:
		describe_launch(call, record, out_launch);
		break;
	case ROLE_GRAPH_LAUNCH:
		record->work = WORK_GRAPH;
		record->graph.handle = (uintptr_t)ARGUMENTS(call, cuGraphLaunch)->hGraph;
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
		break;
	}
}
