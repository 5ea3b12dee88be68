/*
 * test_report_runtime_frames.c - the frames of a stack that are not the user's are left out.
 */
#include "report/report_stack.h"
#include "support/check.h"
#include "support/verdict_case.h"

static char buffer[4096];

/* A program with the runtime inside, innermost first; the offset is the place here. */
static const struct source_frame with_runtime[] = {
	{.function = "libcudart_static_0ceb4406c099ce1e08fc8efe5dda0f3328a00d1b"},
	{.function = "__cudaLaunchKernel"},
	{.function = "cudaMemcpyAsync"},
	{.function = "cudaMalloc<float>",
	 .file = "/usr/local/cuda/include/cuda_runtime.h",
	 .line = 703},
	{.function = "cudaCheck(int)"},
	{.function = "cudaStep", .file = "step.c", .line = 7},
	{.function = "cudasort"},
	{.function = "_start"},
};

static size_t runtime_frames(void *state, uint32_t module_id, const struct module_row *module,
			     const char *path, uint64_t offset, struct source_frame *out,
			     size_t max)
{
	(void)state;
	(void)module_id;
	(void)module;
	(void)path;
	CHECK(max >= 1 && offset < sizeof(with_runtime) / sizeof(with_runtime[0]));
	out[0] = with_runtime[offset];
	return 1;
}

/* Code in the program's file is not taken for the user's just because it is there. */
static void test_static_runtime(void)
{
	static const struct symbol_source source = {.frames = runtime_frames};
	struct verdict_case *c = case_begin();
	uint32_t program = builder_module(&c->builder, "/home/user/train", 0x1000, 0x1000);
	uint32_t stack = 0;
	struct text text = text_in(buffer, sizeof(buffer));
	for (size_t i = sizeof(with_runtime) / sizeof(with_runtime[0]); i-- > 0;)
		stack = builder_stack(&c->builder, stack, program, i);
	builder_view(&c->builder, &c->view);
	const struct report report = {.view = &c->view, .verdict = &c->verdict, .symbols = &source};
	report_stack(&report, stack, 8, &text);
	CHECK_STRING(buffer, "cudaCheck (train)  <- step.c:7 cudaStep  <- cudasort (train)");
	case_end(c);
}

/* As nvcc generates them, innermost first. */
static const struct source_frame generated[] = {
	{.function = "__device_stub__ZN3app7scatterEPi(int*)"},
	{.function = "app::scatter(int*)", .file = "/home/user/train.cu", .line = 3},
	{.function = "scatter(int)", .file = "/home/user/train.cu", .line = 9},
	{.function = "__device_stub__Z4fillIfEvPT_i(float*, int)"},
	{.function = "void __wrapper__device_stub_fill<float>(float*&, int&)",
	 .file = "/tmp/tmpxft_00/train.cudafe1.stub.c",
	 .line = 20},
	{.function = "void fill<float>(float*, int)", .file = "/home/user/train.cu", .line = 4},
	{.function = "void thrust::fill<int>(int)",
	 .file = "/usr/local/cuda-13.0/include/cccl/thrust/detail/fill.inl",
	 .line = 5},
	{.function = "step(int*)", .file = "/home/user/include/step.h", .line = 12},
	/* The host function has no frame: it jumps to the stub. */
	{.function = "__device_stub__Z5plainPi(int*)"},
	{.function = "main", .file = "/home/user/train.cu", .line = 30},
};

static size_t generated_frames(void *state, uint32_t module_id, const struct module_row *module,
			       const char *path, uint64_t offset, struct source_frame *out,
			       size_t max)
{
	(void)state;
	(void)module_id;
	(void)module;
	(void)path;
	CHECK(max >= 1 && offset < sizeof(generated) / sizeof(generated[0]));
	out[0] = generated[offset];
	return 1;
}

static const char *demangle_scatter(void *state, const char *mangled)
{
	(void)state;
	return !strcmp(mangled, "_ZN3app7scatterEPi") ? "app::scatter(int*)" : NULL;
}

/* The user's line comes first: neither the kernel's own host function nor a library's template. */
static void test_generated_frames_are_left_out(void)
{
	static const struct symbol_source source = {.frames = generated_frames,
						    .demangle = demangle_scatter};
	const size_t n = sizeof(generated) / sizeof(generated[0]);
	struct verdict_case *c = case_begin();
	uint32_t program = builder_module(&c->builder, "/home/user/train", 0x1000, 0x1000);
	uint32_t stack = 0;
	struct text text = text_in(buffer, sizeof(buffer));
	for (size_t i = n; i-- > 0;)
		stack = builder_stack(&c->builder, stack, program, i);
	uint32_t library = builder_stack(&c->builder, 0, program, 6);
	builder_view(&c->builder, &c->view);
	const struct report report = {.view = &c->view, .verdict = &c->verdict, .symbols = &source};
	report_stack(&report, stack, 8, &text);
	CHECK_STRING(buffer, "train.cu:9 scatter  <- step.h:12 step  <- train.cu:30 main");
	/* Frames of a library are better than none. */
	text = text_in(buffer, sizeof(buffer));
	report_stack(&report, library, 8, &text);
	CHECK_STRING(buffer, "fill.inl:5 thrust::fill");
	case_end(c);
}

/* Without debug information, innermost first: the stub is inlined, and the runtime has no names. */
static const struct source_frame stripped[] = {
	{.function = NULL},
	{.function = "app::scatter(int*)"},
	{.function = "step(int*)"},
	{.function = "main"},
};

/* A C program: its own function has the kernel's name, and calls the driver. */
static const struct source_frame driver_call[] = {
	{.function = "scatter", .file = "/home/user/train.c", .line = 5},
	{.function = "main", .file = "/home/user/train.c", .line = 9},
};

/* A kernel with C linkage, called by the runtime's API. */
static const struct source_frame c_linkage[] = {
	{.function = "cudaLaunchKernel"},
	{.function = "scatter", .file = "/home/user/train.cu", .line = 3},
	{.function = "main", .file = "/home/user/train.cu", .line = 9},
};

static const struct source_frame *frames;

static size_t some_frames(void *state, uint32_t module_id, const struct module_row *module,
			  const char *path, uint64_t offset, struct source_frame *out, size_t max)
{
	(void)state;
	(void)module_id;
	(void)module;
	(void)path;
	CHECK(max >= 1);
	out[0] = frames[offset];
	return out[0].function ? 1 : 0;
}

/* Compare a launch's stack, of a kernel with this name. */
static void check_launch(const struct source_frame *of, size_t n, const char *kernel,
			 const char *expected)
{
	static const struct symbol_source source = {.frames = some_frames,
						    .demangle = demangle_scatter};
	struct verdict_case *c = case_begin();
	uint32_t program = builder_module(&c->builder, "/home/user/train", 0x1000, 0x1000);
	uint32_t stack = 0;
	struct text text = text_in(buffer, sizeof(buffer));
	frames = of;
	for (size_t i = n; i-- > 0;)
		stack = builder_stack(&c->builder, stack, program, i);
	struct journal_record *record = &c->verdict.suspects[0].record;
	*record = (struct journal_record){.work = WORK_KERNEL, .stack = stack};
	record->launch.function = builder_function(&c->builder, kernel, 0, NULL);
	c->verdict.n_suspects = 1;
	builder_view(&c->builder, &c->view);
	const struct report report = {.view = &c->view, .verdict = &c->verdict, .symbols = &source};
	report_stack(&report, stack, 8, &text);
	CHECK_STRING(buffer, expected);
	case_end(c);
}

static void test_host_function_of_kernel(void)
{
	check_launch(stripped, 4, "_ZN3app7scatterEPi", "step (train)  <- main (train)");
	check_launch(driver_call, 2, "scatter", "train.c:5 scatter  <- train.c:9 main");
	check_launch(c_linkage, 3, "scatter", "train.cu:9 main");
}

/* main calls step, which jumps to launch: only debug information tells of step. */
static const struct source_frame jumped[] = {
	{.function = "launch(int*)", .file = "/home/user/train.cc", .line = 5},
	{.function = "main", .file = "/home/user/train.cc", .line = 20},
};
static const char *entered; /* by main's call */

static size_t tail_callers(void *state, uint32_t module_id, const struct module_row *module,
			   const char *path, uint64_t offset, struct source_frame *out, size_t max)
{
	(void)state;
	(void)module_id;
	(void)module;
	(void)path;
	CHECK(max >= 2);
	if (offset != 1)
		return 0;
	out[0] = (struct source_frame){.function = entered,
				       .file = "/home/user/train.cc",
				       .line = 9,
				       .is_tail_call = true};
	out[1] = (struct source_frame){
		.function = "launch(int*)", .file = "/home/user/train.cc", .is_tail_call = true};
	return 2;
}

static void check_tail_calls(const char *function, const char *expected)
{
	static const struct symbol_source source = {.frames = some_frames,
						    .tail_callers = tail_callers};
	struct verdict_case *c = case_begin();
	uint32_t program = builder_module(&c->builder, "/home/user/train", 0x1000, 0x1000);
	uint32_t stack = builder_stack(&c->builder, 0, program, 1);
	stack = builder_stack(&c->builder, stack, program, 0);
	struct text text = text_in(buffer, sizeof(buffer));
	frames = jumped;
	entered = function;
	builder_view(&c->builder, &c->view);
	const struct report report = {.view = &c->view, .verdict = &c->verdict, .symbols = &source};
	report_stack(&report, stack, 8, &text);
	CHECK_STRING(buffer, expected);
	case_end(c);
}

static void test_tail_calls(void)
{
	check_tail_calls("step(int*)", "train.cc:5 launch  <- train.cc:9 step (tail call)  <- "
				       "train.cc:20 main");
	/* The function that was called is on the stack: nothing is missing. */
	check_tail_calls("launch(int*) [clone .part.0]", "train.cc:5 launch  <- train.cc:20 main");
}

int main(void)
{
	test_tail_calls();
	test_host_function_of_kernel();
	test_static_runtime();
	test_generated_frames_are_left_out();
	return 0;
}
