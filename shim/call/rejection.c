/*
 * rejection.c - asks for the limits of a kernel and its device, and says which one a launch broke.
 */
#include "call/call_parts.h"

#include "base/hot.h"
#include "call/describe.h"
#include "record/driver/driver.h"
#include "record/host/grace_period.h"
#include "record/objects/functions.h"
#include "record/objects/images.h"
#include "record/stacks/stack.h"
#include "record/thread.h"
#include "rejection/launch_limits.h"
#include "rejection/rejected_image.h"
#include "report/report_names.h"

enum { REASON_SIZE = 512 };

/* The handle may be that of a kernel of a library, which has a call of its own. */
static int64_t of_function(CUfunction function, CUfunction_attribute attribute)
{
	int value = 0;
	if (real.cuFuncGetAttribute(&value, attribute, function) == CUDA_SUCCESS)
		return value;
	CUdevice device = 0;
	if (real.cuCtxGetDevice(&device) == CUDA_SUCCESS &&
	    real.cuKernelGetAttribute(&value, attribute, (CUkernel)function, device) ==
		    CUDA_SUCCESS)
		return value;
	return -1;
}

static int64_t resident_blocks(CUfunction function, const struct launch_shape *shape)
{
	uint64_t threads = (uint64_t)shape->block[0] * shape->block[1] * shape->block[2];
	int n = 0;
	if (!shape->is_cooperative || threads > INT16_MAX ||
	    real.cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, function, (int)threads,
							     shape->shared_bytes) != CUDA_SUCCESS)
		return -1;
	return n;
}

static struct launch_limits limits_of(CUfunction function, const struct launch_shape *shape)
{
	return (struct launch_limits){
		.block = {driver_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
			  driver_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
			  driver_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)},
		.grid = {driver_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
			 driver_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
			 driver_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)},
		.threads = driver_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
		.registers = driver_device_attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
		.shared_optin = driver_device_attribute(
			CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
		.multiprocessors =
			driver_device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
		.has_clusters = driver_device_attribute(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH),
		.function_threads = of_function(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
		.function_registers = of_function(function, CU_FUNC_ATTRIBUTE_NUM_REGS),
		.function_static = of_function(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
		.function_dynamic =
			of_function(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES),
		.function_any_cluster =
			of_function(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED),
		.resident_blocks = resident_blocks(function, shape),
	};
}

/* A shape that the record has, but for its cluster, which may not fit there. */
static bool read_shape(const struct call *call, struct launch_shape *out, CUfunction *out_function)
{
	struct launch launch = describe_launch(call);
	const unsigned int *shape = &launch.args->gridDimX;
	*out_function = launch.args->f;
	*out = (struct launch_shape){.shared_bytes = launch.args->sharedMemBytes,
				     .is_cooperative = launch.flags & RECORD_COOPERATIVE};
	for (int i = 0; i < 3; i++) {
		out->grid[i] = shape[i];
		out->block[i] = shape[3 + i];
		out->cluster[i] = (uint16_t)(launch.cluster >> 16 * i);
	}
	return launch.args->f;
}

COLD struct rejected_call rejection_of(const struct call *call, CUresult result)
{
	return (struct rejected_call){.id = call->id,
				      .result = result,
				      .stack = stack_capture(&call->thread->stacks, call->frame)};
}

/* A kernel whose library's image the driver looked into no sooner than now. */
static void explain_image(const struct call *call, const struct rejected_call *rejected)
{
	CUfunction function = NULL;
	struct launch_shape shape;
	if (!read_shape(call, &shape, &function))
		return;
	uint16_t image = images_of(NULL, function);
	rejected_image_known(rejected, image);
	images_drop(image);
}

/* False: it must not be asked, or has been at this place. */
static bool ask_limits(const struct call *call, const struct rejected_call *rejected,
		       struct launch_shape *out_shape, struct launch_limits *out_limits)
{
	CUfunction function = NULL;
	if (!read_shape(call, out_shape, &function) || !functions_begin_question(function))
		return false;
	bool is_new = rejected_line_is_new(rejected);
	if (is_new)
		*out_limits = limits_of(function, out_shape);
	functions_end_question(function);
	return is_new;
}

static void explain_launch(const struct call *call, const struct journal_record *record,
			   const struct rejected_call *rejected)
{
	char why[REASON_SIZE];
	struct text reason = text_in(why, sizeof(why));
	grace_come(&call->thread->coming);
	struct launch_shape shape;
	struct launch_limits limits;
	bool is_asked = ask_limits(call, rejected, &shape, &limits);
	grace_arrive(&call->thread->coming);
	const char *rule =
		is_asked ? launch_explain(&shape, &limits, (int32_t)rejected->result, &reason)
			 : NULL;
	struct rejected_line *line = rule ? rejected_line_begin(REJECTED_LAUNCH, rejected) : NULL;
	if (!line)
		return;
	report_work_name(&line->report, record, true, &line->text);
	rejected_line_add_location(line);
	text_add(&line->text, why);
	rejected_line_end(line, rule);
}

COLD void rejection_explain(const struct call *call, CUresult result)
{
	const struct journal_record record = *call->row;
	const struct rejected_call rejected = {
		.id = call->id, .result = result, .stack = record.stack};
	if (rejected_image_has_rule(result))
		explain_image(call, &rejected);
	/* Do not query the driver about a function that is not known. */
	if (record.launch.function && launch_has_rule((int32_t)result))
		explain_launch(call, &record, &rejected);
}
