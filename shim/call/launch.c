/*
 * launch.c - a kernel launch from its entry point to the driver and back. All that each launch runs
 * is here or inlined from headers: in cold caches, a separate function costs each launch one more
 * line of code and of the stack. The rare paths are out of line.
 */
#include "call/call.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/hot.h"
#include "call/call_parts.h"
#include "call/call_scope.h"
#include "call/describe.h"
#include "call/submission.h"
#include "failure/doubt.h"
#include "record/driver/captures.h"
#include "record/journal/call_names.h"
#include "record/journal/sequence.h"
#include "record/objects/code_addresses.h"
#include "record/objects/function_store.h"
#include "record/objects/functions.h"
#include "record/objects/whole_arguments.h"
#include "record/stacks/stack.h"
#include "record/streams/contexts.h"
#include "record/streams/streams.h"

/*
 * Argument bytes kept for one launch: two rows of the ring. Pointers and sizes come first in the
 * usual kernel. Eight rows made a launch of PyTorch 1.3 us slower (H200 host): so many stores to
 * memory outside the caches fill the processor's store buffer.
 */
enum { MAX_ARGUMENT_BYTES = 2 * RECORD_PAYLOAD };

/* The argument rows of a launch, as its record describes them. Fits a register. */
struct kept_arguments {
	uint32_t n_bytes;
	uint16_t n_rows;
	uint16_t flags; /* enum record_flags */
};

/* Start an argument row with a zeroed payload. */
static inline struct journal_record *begin_arguments(struct thread *thread)
{
	struct journal_record *row = ring_begin(&thread->ring);
	*row = (struct journal_record){.kind = RECORD_ARGUMENTS, .tid = thread->tid};
	return row;
}

/* Append the arguments as whole rows, zero-padded. Returns the number of rows. */
static inline uint16_t append_arguments(struct thread *thread, const unsigned char *bytes,
					size_t size)
{
	uint16_t n = 0;
	for (size_t at = 0; at < size; at += RECORD_PAYLOAD, n++) {
		struct journal_record *row = begin_arguments(thread);
		memcpy(row->argument_bytes, bytes + at, RECORD_PAYLOAD);
		(void)ring_end(&thread->ring, row);
	}
	return n;
}

/* Slow path: arguments that may not fit in one row. */
static HOT __attribute__((noinline)) struct kept_arguments
keep_long_arguments(const struct call *call, const struct function *function,
		    void *const *parameters, void *const *extra)
{
	unsigned char bytes[MAX_ARGUMENT_BYTES] = {0};
	size_t copied = 0;
	size_t size = functions_copy_arguments(function, parameters, extra, bytes, sizeof(bytes),
					       &copied);
	if (copied < size)
		whole_arguments_keep(function, parameters, extra, call->thread->tid, call->time_ns);
	return (struct kept_arguments){
		.n_bytes = (uint32_t)copied,
		.n_rows = append_arguments(call->thread, bytes, copied),
		.flags = copied < size ? RECORD_ARGUMENTS_CUT : 0,
	};
}

static HOT __attribute__((noinline)) struct kept_arguments
keep_arguments(struct thread *thread, const struct function *function, void *const *parameters)
{
	struct journal_record *row = begin_arguments(thread);
	size_t copied = 0;
	size_t size = functions_copy_arguments(function, parameters, NULL, row->argument_bytes,
					       RECORD_PAYLOAD, &copied);
	if (LIKELY(copied))
		(void)ring_end(&thread->ring, row);
	return (struct kept_arguments){
		.n_bytes = (uint32_t)copied,
		.n_rows = copied != 0,
		.flags = copied < size ? RECORD_ARGUMENTS_CUT : 0,
	};
}

/* Write the argument rows, which come before the launch's own row. */
static inline struct kept_arguments journal_arguments(const struct call *call,
						      const struct function_cache_entry *kernel,
						      const struct args_cuLaunchKernel *args)
{
	const struct function *function = kernel->function;
	if (UNLIKELY(!kernel->n_parameters) && !(args->extra && function))
		return (struct kept_arguments){0};
	if (UNLIKELY(!args->kernelParams) || UNLIKELY(kernel->size > RECORD_PAYLOAD))
		return keep_long_arguments(call, function, args->kernelParams, args->extra);
	return keep_arguments(call->thread, function, args->kernelParams);
}

static_assert(offsetof(struct record_launch, block) == offsetof(struct record_launch, grid) + 12,
	      "written as one array");
static_assert(offsetof(struct record_launch, n_argument_rows) ==
		      offsetof(struct record_launch, cluster) + 6,
	      "written as one word");

/*
 * Write directly into the row: every byte except the commit and the stack, because the row still
 * holds an old record.
 */
static inline void write_launch(struct thread *thread, const struct call *call,
				const struct launch *launch, uint32_t function,
				struct kept_arguments kept, struct journal_record *row)
{
	row->sequence = 0;
	row->time_ns = call->time_ns;
	row->ordinal = 0;
	row->tid = thread->tid;
	row->stream = 0;
	row->result = RESULT_PENDING;
	row->call = call_name_cached(&thread->call_name, call->id);
	row->kind = RECORD_SUBMISSION;
	row->work = WORK_KERNEL;
	row->flags = launch->flags;
	row->launch.function = function;
	/* Copy grid and block together, since they are adjacent: see IS_SHAPE() of describe.c. */
	memcpy((char *)&row->launch + offsetof(struct record_launch, grid), &launch->args->gridDimX,
	       sizeof(row->launch.grid) + sizeof(row->launch.block));
	uint64_t word = launch->cluster | (uint64_t)kept.n_rows << 48;
	memcpy((char *)&row->launch + offsetof(struct record_launch, cluster), &word, sizeof(word));
	row->launch.shared_bytes = launch->args->sharedMemBytes;
	row->launch.argument_bytes = kept.n_bytes;
	memset(row->argument_bytes + sizeof(row->launch), 0, RECORD_PAYLOAD - sizeof(row->launch));
}

/*
 * Return a stream other than the explicit one of the thread's last launch. The call's facts say
 * which of the two default streams it means, but they are in a distant cache line.
 */
static HOT __attribute__((noinline)) struct stream *
other_stream(struct thread *thread, enum driver_call id, CUstream handle)
{
	bool may_be_legacy = id == CALL_cuLaunchKernel || id == CALL_cuLaunchKernelEx;
	struct stream *stream =
		!handle && may_be_legacy ? streams_legacy_cached(&thread->streams) : NULL;
	return LIKELY(stream) ? stream
			      : streams_find(&thread->streams, handle,
					     driver_calls[id].is_default_per_thread);
}

static inline struct stream *stream_of(struct thread *thread, const struct call *call,
				       const struct launch *launch)
{
	if (UNLIKELY(launch->flags & RECORD_UNORDERED))
		return NULL;
	CUstream handle = launch->args->hStream;
	struct stream *stream = streams_cached(&thread->streams, handle);
	return LIKELY(stream) ? stream : other_stream(thread, call->id, handle);
}

/* Submit without order: into a graph, past the stream's lock, or to an unknown stream. */
static COLD void submit_unlocked(struct thread *thread, struct call *call,
				 struct journal_record *row, bool is_captured)
{
	if (is_captured) {
		submission_capture(call, row);
		return;
	}
	if (call->stream)
		submission_step_aside(call);
	submission_go_unordered(call, row);
	row->sequence = sequence_next();
	submission_end(thread, call, row);
}

/* Submit to the stream, which is locked. */
static inline void submit(struct thread *thread, struct call *call, struct stream *stream,
			  struct journal_record *row)
{
	call->ordinal = stream->row->submitted + 1;
	row->ordinal = call->ordinal;
	row->stream = stream->id;
	row->sequence = sequence_next();
	submission_end(thread, call, row);
}

/*
 * Prefetch what is read after the stack, while the stack is verified. None of it depends on the
 * stack, but a processor that waits for the stack's words does not run ahead so far by itself.
 */
static inline __attribute__((always_inline)) void prefetch_rest(const struct thread *thread,
								CUfunction f)
{
	const struct function_cache_entry *kernel = functions_slot(&thread->functions, f);
	const struct stream *stream = thread->streams.stream;
	__builtin_prefetch(kernel->function);
	if (UNLIKELY(kernel->size > MAX_ARGUMENT_BYTES))
		whole_arguments_prefetch(kernel->size);
	if (UNLIKELY(!stream))
		return;
	__builtin_prefetch(stream, 1);
	__builtin_prefetch(&stream->progress.newest, 1);
	__builtin_prefetch(&stream->row->submitted, 1);
}

/* Leave the launch slowly, to note what it has shown of the kernel. */
static COLD const struct function_cache_entry *look_up_kernel(struct thread *thread, CUfunction f)
{
	thread->new_kernel = f;
	thread_slot.slow |= THREAD_HAS_NEW_KERNEL;
	return functions_look_up(&thread->functions, f);
}

static inline __attribute__((always_inline)) void launch_before(struct thread *thread,
								struct call *call)
{
	submission_begin(thread, call);
	struct launch launch = describe_launch(call);
	prefetch_rest(thread, launch.args->f);
	uint32_t stack = stack_capture_hot(&thread->stacks, call->frame, (uintptr_t)launch.args->f);
	uint16_t ranges = submission_ranges(thread);
	const struct function_cache_entry *kernel =
		functions_cached(&thread->functions, launch.args->f);
	if (UNLIKELY(!kernel))
		kernel = look_up_kernel(thread, launch.args->f);
	struct kept_arguments kept = journal_arguments(call, kernel, launch.args);
	launch.flags |= ranges | kept.flags;
	struct stream *stream = call->stream = stream_of(thread, call, &launch);
	bool is_captured = LIKELY(stream) && UNLIKELY(captures_stream(stream->handle));
	/*
	 * Take the row after asking the driver, which may write rows. Take it before the lock, so
	 * that no other thread waits for the lock while the row's memory arrives.
	 */
	struct journal_record *row = ring_begin(&thread->ring);
	write_launch(thread, call, &launch, kernel->id, kept, row);
	row->stack = stack;
	if (LIKELY(stream) && LIKELY(!is_captured) && LIKELY(streams_lock(stream, thread->tid)))
		submit(thread, call, stream, row);
	else
		submit_unlocked(thread, call, row, is_captured);
}

HOT bool launch_enter(struct call *call, enum driver_call id, const void *args, void *frame)
{
	call_scope_fill(call, id, args, frame);
	struct thread *thread = call_scope_enter(call, id);
	if (UNLIKELY(!thread))
		return false;
	int host_errno = *thread_slot.host_errno;
	launch_before(thread, call);
	*thread_slot.host_errno = host_errno;
	grace_launch(&thread->coming);
	return true;
}

/* Note that the driver accepted the launch. */
static inline void launch_after(struct thread *thread, struct call *call)
{
	struct stream *stream = call->stream;
	struct journal_record *row = call->row;
	if (UNLIKELY(!stream) || UNLIKELY(!row)) {
		submission_after(call, CUDA_SUCCESS);
		return;
	}
	__atomic_store_n(&row->result, CUDA_SUCCESS, __ATOMIC_RELEASE);
	submission_accept(call, stream, row);
	streams_unlock(stream, thread->tid);
}

/* Only an accepted launch has loaded the kernel. Otherwise the next launch looks it up again. */
static COLD void note_new_kernel(struct thread *thread, CUcontext context)
{
	thread_slot.slow &= (uint8_t)~THREAD_HAS_NEW_KERNEL;
	if (context)
		code_addresses_launched(thread->new_kernel, context);
	else
		functions_miss(&thread->functions, thread->new_kernel);
}

static COLD void after_slowly(struct call *call, CUresult result)
{
	/* While a launch is captured, it has no stream. */
	bool is_launched = result == CUDA_SUCCESS && call->stream;
	CUcontext context = is_launched ? call->stream->context->handle : NULL;
	submission_after(call, result);
	if (thread_slot.slow & THREAD_HAS_NEW_KERNEL)
		note_new_kernel(call->thread, context);
}

static COLD CUresult leave_slowly(struct call *call, CUresult result)
{
	return call_scope_leave(call, result, after_slowly);
}

/* The fast path of call_scope_leave(). */
HOT CUresult launch_leave(struct call *call, CUresult result)
{
	if (UNLIKELY(result != CUDA_SUCCESS) || UNLIKELY(doubt_is_on()) ||
	    UNLIKELY(thread_slot.slow) || !call_scope_goes_on(call))
		return leave_slowly(call, result);
	struct thread *thread = call->thread;
	grace_return(&thread->coming);
	int host_errno = *thread_slot.host_errno;
	launch_after(thread, call);
	thread_slot.scope = NULL; /* thread_leave() without a state to release */
	*thread_slot.host_errno = host_errno;
	return CUDA_SUCCESS;
}
