/*
 * launch_case.c - the recorder as launches see it, beside submit_stubs.c.
 */
#include "launch/launch_case.h"

#include <errno.h>

#include "call/call_scope.h"
#include "call/submission.h"
#include "record/driver/coredumps.h"
#include "record/objects/code_addresses.h"
#include "record/objects/whole_arguments.h"
#include "record/stacks/stack.h"
#include "record/streams/contexts.h"
#include "support/check.h"

__thread struct thread_slot thread_slot;
bool describe_is_blocking;
bool coredumps_watched;
uint64_t functions_generation = 6;
uint64_t stack_generation = 1;
uint32_t stack_check_interval;
const struct python *python_found;
struct whole_arguments_row *whole_arguments_rows;
uint64_t whole_arguments_turn;

static const uint64_t loads;
const uint64_t *loads_word = &loads;

const struct function launch_function = {.id = 31};
static struct function_cache_entry unknown_kernel = {.id = 32};
static struct unwind_state walked = {.id = 21};
static struct context context = {.handle = LAUNCH_CONTEXT};
void *launch_parameters[1], *launch_extra[1];
int launch_errno;
size_t launch_argument_size, launch_readable_size;
struct launch launch_other;
bool launch_is_recorded = true;

struct unwind_state *stack_walk(struct stack_cache *cache, const void *frame, uint64_t purpose)
{
	CHECK(cache == &submit_thread.stacks && frame);
	CHECK_EQUAL(purpose, (uintptr_t)LAUNCH_KERNEL);
	launch_errno = EPERM;
	return &walked;
}

void stack_compare(struct stack_cache *cache, const void *frame, uint32_t stack)
{
	CHECK(!cache && frame && stack);
}

uint32_t python_stack_take(const struct python *python, struct python_cache **cache,
			   uint32_t native, struct python_join *last)
{
	CHECK(!python && cache && last);
	return native;
}

size_t functions_copy_arguments(const struct function *of, void *const *values, void *const *packed,
				unsigned char *out, size_t capacity, size_t *out_copied)
{
	CHECK(!of || of == &launch_function);
	CHECK(!values || values == launch_parameters);
	size_t n = launch_readable_size < capacity ? launch_readable_size : capacity;
	trace_add("copy %d %d %d\n", of != NULL, values != NULL, packed != NULL);
	memset(out, 0x11, n < RECORD_PAYLOAD ? n : RECORD_PAYLOAD);
	if (n > RECORD_PAYLOAD)
		memset(out + RECORD_PAYLOAD, 0x22, n - RECORD_PAYLOAD);
	*out_copied = n;
	return launch_argument_size;
}

void whole_arguments_keep(const struct function *of, void *const *values, void *const *packed,
			  uint32_t tid, uint64_t time_ns)
{
	CHECK(of == &launch_function);
	trace_add("keep %d %d of %u at %" PRIu64 "\n", values != NULL, packed != NULL, tid,
		  time_ns);
}

const struct function_cache_entry *functions_look_up(struct function_cache *cache,
						     CUfunction handle)
{
	CHECK(cache == &submit_thread.functions && handle == LAUNCH_KERNEL);
	trace_add("look up\n");
	return &unknown_kernel;
}

void functions_miss(struct function_cache *cache, CUfunction handle)
{
	CHECK(cache == &submit_thread.functions && handle == LAUNCH_KERNEL);
	trace_add("miss\n");
}

void code_addresses_launched(CUfunction handle, CUcontext in)
{
	CHECK(handle == LAUNCH_KERNEL && in == LAUNCH_CONTEXT);
	trace_add("launched\n");
}

void describe_other_launch(const struct call *call, struct launch *out)
{
	CHECK(call->thread == &submit_thread);
	*out = launch_other;
	out->args = call->args;
}

void submission_capture(struct call *call, struct journal_record *record)
{
	trace_add("capture\n");
	call->row = ring_end(&submit_thread.ring, record);
	call->stream = NULL;
}

void submission_step_aside(struct call *call)
{
	CHECK(call->stream == &submit_stream);
	trace_add("step aside\n");
	call->unordered = call->stream;
	call->stream = NULL;
}

void submission_go_unordered(const struct call *call, struct journal_record *record)
{
	trace_add("unordered %d\n", call->unordered != NULL);
	record->flags |= RECORD_UNORDERED;
}

void submission_after(struct call *call, CUresult result)
{
	launch_errno = EPERM;
	trace_add("after %d stream %d row %d\n", (int)result, call->stream != NULL,
		  call->row != NULL);
	call->stream = NULL;
}

void submission_finished(const struct call *call, struct stream *stream)
{
	CHECK(stream == &submit_stream);
	trace_add("finished %" PRIu64 "\n", call->ordinal);
}

struct thread *call_scope_begin(struct call *call)
{
	trace_add("begin\n");
	if (!launch_is_recorded)
		return NULL;
	thread_slot.scope = call;
	return &submit_thread;
}

CUresult call_scope_leave(struct call *call, CUresult result,
			  void (*after)(struct call *call, CUresult result))
{
	trace_add("leave %d\n", (int)result);
	after(call, result);
	thread_slot.scope = NULL;
	return CUDA_ERROR_UNKNOWN;
}

static CUresult CUDAAPI get_current(CUcontext *current)
{
	trace_add("current\n");
	*current = LAUNCH_CONTEXT;
	return CUDA_SUCCESS;
}

void launch_know_kernel(uint16_t n_parameters, uint16_t size, const struct function *of)
{
	const struct function_cache_entry *slot =
		functions_slot(&submit_thread.functions, LAUNCH_KERNEL);
	struct function_cache_entry *entry =
		&submit_thread.functions.entries[slot - submit_thread.functions.entries];
	*entry = (struct function_cache_entry){.handle = LAUNCH_KERNEL,
					       .generation = functions_generation,
					       .function = of,
					       .id = 31,
					       .n_parameters = n_parameters,
					       .size = size};
	launch_argument_size = launch_readable_size = size;
}

void launch_know_stream(uint64_t key)
{
	submit_thread.streams.generation = streams_generation;
	submit_thread.streams.key = key;
	submit_thread.streams.stream = &submit_stream;
	submit_stream.context = &context;
}

void launch_begin(unsigned flags)
{
	submit_reset(flags);
	real.cuCtxGetCurrent = get_current;
	launch_know_stream((uintptr_t)LAUNCH_STREAM);
	launch_know_kernel(0, 0, NULL);
	thread_slot = (struct thread_slot){.current = &submit_thread, .host_errno = &launch_errno};
	launch_errno = EINTR;
}
