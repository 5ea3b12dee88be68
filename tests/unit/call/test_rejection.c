/*
 * test_rejection.c - what a refused launch is explained with: the driver's answers about its kernel
 * and device, in which order they are asked for, and when not at all.
 */
#include "call/call_parts.h"

#include "call/describe.h"
#include "record/driver/driver.h"
#include "record/objects/images.h"
#include "record/stacks/stack.h"
#include "rejection/launch_limits.h"
#include "rejection/rejected_image.h"
#include "report/report_names.h"
#include "support/check.h"

enum { KERNEL = 0x10, IMAGE = 5, STACK = 60 };
#define RESULT CUDA_ERROR_INVALID_VALUE

struct driver real;
bool describe_is_blocking;

static struct thread thread;
static struct rejected_line line;
static struct journal_record row = {.stack = STACK, .launch = {.function = 9}};
static const struct args_cuLaunchKernel args = {.f = (CUfunction)KERNEL,
						.gridDimX = 11,
						.gridDimY = 12,
						.gridDimZ = 13,
						.blockDimX = 128,
						.blockDimY = 16,
						.blockDimZ = 4,
						.sharedMemBytes = 17};
static struct launch other;
static struct launch_shape shape;
static struct launch_limits limits;
static const char *rule;
static bool is_function, is_current, is_kernel, is_occupied; /* what the driver answers */
static bool is_held, is_new, has_line, has_image_rule, has_launch_rule;

static CUresult CUDAAPI function_attribute(int *out, CUfunction_attribute attribute, CUfunction of)
{
	CHECK((uintptr_t)of == KERNEL);
	trace_add("function %d\n", attribute);
	*out = 100 + (int)attribute;
	return is_function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult CUDAAPI current_device(CUdevice *out)
{
	*out = 3;
	return is_current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult CUDAAPI kernel_attribute(int *out, CUfunction_attribute attribute, CUkernel of,
					 CUdevice device)
{
	CHECK((uintptr_t)of == KERNEL && device == 3);
	*out = 200 + (int)attribute;
	return is_kernel ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult CUDAAPI occupancy(int *out, CUfunction of, int threads, size_t bytes)
{
	CHECK((uintptr_t)of == KERNEL);
	trace_add("%d threads and %zu bytes\n", threads, bytes);
	*out = 77;
	return is_occupied ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

int driver_device_attribute(CUdevice_attribute attribute)
{
	CHECK_EQUAL(thread.coming, GRACE_COMING);
	return 1000 + (int)attribute;
}

void describe_other_launch(const struct call *call, struct launch *out)
{
	CHECK(call->thread == &thread);
	*out = other;
}

uint32_t stack_capture(struct stack_cache *cache, const void *frame)
{
	CHECK(cache == &thread.stacks && frame == &line);
	return STACK;
}

bool functions_begin_question(const void *handle)
{
	CHECK((uintptr_t)handle == KERNEL);
	CHECK_EQUAL(thread.coming, GRACE_COMING);
	trace_add("begin\n");
	return !is_held;
}

void functions_end_question(const void *handle)
{
	CHECK((uintptr_t)handle == KERNEL);
	trace_add("end\n");
}

static void check_rejected(const struct rejected_call *rejected, enum driver_call id)
{
	CHECK_EQUAL(rejected->id, id);
	CHECK_EQUAL(rejected->result, RESULT);
	CHECK_EQUAL(rejected->stack, STACK);
}

uint16_t images_of(const void *module, const void *function)
{
	CHECK(!module);
	trace_add("image of %x\n", (unsigned)(uintptr_t)function);
	return IMAGE;
}

void images_drop(uint16_t id)
{
	trace_add("drop %u\n", id);
}

bool rejected_image_has_rule(CUresult result)
{
	CHECK_EQUAL(result, RESULT);
	return has_image_rule;
}

void rejected_image_known(const struct rejected_call *rejected, uint16_t id)
{
	check_rejected(rejected, CALL_cuLaunchKernel);
	trace_add("explain %u\n", id);
}

bool rejected_line_is_new(const struct rejected_call *rejected)
{
	CHECK_EQUAL(rejected->stack, STACK);
	return is_new;
}

struct rejected_line *rejected_line_begin(const char *what, const struct rejected_call *rejected)
{
	CHECK_EQUAL(rejected->result, RESULT);
	line.text = text_in(line.bytes, sizeof(line.bytes));
	text_add(&line.text, what);
	return has_line ? &line : NULL;
}

void rejected_line_add_location(struct rejected_line *to)
{
	text_add(&to->text, " from here: ");
}

void rejected_line_end(struct rejected_line *ended, const char *by)
{
	CHECK(ended == &line && by == rule);
	trace_add("%s\n", line.bytes);
}

void report_work_name(const struct report *report, const struct journal_record *record,
		      bool is_short, struct text *out)
{
	CHECK(report == &line.report && record != &row && is_short);
	CHECK(!memcmp(record, &row, sizeof(row)));
	text_add(out, ": work");
}

bool launch_has_rule(int32_t code)
{
	CHECK_EQUAL(code, RESULT);
	return has_launch_rule;
}

const char *launch_explain(const struct launch_shape *of, const struct launch_limits *by,
			   int32_t code, struct text *out)
{
	CHECK_EQUAL(code, RESULT);
	CHECK_EQUAL(thread.coming, GRACE_ELSEWHERE);
	shape = *of;
	limits = *by;
	text_add(out, "too many");
	trace_add("rule\n");
	return rule;
}

static void run(enum driver_call id)
{
	const struct call call = {.id = id, .args = &args, .thread = &thread, .row = &row};
	thread.coming = GRACE_ELSEWHERE;
	shape = (struct launch_shape){0};
	limits = (struct launch_limits){0};
	rejection_explain(&call, RESULT);
	CHECK_EQUAL(thread.coming, GRACE_ELSEWHERE);
}

static void reset(void)
{
	other = (struct launch){.args = &args};
	rule = "rule";
	is_function = is_current = is_kernel = is_occupied = true;
	is_held = has_image_rule = false;
	is_new = has_line = has_launch_rule = true;
	row.launch.function = 9;
}

#define DEVICE(name) (1000 + CU_DEVICE_ATTRIBUTE_##name)
static void check_device(void)
{
	CHECK_EQUAL(limits.block[0], DEVICE(MAX_BLOCK_DIM_X));
	CHECK_EQUAL(limits.block[1], DEVICE(MAX_BLOCK_DIM_Y));
	CHECK_EQUAL(limits.block[2], DEVICE(MAX_BLOCK_DIM_Z));
	CHECK_EQUAL(limits.grid[0], DEVICE(MAX_GRID_DIM_X));
	CHECK_EQUAL(limits.grid[1], DEVICE(MAX_GRID_DIM_Y));
	CHECK_EQUAL(limits.grid[2], DEVICE(MAX_GRID_DIM_Z));
	CHECK_EQUAL(limits.threads, DEVICE(MAX_THREADS_PER_BLOCK));
	CHECK_EQUAL(limits.registers, DEVICE(MAX_REGISTERS_PER_BLOCK));
	CHECK_EQUAL(limits.shared_optin, DEVICE(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
	CHECK_EQUAL(limits.multiprocessors, DEVICE(MULTIPROCESSOR_COUNT));
	CHECK_EQUAL(limits.has_clusters, DEVICE(CLUSTER_LAUNCH));
}

/* All limits of the kernel are `base` and the attribute; base -1: none is known. */
static void check_function(int base)
{
#define ATTRIBUTE(name) (base < 0 ? -1 : base + CU_FUNC_ATTRIBUTE_##name)
	CHECK_EQUAL(limits.function_threads, ATTRIBUTE(MAX_THREADS_PER_BLOCK));
	CHECK_EQUAL(limits.function_registers, ATTRIBUTE(NUM_REGS));
	CHECK_EQUAL(limits.function_static, ATTRIBUTE(SHARED_SIZE_BYTES));
	CHECK_EQUAL(limits.function_dynamic, ATTRIBUTE(MAX_DYNAMIC_SHARED_SIZE_BYTES));
	CHECK_EQUAL(limits.function_any_cluster, ATTRIBUTE(NON_PORTABLE_CLUSTER_SIZE_ALLOWED));
}

static void check_shape(const uint32_t *cluster, bool is_cooperative)
{
	for (uint32_t i = 0; i < 3; i++) {
		CHECK_EQUAL(shape.grid[i], 11 + i);
		CHECK_EQUAL(shape.block[i], i ? i > 1 ? 4 : 16 : 128);
		CHECK_EQUAL(shape.cluster[i], cluster[i]);
	}
	CHECK_EQUAL(shape.shared_bytes, 17);
	CHECK_EQUAL(shape.is_cooperative, is_cooperative);
}

#define ASKED "begin\nfunction 0\nfunction 4\nfunction 1\nfunction 8\nfunction 14\n"
#define LINE  REJECTED_LAUNCH ": work from here: too many\n"

static void test_limits(void)
{
	reset();
	run(CALL_cuLaunchKernel);
	CHECK_TRACE(ASKED "end\nrule\n" LINE);
	check_shape((const uint32_t[]){0, 0, 0}, false);
	check_device();
	check_function(100);
	CHECK_EQUAL(limits.resident_blocks, -1);
	is_function = false;
	run(CALL_cuLaunchKernel);
	check_function(200);
	is_kernel = false;
	run(CALL_cuLaunchKernel);
	check_function(-1);
	is_kernel = true;
	is_current = false;
	run(CALL_cuLaunchKernel);
	check_function(-1);
	(void)trace_take();
}

/* All blocks of a cooperative launch must fit at once. */
static void test_other(void)
{
	reset();
	other.flags = RECORD_COOPERATIVE;
	other.cluster = 2 | 3 << 16 | (uint64_t)4 << 32;
	run(CALL_cuLaunchKernelEx);
	CHECK_TRACE(ASKED "8192 threads and 17 bytes\nend\nrule\n" LINE);
	check_shape((const uint32_t[]){2, 3, 4}, true);
	CHECK_EQUAL(limits.resident_blocks, 77);
	is_occupied = false;
	run(CALL_cuLaunchKernelEx);
	CHECK_EQUAL(limits.resident_blocks, -1);
	is_occupied = true;
	static const struct {
		unsigned x, y, z;
		int blocks;
	} cases[] = {{INT16_MAX, 1, 1, 77}, {INT16_MAX + 1, 1, 1, -1}, {1 << 16, 1 << 16, 1, -1}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct args_cuLaunchKernel large = args;
		large.blockDimX = cases[i].x;
		large.blockDimY = cases[i].y;
		large.blockDimZ = cases[i].z;
		other.args = &large;
		run(CALL_cuLaunchKernelEx);
		CHECK_EQUAL(limits.resident_blocks, cases[i].blocks);
	}
	(void)trace_take();
}

static void test_nothing(void)
{
	reset();
	has_line = false;
	run(CALL_cuLaunchKernel);
	CHECK_TRACE(ASKED "end\nrule\n");
	has_line = true;
	rule = NULL;
	run(CALL_cuLaunchKernel);
	CHECK_TRACE(ASKED "end\nrule\n");
	is_new = false;
	run(CALL_cuLaunchKernel);
	CHECK_TRACE("begin\nend\n");
	is_held = is_new = true;
	run(CALL_cuLaunchKernel);
	CHECK_TRACE("begin\n");
	has_launch_rule = false;
	run(CALL_cuLaunchKernel);
	CHECK_TRACE("");
	has_launch_rule = true;
	row.launch.function = 0;
	run(CALL_cuLaunchKernel);
	CHECK_TRACE("");
}

static void test_image(void)
{
	reset();
	has_image_rule = is_held = true;
	run(CALL_cuLaunchKernel);
	CHECK_TRACE("image of 10\nexplain 5\ndrop 5\nbegin\n");
	struct args_cuLaunchKernel null = args;
	null.f = NULL;
	other.args = &null;
	run(CALL_cuLaunchKernelEx);
	CHECK_TRACE("");
	const struct call call = {
		.id = CALL_cuModuleLoad, .thread = &thread, .frame = &line, .row = &row};
	const struct rejected_call rejected = rejection_of(&call, RESULT);
	check_rejected(&rejected, CALL_cuModuleLoad);
}

int main(void)
{
	real.cuFuncGetAttribute = function_attribute;
	real.cuCtxGetDevice = current_device;
	real.cuKernelGetAttribute = kernel_attribute;
	real.cuOccupancyMaxActiveBlocksPerMultiprocessor = occupancy;
	test_limits();
	test_other();
	test_nothing();
	test_image();
	return 0;
}
