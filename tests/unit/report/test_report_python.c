/*
 * test_report_python.c - what reports say about Python code: whose code it is, how its files are
 * named and how frames of libraries are folded around the user's own.
 */
#include "report/report_page.h"
#include "report/report_stack.h"
#include "support/check.h"
#include "support/python_builder.h"
#include "support/sample_bundle.h"
#include "view/python_frame.h"

static const char *const directory = "/home/user/project";

/* One frame of a code object of its own, which is one line long. */
static uint32_t add_frame(struct verdict_case *c, uint32_t parent, const char *file,
			  const char *function, uint32_t line)
{
	uint32_t code = builder_python_code(&c->builder, file, function, line, NULL, 0);
	return builder_python_frame(&c->builder, parent, code, 2);
}

static uint32_t add_frames(struct verdict_case *c, uint32_t parent, const char *file,
			   const char *function, uint32_t line, int n)
{
	for (int i = 0; i < n; i++)
		parent = add_frame(c, parent, file, function, line);
	return parent;
}

#define TORCH "/opt/venv/lib/python3.12/site-packages/torch/"

static const char *stack_of(struct verdict_case *c, uint32_t frame, size_t max)
{
	static char line[1024];
	const struct report report = {
		.view = &c->view, .verdict = &c->verdict, .directory = directory};
	struct text text = text_in(line, sizeof(line));
	uint32_t stack = builder_python_stack(&c->builder, 0, frame);
	builder_view(&c->builder, &c->view);
	report_stack(&report, stack, max, &text);
	return line;
}

static const char *text_of(struct verdict_case *c, uint32_t stack,
			   const struct symbol_source *symbols)
{
	static char buffer[REPORT_TEXT_SIZE];
	static struct page page;
	const struct report report = {.view = &c->view,
				      .verdict = &c->verdict,
				      .symbols = symbols,
				      .directory = directory};
	struct text text = text_in(buffer, sizeof(buffer));
	uint32_t kernel = builder_function(&c->builder, "scatter", 0, NULL);
	builder_launch(&c->builder, CASE_TID, case_stream(c), kernel, NULL, 0)->stack = stack;
	case_judge(c, ILLEGAL_ADDRESS);
	report_page(&report, &page);
	report_text(&page, &text);
	return buffer;
}

struct file_case {
	const char *file;
	enum python_origin origin;
	const char *package;
	const char *short_file;
};

static const struct file_case files[] = {
	{"/home/user/project/train.py", PYTHON_USER, "", "train.py"},
	{"/home/user/project/models/net.py", PYTHON_USER, "", "models/net.py"},
	{"/home/user/projects/train.py", PYTHON_USER, "", "user/projects/train.py"},
	{"/srv/train.py", PYTHON_USER, "", "/srv/train.py"},
	{"/srv/a/b/c/train.py", PYTHON_USER, "", "b/c/train.py"},
	{"/a/b/train.py", PYTHON_USER, "", "/a/b/train.py"},
	{"train.py", PYTHON_USER, "", "train.py"},
	{"./train.py", PYTHON_USER, "", "train.py"},
	{"../src/train.py", PYTHON_USER, "", "../src/train.py"},
	{"", PYTHON_USER, "", ""},
	{"/", PYTHON_USER, "", "/"},
	{"<stdin>", PYTHON_USER, "", "<stdin>"},
	{"<string>", PYTHON_USER, "", "<string>"},
	{"<ipython-input-3-a1>", PYTHON_USER, "", "<ipython-input-3-a1>"},
	{"/tmp/ipykernel_17/33.py", PYTHON_USER, "", "/tmp/ipykernel_17/33.py"},
	{TORCH "nn/modules/linear.py", PYTHON_LIBRARY, "torch", "torch/nn/modules/linear.py"},
	/* A virtual environment in the project, and a package inside of another's directory. */
	{"/home/user/project/.venv/lib/python3.12/site-packages/six.py", PYTHON_LIBRARY, "six",
	 "six.py"},
	{"/x/site-packages/a/site-packages/b/c.py", PYTHON_LIBRARY, "b", "b/c.py"},
	{"/usr/lib/python3/dist-packages/numpy/core/x.py", PYTHON_LIBRARY, "numpy",
	 "numpy/core/x.py"},
	{"/usr/lib/python3.11/threading.py", PYTHON_LIBRARY, "threading", "threading.py"},
	{"/opt/py/lib/python3.13t/asyncio/events.py", PYTHON_LIBRARY, "asyncio",
	 "asyncio/events.py"},
	{"/usr/lib64/python3.9/runpy.py", PYTHON_LIBRARY, "runpy", "runpy.py"},
	{"/home/u/lib/python/mine.py", PYTHON_USER, "", "lib/python/mine.py"},
	{"/home/u/lib/python_tools/mine.py", PYTHON_USER, "", "lib/python_tools/mine.py"},
	{"/home/u/my-site-packages/mine.py", PYTHON_USER, "", "u/my-site-packages/mine.py"},
	{"/opt/app/venv/bin/torchrun", PYTHON_LIBRARY, "torchrun", "venv/bin/torchrun"},
	{"/opt/app/bin/train.py", PYTHON_USER, "", "app/bin/train.py"},
	{"/bin/", PYTHON_USER, "", "/bin/"},
	{"<frozen importlib._bootstrap>", PYTHON_LIBRARY, "importlib",
	 "<frozen importlib._bootstrap>"},
	{"<frozen runpy>", PYTHON_LIBRARY, "runpy", "<frozen runpy>"},
	{"<frozen ", PYTHON_LIBRARY, "", "<frozen "},
	{"<__array_function__ internals>", PYTHON_LIBRARY, "", "<__array_function__ internals>"},
	{"<eval_with_key>.12", PYTHON_GENERATED, "", "<eval_with_key>.12"},
	{"/tmp/torchinductor_me/j3/cj3aaa.py", PYTHON_GENERATED, "", "cj3aaa.py"},
	{"/cache/j3/cj3aaa4oa3cxacjerv7baomyivvg5jvg7usxhp2tlidhqirw7j2s.py", PYTHON_GENERATED, "",
	 "cj3aaa4oa3cxacjerv7baomyivvg5jvg7usxhp2tlidhqirw7j2s.py"},
	{"/cache/j4/cj3aaa4oa3cxacjerv7baomyivvg5jvg7usxhp2tlidhqirw7j2s.py", PYTHON_USER, "",
	 "/cache/j4/cj3aaa4oa3cxacjerv7baomyivvg5jvg7usxhp2tlidhqirw7j2s.py"},
};

static void test_files(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct verdict_case *c = case_begin();
		uint32_t id = add_frame(c, 0, files[i].file, "f", 1);
		builder_view(&c->builder, &c->view);
		struct python_frame frame;
		python_frame_read(&c->view, id, &frame);
		CHECK_EQUAL(frame.origin, files[i].origin);
		CHECK_EQUAL(python_frame_origin(&c->view, id), files[i].origin);
		char piece[256];
		snprintf(piece, sizeof(piece), "%.*s", (int)frame.package.length,
			 frame.package.bytes);
		CHECK_STRING(piece, files[i].package);
		struct python_text short_file = python_frame_short_file(&frame, directory);
		snprintf(piece, sizeof(piece), "%.*s", (int)short_file.length, short_file.bytes);
		CHECK_STRING(piece, files[i].short_file);
		case_end(c);
	}
}

/* A string's frame belongs to its maker, but to the user if the program itself is such a string. */
static void test_strings(void)
{
	static const struct {
		const char *outermost, *maker;
		enum python_origin origin;
	} cases[] = {
		{"train.py", TORCH "x.py", PYTHON_LIBRARY},
		{"train.py", "/tmp/torchinductor_me/j3/cj3aaa.py", PYTHON_LIBRARY},
		{"train.py", "models.py", PYTHON_USER},
		{"<string>", TORCH "x.py", PYTHON_USER},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct verdict_case *c = case_begin();
		uint32_t id = add_frame(c, 0, cases[i].outermost, "<module>", 1);
		id = add_frame(c, id, cases[i].maker, "run", 2);
		id = add_frame(c, id, "<string>", "outer", 3);
		id = add_frame(c, id, "<string>", "inner", 4);
		builder_view(&c->builder, &c->view);
		CHECK_EQUAL(python_frame_origin(&c->view, id), cases[i].origin);
		case_end(c);
	}
}

static void test_users_frames(void)
{
	struct verdict_case *c = case_begin();
	uint32_t frame = add_frame(c, 0, "/home/user/project/train.py", "<module>", 22);
	CHECK_STRING(stack_of(c, frame, 8), "train.py:22 <module>");
	frame = add_frame(c, frame, "/home/user/project/train.py", "train_step", 18);
	frame = add_frame(c, frame, "/home/user/project/train.py", "Net.buggy", 14);
	CHECK_STRING(stack_of(c, frame, 8),
		     "train.py:14 Net.buggy  <- train.py:18 train_step  <- train.py:22 <module>");
	CHECK_STRING(stack_of(c, frame, 1), "train.py:14 Net.buggy");
	CHECK_STRING(stack_of(c, frame, 2),
		     "train.py:14 Net.buggy  <- train.py:18 train_step  <- 1 more frame");
	frame = add_frames(c, frame, "/home/user/project/tree.py", "walk", 3, 300);
	/* Frames further out than 256 are not read. */
	CHECK(strstr(stack_of(c, frame, 8),
		     "<- tree.py:3 walk  <- 248 more frames  (outer frames left out: too deep)"));
	CHECK_STRING(stack_of(c, frame, 1), "tree.py:3 walk");
	/* The recorder leaves them out as well: a frame without code takes their place. */
	frame = builder_python_frame(&c->builder, 0, 0, 0);
	frame = add_frame(c, frame, "/home/user/project/train.py", "Net.buggy", 14);
	CHECK_STRING(stack_of(c, frame, 8),
		     "train.py:14 Net.buggy  (outer frames left out: too deep)");
	case_end(c);
}

static void test_folding(void)
{
	struct verdict_case *c = case_begin();
	uint32_t frame = add_frames(c, 0, "<frozen runpy>", "_run_code", 198, 2);
	frame = add_frame(c, frame, "/home/user/project/train.py", "<module>", 22);
	frame = add_frames(c, frame, TORCH "nn/modules/module.py", "Module._call_impl", 1775, 2);
	frame = add_frame(c, frame, "/home/user/project/net.py", "Net.forward", 9);
	frame = add_frame(c, frame, TORCH "utils/checkpoint.py", "checkpoint", 40);
	frame = add_frame(c, frame, "/home/user/project/net.py", "Net.inner", 5);
	frame = add_frames(c, frame, TORCH "nn/modules/module.py", "Module._call_impl", 1775, 30);
	CHECK_STRING(stack_of(c, frame, 8),
		     "net.py:5 Net.inner  <- torch/utils/checkpoint.py:40 checkpoint  <- net.py:9 "
		     "Net.forward  <- 2 frames of torch  <- train.py:22 <module>");
	CHECK_STRING(stack_of(c, frame, 1), "net.py:5 Net.inner");
	case_end(c);

	c = case_begin();
	frame = add_frame(c, 0, "/home/user/project/train.py", "<module>", 22);
	frame = add_frame(c, frame, "<frozen importlib._bootstrap>", "_find_and_load", 1);
	frame = add_frame(c, frame, "/home/user/project/net.py", "<module>", 9);
	frame = add_frame(c, frame, TORCH "a.py", "a", 40);
	frame = add_frame(c, frame, "/usr/lib/python3.11/contextlib.py", "inner", 81);
	frame = add_frame(c, frame, "/home/user/project/net.py", "f", 3);
	CHECK_STRING(stack_of(c, frame, 8),
		     "net.py:3 f  <- 2 library frames  <- net.py:9 <module>  <- 1 frame of "
		     "importlib  <- train.py:22 <module>");
	case_end(c);
}

/* A tool that is itself installed: there is no other code to show. */
static void test_libraries_alone(void)
{
	struct verdict_case *c = case_begin();
	uint32_t frame = add_frames(c, 0, "<frozen runpy>", "_run_code", 198, 2);
	frame = add_frame(c, frame, TORCH "tool.py", "main", 7);
	frame = add_frame(c, frame, TORCH "step.py", "step", 8);
	CHECK_STRING(stack_of(c, frame, 8),
		     "torch/step.py:8 step  <- torch/tool.py:7 main  <- 2 frames of runpy");
	CHECK_STRING(stack_of(c, frame, 1), "torch/step.py:8 step");
	case_end(c);
}

/* Started by an installed program, which has no line of the user's. */
static void test_console_script(void)
{
	struct verdict_case *c = case_begin();
	uint32_t frame = add_frame(c, 0, "/opt/venv/bin/torchrun", "<module>", 8);
	frame = add_frames(c, frame, TORCH "distributed/run.py", "run", 900, 3);
	CHECK_STRING(stack_of(c, frame, 1), "torch/distributed/run.py:900 run");
	frame = add_frame(c, frame, "/home/user/project/train.py", "<module>", 22);
	CHECK_STRING(stack_of(c, frame, 8), "train.py:22 <module>");
	case_end(c);
}

static size_t name_frames(void *state, uint32_t module_id, const struct module_row *module,
			  const char *path, uint64_t offset, struct source_frame *out, size_t max)
{
	(void)state;
	(void)module_id;
	(void)module;
	(void)path;
	CHECK(max >= 1);
	if (offset >= 0x100)
		return 0;
	out[0] = (struct source_frame){.function = "at::native::index_kernel(int)"};
	return 1;
}

static size_t give_notes(void *state, const char *path, uint32_t line, const char **out, size_t max)
{
	(void)state;
	CHECK(max >= 2);
	CHECK_STRING(path, "/tmp/torchinductor_me/ab/cab.py");
	CHECK_EQUAL(line, 88);
	out[0] = "Source Nodes: [x]";
	out[1] = "File: \033 train.py:12";
	return 2;
}

static const struct symbol_source symbols = {.frames = name_frames, .notes = give_notes};

static uint32_t add_native(struct verdict_case *c)
{
	struct bundle_builder *builder = &c->builder;
	static const struct {
		const char *path;
		uint64_t offset;
	} frames[] = {
		{"/opt/venv/bin/python3.12", 0x10},
		{"/usr/lib/libpython3.12.so.1.0", 0x10},
		{"/opt/app/launcher", 0x100},
		{"/usr/lib/python3.12/lib-dynload/_ctypes.cpython-312-x86_64-linux-gnu.so", 0x10},
		{"/usr/lib/x86_64-linux-gnu/libffi.so.8", 0x10},
		{"/x/torch/_C.cpython-312-x86_64-linux-gnu.so", 0x200},
		{"/x/pycuda/_driver.cpython-312-x86_64-linux-gnu.so", 0x11},
		{"/x/torch/lib/libtorch_cuda.so", 0x10},
		{"/usr/lib/libcudart.so.13", 0x10},
		{"/usr/lib/libculprit.so", 0x10},
	};
	uint32_t stack = 0;
	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		uint32_t module = builder_module(builder, frames[i].path, 0x1000 * i, 0x1000);
		stack = builder_stack(builder, stack, module, frames[i].offset);
	}
	return stack;
}

static void test_whole_report(void)
{
	struct verdict_case *c = case_begin();
	uint32_t frame = add_frame(c, 0, "/home/user/project/train.py", "<module>", 22);
	frame = add_frames(c, frame, TORCH "_dynamo/eval_frame.py", "compile_wrapper", 700, 6);
	frame = add_frame(c, frame, "/tmp/torchinductor_me/ab/cab.py", "call", 88);
	frame = add_frames(c, frame, TORCH "_inductor/heuristics.py", "run", 12, 5);
	uint32_t stack = builder_python_stack(&c->builder, add_native(c), frame);
	const char *text = text_of(c, stack, &symbols);
	CHECK(strstr(text, "exact: launch #1, scatter at train.py:22\n"));
	CHECK(strstr(text,
		     "  launched from   train.py:22 <module>\n"
		     "  through         torch/_inductor/heuristics.py:12 run  <- "
		     "torch/_inductor/heuristics.py:12 run  <- torch/_inductor/heuristics.py:12 "
		     "run  <- torch/_inductor/heuristics.py:12 run  <- "
		     "torch/_inductor/heuristics.py:12 run  <- cab.py:88 call  <- 6 frames of "
		     "torch\n"
		     "  generated code  /tmp/torchinductor_me/ab/cab.py:88\n"
		     "                  Source Nodes: [x]\n"
		     "                  File: ? train.py:12\n"
		     "  native          at::native::index_kernel (libtorch_cuda.so)  <- "
		     "at::native::index_kernel (_driver)  <- launcher+0x100\n"));
	case_end(c);
}

/* Called through ctypes, a library leaves nothing that is worth a line. */
static void test_nothing_native(void)
{
	struct verdict_case *c = case_begin();
	uint32_t module = builder_module(&c->builder, "/usr/bin/python3.11", 0, 0x1000);
	uint32_t native = builder_stack(&c->builder, 0, module, 0x10);
	uint32_t frame = add_frame(c, 0, "/home/user/project/train.py", "<module>", 22);
	const char *text = text_of(c, builder_python_stack(&c->builder, native, frame), &symbols);
	CHECK(strstr(text, "  launched from   train.py:22 <module>\n"));
	CHECK(!strstr(text, "  native ") && !strstr(text, "  through ") &&
	      !strstr(text, "  generated "));
	case_end(c);
}

static void test_lines(void)
{
	static const uint8_t lines[] = {10, 1, 10, 5};
	struct verdict_case *c = case_begin();
	uint32_t code = builder_python_code(&c->builder, "a.py", "f", 7, lines, sizeof(lines));
	CHECK_STRING(stack_of(c, builder_python_frame(&c->builder, 0, code, 8), 8), "a.py:7 f");
	CHECK_STRING(stack_of(c, builder_python_frame(&c->builder, 0, code, 12), 8), "a.py:8 f");
	CHECK_STRING(stack_of(c, builder_python_frame(&c->builder, 0, code, 90), 8), "a.py:13 f");
	/*
	 * The journal had no room for all lines, or is wrong: show no line rather than a wrong one.
	 */
	builder_python_code_row(&c->builder)->is_lines_cut = 1;
	CHECK_STRING(stack_of(c, builder_python_frame(&c->builder, 0, code, 90), 8), "a.py f");
	builder_python_code_row(&c->builder)->is_lines_cut = 0;
	builder_python_code_row(&c->builder)->lines_size = 4096;
	CHECK_STRING(stack_of(c, builder_python_frame(&c->builder, 0, code, 90), 8), "a.py f");
	builder_python_code_row(&c->builder)->lines_size = sizeof(lines);
	builder_python_code_row(&c->builder)->lines = UINT32_MAX;
	CHECK_STRING(stack_of(c, builder_python_frame(&c->builder, 0, code, 90), 8), "a.py f");
	builder_python_code_row(&c->builder)->version = 0x30ff;
	CHECK_STRING(stack_of(c, builder_python_frame(&c->builder, 0, code, 90), 8), "a.py f");
	case_end(c);
}

/* Rows that no recorder wrote: cycles, ids of nothing, names for a terminal. */
static void test_hostile(void)
{
	struct verdict_case *c = case_begin();
	uint32_t code = builder_python_code(&c->builder, "\033[2J.py", "f\n\xff", 7, NULL, 0);
	uint32_t frame = builder_python_frame(&c->builder, 1, code, 0); /* its own parent */
	CHECK_STRING(stack_of(c, frame, 8), "?[2J.py:7 f??");
	frame = builder_python_frame(&c->builder, 99, code, 0);
	CHECK_STRING(stack_of(c, frame, 8), "?[2J.py:7 f??");
	frame = builder_python_frame(&c->builder, 1, 99, 0);
	CHECK_STRING(stack_of(c, frame, 8), "?[2J.py:7 f??");
	CHECK_STRING(stack_of(c, builder_python_frame(&c->builder, 0, 0, 0), 8), "unknown");
	CHECK_STRING(stack_of(c, 99, 8), "unknown");
	CHECK_STRING(stack_of(c, 0, 8), "unknown");
	builder_python_code_row(&c->builder)->file = 0x7fffffff;
	builder_python_code_row(&c->builder)->name = 0x7fffffff;
	CHECK_STRING(stack_of(c, 1, 8), "?:7");
	case_end(c);
}

int main(void)
{
	test_files();
	test_strings();
	test_users_frames();
	test_folding();
	test_libraries_alone();
	test_console_script();
	test_whole_report();
	test_nothing_native();
	test_lines();
	test_hostile();
	return 0;
}
