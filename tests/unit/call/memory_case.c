/*
 * memory_case.c - the driver and the recorder's tables, which trace what the stages ask of them.
 */
#include "call/call_parts.h"

#include "base/failure_class.h"
#include "call/describe.h"
#include "call/memory_case.h"
#include "check/argument_ranges.h"
#include "failure/failure.h"
#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/fault/fault.h"
#include "record/journal/sequence.h"
#include "record/objects/ranges.h"
#include "record/stacks/stack.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_rows.h"
#include "record/thread.h"
#include "rejection/exhaustion.h"
#include "rejection/rejected_line.h"
#include "support/check.h"

struct driver real;
uint32_t call_name_ids[N_DRIVER_CALLS];
uint64_t sequence_word = 30;
uint64_t streams_generation;
bool exhaustion_is_open = true;
int captures_under_way;

static struct thread thread;
static struct stream stream = {.id = 50};
static struct context context;
static bool is_freeing; /* the caller has noted that the thread is on its way to the driver */
struct memory_case memory_case = {.has_context = true, .has_stream = true};

static void trace_origin(const struct range_origin *origin)
{
	CHECK_EQUAL(origin->stack, 60);
	CHECK_EQUAL(origin->tid, 40);
	CHECK_EQUAL(origin->time_ns, 70);
	CHECK_EQUAL(origin->sequence, 30);
	trace_add(" by %s", driver_calls[origin->call - 1].name);
	if (origin->context)
		trace_add(" in context %u", origin->context);
	if (origin->stream)
		trace_add(" on stream %u", origin->stream);
	trace_add("\n");
}

void ranges_add(const struct range_shape *shape, const struct range_origin *origin)
{
	static const char *const kinds[] = {
#define NAME(name, number, words) [number] = #name,
		RANGE_KINDS(NAME)
#undef NAME
	};
	trace_add("%s %" PRIx64 " of %" PRIu64, kinds[shape->kind], shape->start, shape->size);
	if (shape->parent)
		trace_add(", maps %" PRIx64, shape->parent);
	if (shape->stream)
		trace_add(", stream %u", shape->stream);
	if (shape->flags || shape->device)
		trace_add(", flags %x, device %u", shape->flags, shape->device);
	trace_origin(origin);
}

uint32_t ranges_remove(uint64_t start, enum range_kind kind, const struct range_origin *origin)
{
	if (!start)
		return 0;
	trace_add("free %" PRIx64 " (%d)", start, kind);
	trace_origin(origin);
	return 8;
}

uint32_t ranges_remove_all(uint64_t start, uint64_t size, const struct range_origin *origin)
{
	trace_add("free all %" PRIx64 " of %" PRIu64, start, size);
	trace_origin(origin);
	return 9;
}

void ranges_removed(uint32_t id, bool is_gone)
{
	trace_add("%u %s\n", id, is_gone ? "is gone" : "is still there");
}

void ranges_grant(uint64_t start, uint64_t size, uint16_t access)
{
	trace_add("grant %" PRIx64 " of %" PRIu64 ": %x\n", start, size, access);
}

void ranges_context_destroyed(uint32_t id, const struct range_origin *origin)
{
	trace_add("context %u ends", id);
	trace_origin(origin);
}

void exhaustion_granted(uint64_t bytes)
{
	memory_case.granted += bytes;
}

void exhaustion_note_rejected(uint64_t bytes, int device, const struct range_origin *origin)
{
	trace_add("device %d refused %" PRIu64, device, bytes);
	trace_origin(origin);
}

void rejected_host_register(const struct rejected_call *call, uint64_t address, uint64_t size)
{
	trace_add("%s refused %" PRIx64 " of %" PRIu64 "\n", driver_calls[call->id].name, address,
		  size);
}

void rejected_host_release(const struct rejected_call *call, uint64_t address, uint8_t kind)
{
	trace_add("%s refused %" PRIx64 " (%u)\n", driver_calls[call->id].name, address, kind);
}

struct rejected_call rejection_of(const struct call *call, CUresult result)
{
	return (struct rejected_call){.id = call->id, .result = result};
}

void fault_managed_memory(void)
{
	trace_add("managed memory\n");
}

void argument_ranges_settle(void)
{
	trace_add("settle\n");
}

bool failure_has_happened(void)
{
	return memory_case.has_failed;
}

uint32_t call_name_discover(enum driver_call call)
{
	return (uint32_t)call + 1;
}

uint32_t stack_capture(struct stack_cache *cache, const void *frame)
{
	CHECK(cache == &thread.stacks && !frame);
	return 60;
}

uint64_t tick_clock_ask(struct tick_clock *clock)
{
	CHECK(clock == &thread.clock);
	return 70;
}

struct context *prepare_current_context(void)
{
	return memory_case.has_context ? &context : NULL;
}

uint32_t contexts_memory_id(const struct context *of)
{
	CHECK(of == &context);
	return 20;
}

CUstream describe_stream(const struct call *call)
{
	return (CUstream)(uintptr_t)call->id;
}

struct stream *streams_find(struct stream_cache *cache, CUstream handle, bool is_default_per_thread)
{
	CHECK(cache == &thread.streams);
	/* Streams do not vanish while they are looked up. */
	CHECK_EQUAL(thread.coming, is_freeing ? GRACE_ELSEWHERE : GRACE_COMING);
	CHECK_EQUAL(is_default_per_thread, driver_calls[(uintptr_t)handle].is_default_per_thread);
	return memory_case.has_stream ? &stream : NULL;
}

bool captures_ask(CUstream handle)
{
	return (uintptr_t)handle == CALL_cuMemAllocAsync_ptsz;
}

/* 3 bytes of the allocation are below the address. */
static CUresult get_range(CUdeviceptr *out_base, size_t *out_size, CUdeviceptr address)
{
	*out_base = address - 3;
	*out_size = 103;
	return address == 0x999 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static struct thread *thread_of_case(void)
{
	thread.tid = 40;
	real.cuMemGetAddressRange_v2 = get_range;
	return &thread;
}

void memory_case_allocated(enum driver_call id, const void *args, CUresult result)
{
	struct call call = {.id = id, .args = args, .thread = thread_of_case()};
	memory_alloc_after(&call, result);
	CHECK_EQUAL(thread.coming, GRACE_ELSEWHERE);
}

void memory_case_freed(enum driver_call id, const void *args, CUresult result)
{
	struct call call = {.id = id, .args = args, .thread = thread_of_case(), .freed = 7};
	is_freeing = true;
	memory_free_before(&call);
	is_freeing = false;
	memory_free_after(&call, result);
}

void memory_case_context_ended(enum driver_call id, uint32_t context_id)
{
	const struct call call = {.id = id, .thread = thread_of_case()};
	memory_context_ended(&call, context_id);
}
