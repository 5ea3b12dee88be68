/*
 * test_pycuda.c - which calls are PyCUDA's, what is remembered of them, and what is said of its
 * abort().
 */
#include "call/call_parts.h"

#include <stdarg.h>

#include "arch/frame.h"
#include "base/elf_lookup.h"
#include "failure/failure.h"
#include "failure/live_symbols.h"
#include "record/files/meta.h"
#include "record/host/recording.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "record/journal/call_names.h"
#include "record/stacks/stack.h"
#include "record/streams/contexts.h"
#include "record/thread.h"
#include "report/report_stack.h"
#include "support/check.h"

enum { START = 0x10000, SIZE = 0x1000, CALL_NAME = 9, STACK = 21 };

static uint32_t is_recording = 1;
uint32_t *recording_flag = &is_recording;
uint32_t call_name_ids[N_DRIVER_CALLS];
const struct symbol_source live_symbols;
__thread struct thread_slot thread_slot;

static struct thread thread;
static struct context_row row = {.device = 3};
static struct context context = {.handle = (CUcontext)0x44};
static struct context_use first_use;
static const char *path = "/site-packages/pycuda/_driver.cpython-312-x86_64-linux-gnu.so";
static uintptr_t start = START;
static bool has_failed;

int elf_object_at(const void *address, struct elf_object *out_object)
{
	trace_add("object of %zx\n", (size_t)(uintptr_t)address);
	*out_object = (struct elf_object){.path = path, .start = start, .end = start + SIZE};
	return path ? 0 : -1;
}

uint32_t call_name_discover(enum driver_call call)
{
	CHECK(driver_calls[call].role == ROLE_CONTEXT);
	return CALL_NAME;
}

uint32_t stack_capture(struct stack_cache *cache, const void *frame)
{
	CHECK(cache == &thread.stacks && frame);
	return STACK;
}

struct context_use contexts_first_use(const struct context *of)
{
	CHECK(of == &context);
	return first_use;
}

void contexts_used(struct context *of, struct context_use use)
{
	CHECK(of == &context);
	trace_add("used by %u at %u\n", use.call, use.stack);
}

bool failure_has_happened(void)
{
	return has_failed;
}

void thread_pass(void)
{
	trace_add("pass\n");
}

const char *meta_directory(void)
{
	return "DIRECTORY";
}

void bundle_view_live(struct bundle_view *out)
{
	CHECK(out);
	trace_add("view\n");
}

const char *view_string(const struct bundle_view *view, uint32_t id, size_t *out_length)
{
	CHECK(view);
	CHECK_EQUAL(id, CALL_NAME);
	*out_length = 5;
	return "cuCtx and more";
}

void report_stack(const struct report *report, uint32_t stack, size_t max, struct text *out)
{
	CHECK(report->view && report->symbols == &live_symbols);
	CHECK_STRING(report->directory, "DIRECTORY");
	text_addf(out, "%zu frame of stack %u", max, stack);
}

void warning_print(const char *format, ...)
{
	va_list arguments;
	char line[512];
	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	CHECK(thread_slot.scope);
	trace_add("%s\n", line);
}

/* Return the frame of an entry point that was called from this address. */
static void *frame_from(uintptr_t caller)
{
#if defined(__x86_64__)
	static uint64_t here[2];
	here[1] = caller;
#else
	static struct frame_here here[1];
	here->ip = caller;
#endif
	return here;
}

static void run(enum driver_call id, uintptr_t caller, struct context *current)
{
	const struct call call = {.id = id, .thread = &thread, .frame = frame_from(caller)};
	pycuda_context_call(&call, current);
}

static bool aborts(uintptr_t caller)
{
	bool is_its = pycuda_aborts((const void *)caller);
	if (thread_slot.scope != &row)
		CHECK(!thread_slot.scope);
	return is_its;
}

#define PUSH CALL_cuCtxPushCurrent_v2

/* Each caller is in an object of its own, which has one of these paths. */
static void test_paths(void)
{
	static const struct {
		const char *path;
		bool is_extension;
	} cases[] = {
		{"/pycuda/_driver.so", true},
		{"/a/pycuda/_driver.so", true},
		{&"/pycuda/_driver.so"[1], false}, /* without a folder */
		{"/apycuda/_driver.so", false},
		{"/a/pycuda/driver.so", false},
		{"/a/pycuda/_drivers.so", false},
		{"/a/pycuda/_driver./a.so", false},
		{"_driver.so", false},
		{NULL, false},
	};
	CHECK(!aborts(START));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		path = cases[i].path;
		start = START + i * SIZE;
		run(PUSH, start + i, &context);
		char wanted[64];
		(void)snprintf(wanted, sizeof(wanted), "object of %zx\n%s", start + i,
			       cases[i].is_extension ? "used by 9 at 21\n" : "");
		CHECK_TRACE(wanted);
	}
}

#define USED "used by 9 at 21\n"

/* The extension is the second object of test_paths(). */
static void test_bounds(void)
{
	const uintptr_t low = START + SIZE, high = low + SIZE;
	run(CALL_cuCtxSetCurrent, low, &context);
	CHECK_TRACE(USED);
	run(CALL_cuCtxSetCurrent, high - 1, &context);
	CHECK_TRACE(USED);
	run(CALL_cuCtxSetCurrent, low - 1, &context);
	run(CALL_cuCtxSetCurrent, high, &context);
	run(CALL_cuCtxSetCurrent, low, NULL);
	first_use.call = 1;
	run(CALL_cuCtxSetCurrent, low, &context);
	first_use.call = 0;
	CHECK_TRACE("");
}

/* A caller is looked at once, if its call pushes a context. */
static void test_callers(void)
{
	static const enum driver_call pushes[] = {
		CALL_cuCtxCreate,        CALL_cuCtxCreate_v2,   CALL_cuCtxCreate_v3,
		CALL_cuCtxCreate_v4,     CALL_cuGLCtxCreate,    CALL_cuGLCtxCreate_v2,
		CALL_cuCtxAttach,        CALL_cuCtxPushCurrent, CALL_cuCtxPushCurrent_v2,
		CALL_cuCtxPopCurrent_v2, CALL_cuCtxSetCurrent,  CALL_cuDevicePrimaryCtxRetain,
	};
	path = NULL;
	for (size_t i = 0; i < sizeof(pushes) / sizeof(*pushes); i++) {
		run(pushes[i], 0x40000 + i, NULL);
		run(pushes[i], 0x40000 + i, NULL);
	}
	CHECK_TRACE("object of 40000\nobject of 40001\nobject of 40002\nobject of 40003\n"
		    "object of 40004\nobject of 40005\nobject of 40006\nobject of 40007\n"
		    "object of 40008\n");
	/* Callers that share a slot are known beside each other. */
	run(PUSH, 0x50000, NULL);
	run(PUSH, 0x50040, NULL);
	run(PUSH, 0x50080, NULL);
	CHECK_TRACE("object of 50000\nobject of 50040\nobject of 50080\n");
	run(PUSH, 0x50080, NULL);
	run(PUSH, 0x50000, NULL);
	run(PUSH, 0x50040, NULL);
	CHECK_TRACE("");
	/* Once 64 are known, others are looked at each time. */
	for (uintptr_t i = 0; i < 64 - 9 - 9 - 3; i++)
		run(PUSH, 0x60000 + i, NULL);
	(void)trace_take();
	run(PUSH, 0x60000, NULL);
	run(PUSH, 0x60000 + 64 - 9 - 9 - 3 - 1, NULL);
	CHECK_TRACE("");
	run(PUSH, 0x70000, NULL);
	run(PUSH, 0x70000, NULL);
	CHECK_TRACE("object of 70000\nobject of 70000\n");
}

#define CALLER (START + SIZE) /* in the extension */

static void test_no_abort(void)
{
	run(CALL_cuCtxPopCurrent_v2, CALLER, NULL);
	CHECK(!aborts(CALLER));
	run(CALL_cuCtxPopCurrent_v2, START, &context);
	CHECK(!aborts(START));
	is_recording = 0;
	CHECK(!aborts(CALLER));
	is_recording = 1;
	thread_slot.scope = &row; /* inside a call */
	CHECK(!aborts(CALLER));
	CHECK(thread_slot.scope == &row);
	thread_slot.scope = NULL;
	CHECK_TRACE("");
}

static void test_abort(void)
{
	CHECK(aborts(CALLER));
	CHECK_TRACE("PyCUDA aborts: context 0x44 is still on its stack: "
		    "Context.pop() was not called for it\n");
	CHECK(aborts(CALLER)); /* a line for one of several threads is enough */
	CHECK_TRACE("");
}

static void test_abort_after_failure(void)
{
	has_failed = true;
	context.row = &row;
	first_use = (struct context_use){.call = CALL_NAME, .stack = STACK};
	CHECK(aborts(CALLER));
	CHECK_TRACE("view\nPyCUDA aborts: context 0x44 of device 3, current since cuCtx from "
		    "1 frame of stack 21, is still on its stack: "
		    "the failure above came before Context.pop()\n");
}

int main(void)
{
	test_paths();
	test_bounds();
	test_callers();
	test_no_abort();
	check_in_child(test_abort);
	check_in_child(test_abort_after_failure);
	return 0;
}
