/*
 * test_call_enter.c - whether a call enters culprit: a thread's first call, one inside another
 * call, one after a call that was left without a return, and one while nothing is recorded.
 */
#include "call/call_scope.h"

#include <errno.h>
#include <signal.h>

#include "arch/frame.h"
#include "record/driver/captures.h"
#include "record/host/recording.h"
#include "record/objects/code_addresses.h"
#include "record/objects/functions.h"
#include "record/stacks/unwind_memory.h"
#include "record/streams/stream_rows.h"
#include "support/check.h"

enum { MAX_FRAME = 4096 };
#define ID       CALL_cuMemAlloc_v2
#define OTHER_ID CALL_cuMemFree_v2

static uint32_t is_recording = 1;
uint32_t *recording_flag = &is_recording;
__thread struct thread_slot thread_slot;

static struct thread thread = {.tid = 7};
static int host_errno;
static bool has_memory = true, is_scope_known = true;

/* A stretch of memory for the two calls and their frames; its middle is the new call's. */
static union {
	unsigned char bytes[1 << 16];
	uint64_t words[1 << 13];
} memory;
enum { MIDDLE = 1 << 15 };

/* Offsets in the memory: the stack of signal handlers, and the words that exist. */
static bool is_on_handlers_stack, is_handlers_stack_unknown;
static ptrdiff_t handlers_low, handlers_high;
static ptrdiff_t own_low = 0, own_high = 1 << 16;
static ptrdiff_t missing = -8;

static ptrdiff_t offset_of(uint64_t address)
{
	return (ptrdiff_t)(address - (uintptr_t)&memory);
}

int __wrap_sigaltstack(const stack_t *wanted, stack_t *old);
int __wrap_sigaltstack(const stack_t *wanted, stack_t *old)
{
	CHECK(!wanted);
	errno = EPERM;
	old->ss_sp = memory.bytes + handlers_low;
	old->ss_size = (size_t)(handlers_high - handlers_low);
	old->ss_flags = is_on_handlers_stack ? SS_ONSTACK : 0;
	return is_handlers_stack_unknown ? -1 : 0;
}

void unwind_memory_begin(struct unwind_memory *at, uint64_t sp)
{
	at->is_own = offset_of(sp) >= own_low && offset_of(sp) < own_high;
}

bool unwind_memory_ask(struct unwind_memory *at, uint64_t address)
{
	CHECK(!at->low && address % 8 == 0);
	return offset_of(address) != missing;
}

const void *thread_scope(enum driver_call *out_call)
{
	*out_call = thread_slot.call;
	return is_scope_known ? thread_slot.scope : NULL;
}

void thread_give_up_scope(void)
{
	errno = EPERM;
	host_errno = EPERM;
	thread_slot.scope = NULL;
	trace_add("given up\n");
}

int *thread_find_errno(void)
{
	return &host_errno;
}

struct thread *thread_start(void)
{
	host_errno = EPERM;
	trace_add("start\n");
	return has_memory ? &thread : NULL;
}

void thread_pass(void)
{
	trace_add("pass\n");
}

void functions_observed(void)
{
	trace_add("observed\n");
}

void code_addresses_stop_asking(void)
{
	trace_add("no questions\n");
}

void captures_started(void)
{
	trace_add("captures\n");
}

void streams_note_lost(void)
{
	trace_add("lost\n");
}

/* Return a frame whose caller's stack pointer, or the frame itself, is at this offset. */
static void *frame_at(ptrdiff_t offset)
{
	unsigned char *at = memory.bytes + offset;
#if defined(__x86_64__)
	return at - 2 * sizeof(uint64_t); /* see frame_sp() */
#else
	static struct frame_here here;
	here.sp = (uintptr_t)at;
	return &here;
#endif
}

/* Put a call into the memory. */
static struct call *call_at(ptrdiff_t offset, enum driver_call id, void *frame)
{
	struct call *call = (struct call *)(void *)(memory.bytes + offset);
	*call = (struct call){.id = id, .frame = frame};
	return call;
}

/*
 * Enter a call whose frame is at `sp`, while the thread's slot says that it is in the call at
 * `scope`; that call's frame is its own address. Returns true if the old call was given up.
 */
static bool gives_up(ptrdiff_t scope, ptrdiff_t sp)
{
	struct call *old = call_at(scope, OTHER_ID, memory.bytes + scope);
	struct call *call = call_at(MIDDLE, ID, frame_at(sp));
	thread_slot = (struct thread_slot){.current = &thread, .scope = old, .call = OTHER_ID};
	host_errno = EINTR;
	errno = ERANGE;
	struct thread *entered = call_scope_begin(call);
	CHECK_EQUAL(host_errno, EINTR);
	CHECK(thread_slot.scope == (entered ? call : old));
	CHECK_EQUAL(thread_slot.call, entered ? ID : OTHER_ID);
	CHECK_TRACE(entered ? "given up\n" : "");
	if (!entered)
		CHECK_EQUAL(errno, ERANGE);
	return entered;
}

/* Calls that overlap with the new one, and the bounds of it. */
static void test_overlap(void)
{
	const ptrdiff_t size = sizeof(struct call);
	own_high = 0; /* no stack is known */
	CHECK(!gives_up(MIDDLE - size, MIDDLE + size));
	CHECK(gives_up(MIDDLE - size + 8, MIDDLE + size + 8));
	CHECK(gives_up(MIDDLE + size, MIDDLE + size + 8));
	CHECK(!gives_up(MIDDLE + size, MIDDLE + size));
	own_high = 1 << 16;
	CHECK(gives_up(MIDDLE - size, MIDDLE + size));
	CHECK(!gives_up(MIDDLE + size, MIDDLE + size));
}

/* An old call below the new one was left, if both are on one stack. */
static void test_stacks(void)
{
	const ptrdiff_t old = 800, sp = MIDDLE + 800;
	CHECK(gives_up(old, sp));
	own_low = old;
	own_high = sp + 1;
	CHECK(gives_up(old, sp));
	own_low = old + 1;
	CHECK(!gives_up(old, sp));
	own_low = old;
	own_high = sp;
	CHECK(!gives_up(old, sp));
	/* On the handlers' stack, both are or none. */
	is_on_handlers_stack = true;
	handlers_low = old;
	handlers_high = sp + 1;
	CHECK(gives_up(old, sp));
	own_high = 1 << 16;
	handlers_low = old + 1;
	CHECK(!gives_up(old, sp));
	handlers_low = old;
	handlers_high = sp;
	CHECK(!gives_up(old, sp));
	is_handlers_stack_unknown = true;
	CHECK(gives_up(old, sp));
	is_handlers_stack_unknown = is_on_handlers_stack = false;
	CHECK(gives_up(old, sp));
	own_low = 0;
}

/* An old call above the new one lives, unless something else is in its place. */
static void test_whole(void)
{
	const ptrdiff_t old = MIDDLE + 8000, sp = MIDDLE + 800;
	struct call *call = call_at(MIDDLE, ID, frame_at(sp));
	struct call *other = call_at(old, OTHER_ID, NULL);
	static const struct {
		ptrdiff_t frame;
		bool is_whole;
	} cases[] = {{0, true},          {MAX_FRAME - 1, true},   {MAX_FRAME, false},
		     {-MAX_FRAME, true}, {-MAX_FRAME - 1, false}, {-old, false}};
	CHECK(!gives_up(old, sp));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		other->frame = memory.bytes + old + cases[i].frame;
		thread_slot =
			(struct thread_slot){.current = &thread, .scope = other, .call = OTHER_ID};
		CHECK(!call_scope_begin(call) == cases[i].is_whole);
		CHECK_TRACE(cases[i].is_whole ? "" : "given up\n");
	}
	other->frame = other;
	thread_slot = (struct thread_slot){.current = &thread, .scope = other, .call = ID};
	CHECK(call_scope_begin(call) == &thread);
	CHECK_TRACE("given up\n");
	/* Each word of it must exist, and those beside it need not. */
	const ptrdiff_t size = sizeof(struct call);
	for (missing = old - 8; missing <= old + size; missing += 8)
		CHECK(gives_up(old, sp) == (missing >= old && missing < old + size));
	missing = -8;
	is_scope_known = false;
	CHECK(!gives_up(MIDDLE - 800, sp));
	is_scope_known = true;
}

/* A thread's first call makes its state, if there is memory for it. */
static void test_first_call(void)
{
	struct call *call = call_at(MIDDLE, CALL_cuLaunchKernel, frame_at(MIDDLE));
	thread_slot = (struct thread_slot){.host_errno = NULL};
	host_errno = EINTR;
	CHECK(call_scope_begin(call) == &thread);
	CHECK(thread_slot.scope == call);
	CHECK_TRACE("start\n");
	CHECK_EQUAL(host_errno, EINTR);
	has_memory = false;
	thread_slot = (struct thread_slot){.host_errno = NULL};
	CHECK(!call_scope_begin(call));
	CHECK(!thread_slot.scope);
	CHECK_TRACE("start\nlost\n");
	CHECK_EQUAL(host_errno, EINTR);
}

static enum driver_call call_of(enum call_role role)
{
	unsigned id = 0;
	while (id < N_DRIVER_CALLS && driver_calls[id].role != role)
		id++;
	CHECK(id < N_DRIVER_CALLS);
	return (enum driver_call)id;
}

/* Calls that are not recorded: inside another one, and while recording is off. */
static void test_unseen(void)
{
#define NONE "off\n"
#define LOST "lost\noff\nlost\n"
#define HERE "lost\noff\n"
	static const char *const wanted[] = {
		[ROLE_PLAIN] = NONE,
		[ROLE_LAUNCH] = LOST,
		[ROLE_GRAPH_LAUNCH] = LOST,
		[ROLE_COPY] = LOST,
		[ROLE_MEMSET] = LOST,
		[ROLE_MEMOP] = LOST,
		[ROLE_HOST_FUNC] = NONE,
		[ROLE_EVENT_RECORD] = HERE,
		[ROLE_EVENT_WAIT] = NONE,
		[ROLE_SYNC] = NONE,
		[ROLE_QUERY] = NONE,
		[ROLE_ALLOC] = NONE,
		[ROLE_FREE] = NONE,
		[ROLE_CREATE] = HERE,
		[ROLE_CLEANUP] = HERE,
		[ROLE_CONTEXT] = NONE,
		[ROLE_CAPTURE] = "lost\ncaptures\noff\ncaptures\n",
		[ROLE_GRAPH] = HERE,
		[ROLE_GRAPH_EVENT] = HERE,
		[ROLE_MODULE] = HERE,
		[ROLE_LOOKUP] = NONE,
		[ROLE_LOG] = "observed\nno questions\noff\nobserved\nno questions\n",
		[ROLE_HOOK] = NONE,
	};
	is_scope_known = false;
	for (unsigned role = 0; role < sizeof(wanted) / sizeof(*wanted); role++) {
		enum driver_call id = call_of((enum call_role)role);
		struct call *call = call_at(MIDDLE, id, frame_at(MIDDLE));
		thread_slot = (struct thread_slot){.scope = &memory, .call = id};
		CHECK(!call_scope_begin(call));
		is_recording = 0;
		thread_slot.scope = NULL;
		trace_add("off\n");
		CHECK(!call_scope_begin(call));
		CHECK(!thread_slot.scope);
		is_recording = 1;
		CHECK_TRACE(wanted[role]);
	}
}

int main(void)
{
	test_overlap();
	test_stacks();
	test_whole();
	test_first_call();
	test_unseen();
	return 0;
}
