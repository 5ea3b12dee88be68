/*
 * refusal.c - asks for the limits of a kernel and its device, and says which one a launch broke.
 */
#include "call/refusal.h"

#include <sys/mman.h>

#include "base/hot.h"
#include "call/describe.h"
#include "failure/live_symbols.h"
#include "record/driver/driver.h"
#include "record/driver/environment.h"
#include "record/host/handle_map.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "record/thread.h"
#include "verdict/launch/launch_limits.h"
#include "verdict/report/report_names.h"
#include "verdict/report/report_stack.h"

enum { MAX_ASKED = 64, LINE_SIZE = 1024, REASON_SIZE = 512, MAX_FRAMES = 2 };

static bool is_silent;           /* written at start only */
static struct handle_map places; /* that were looked at: stacks and results */
static uint32_t n_asked;         /* atomic */

void refusal_start(void)
{
	is_silent = environment_has_observer();
}

static int64_t of_device(CUdevice_attribute attribute)
{
	CUdevice device;
	int value;
	if (real.cuCtxGetDevice(&device) != CUDA_SUCCESS ||
	    real.cuDeviceGetAttribute(&value, attribute, device) != CUDA_SUCCESS)
		return -1;
	return value;
}

/* The handle may be that of a kernel of a library, which has a call of its own. */
static int64_t of_function(CUfunction function, CUfunction_attribute attribute)
{
	CUdevice device;
	int value;
	if (real.cuFuncGetAttribute(&value, attribute, function) == CUDA_SUCCESS)
		return value;
	if (real.cuCtxGetDevice(&device) == CUDA_SUCCESS &&
	    real.cuKernelGetAttribute(&value, attribute, (CUkernel)function, device) ==
		    CUDA_SUCCESS)
		return value;
	return -1;
}

static int64_t resident_blocks(CUfunction function, const struct launch_shape *shape)
{
	uint64_t threads = (uint64_t)shape->block[0] * shape->block[1] * shape->block[2];
	int n;
	if (!shape->is_cooperative || threads > INT16_MAX ||
	    real.cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, function, (int)threads,
							     shape->shared_bytes) != CUDA_SUCCESS)
		return -1;
	return n;
}

static struct launch_limits limits_of(CUfunction function, const struct launch_shape *shape)
{
	return (struct launch_limits){
		.block = {of_device(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
			  of_device(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
			  of_device(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)},
		.grid = {of_device(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
			 of_device(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
			 of_device(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)},
		.threads = of_device(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
		.registers = of_device(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
		.shared_optin = of_device(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
		.multiprocessors = of_device(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
		.has_clusters = of_device(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH),
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
	struct journal_record record = {.kind = RECORD_SUBMISSION};
	struct launch launch = {0};
	describe_launch(call, &record, &launch);
	*out_function = launch.function;
	*out = (struct launch_shape){.shared_bytes = record.launch.shared_bytes,
				     .is_cooperative = record.flags & RECORD_COOPERATIVE};
	for (int i = 0; i < 3; i++) {
		out->grid[i] = record.launch.grid[i];
		out->block[i] = record.launch.block[i];
		out->cluster[i] = record.launch.cluster[i];
	}
	return launch.function;
}

/*
 * Asked once for each place, and not without end: programs that try what works are refused over and
 * over again.
 */
static bool is_new(const struct journal_record *record, CUresult result)
{
	uint64_t place = (uint64_t)record->stack << 16 | (uint16_t)result;
	uint64_t known;
	if (__atomic_load_n(&n_asked, __ATOMIC_RELAXED) >= MAX_ASKED ||
	    handle_map_get(&places, place, &known) || !handle_map_put(&places, place, 1))
		return false;
	return __atomic_fetch_add(&n_asked, 1, __ATOMIC_RELAXED) < MAX_ASKED;
}

static void add_place(const struct journal_record *record, struct text *out)
{
	struct bundle_view *view = mmap(NULL, sizeof(*view), PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (view == MAP_FAILED) {
		text_add(out, "a kernel");
		return;
	}
	bundle_view_live(view);
	const struct report report = {.view = view, .symbols = &live_symbols};
	report_work_name(&report, record, true, out);
	text_add(out, " from ");
	report_stack(&report, record->stack, MAX_FRAMES, out);
	(void)munmap(view, sizeof(*view));
}

COLD void refusal_explain(const struct call *call, CUresult result)
{
	const struct journal_record record = *call->row;
	char line[LINE_SIZE + REASON_SIZE + sizeof(": \n")], why[REASON_SIZE];
	struct text text = text_in(line, LINE_SIZE), reason = text_in(why, sizeof(why));
	struct launch_shape shape;
	CUfunction function;
	/* Of a function that is not known the driver must not be asked. */
	if (is_silent || !record.launch.function || !launch_has_rule((int32_t)result) ||
	    !is_new(&record, result) || !read_shape(call, &shape, &function))
		return;
	struct launch_limits limits = limits_of(function, &shape);
	if (!launch_explain(&shape, &limits, (int32_t)result, &reason))
		return;
	text_addf(&text, "culprit: launch refused (%d): ", (int)result);
	add_place(&record, &text);
	/* Of a long place a part will do, but never of the reason. */
	text.end = line + sizeof(line);
	text_addf(&text, ": %s\n", why);
	warning_write_lines(line, (size_t)(text.at - line));
}
