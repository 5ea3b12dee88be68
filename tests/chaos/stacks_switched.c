/*
 * stacks_switched.c - stacks that a program made itself.
 */
#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

#include "host.h"
#include "stacks.h"
#include "stacks_switched.h"
#include "switch_machine.h"

#define NOINLINE __attribute__((noinline))

enum { PAGE = 4096, LIBCO_BELOW_END = 32 };

static size_t some_size(void)
{
	return (size_t)(6 + chaos_random(8)) * PAGE;
}

__asm__(".text\n" SWITCH_CODE);
void swap_stacks(void **from, void *to);
void bottom(void);

static __thread void *outside, *inside;

static NOINLINE void run_coroutine(void)
{
	for (;;) {
		chaos_launch();
		swap_stacks(&inside, outside);
	}
}

static void *new_coroutine(char *end, void (*start)(void))
{
	return switch_prepare((uint64_t *)(void *)(end - LIBCO_BELOW_END), start, bottom);
}

void chaos_libco(void)
{
	size_t size = some_size();
	char *end = chaos_map(size);

	inside = new_coroutine(end, run_coroutine);
	for (unsigned n = 1 + chaos_random(3); n; n--)
		swap_stacks(&outside, inside);
	chaos_unmap(end, size);
}

/*
 * The unwind rules of these functions count from the stack pointer, so on another stack they lead
 * past its end.
 */
#define CALL_ON(name, frame_size)                 \
	static NOINLINE void name(char *end)      \
	{                                         \
		volatile char frame[frame_size];  \
		frame[frame_size / 2] = 0;        \
		SWITCH_CALL(end, chaos_launch);   \
		frame[0] = frame[frame_size / 2]; \
	}
CALL_ON(call_on_small, 16)
CALL_ON(call_on_large, 5000)
CALL_ON(call_on_larger, 70000)

/* The callee seems to be called from the address after the jump; nothing contradicts this. */
static NOINLINE void jump_on(char *end)
{
	volatile char frame[400];

	frame[200] = 0;
	SWITCH_JUMP(end, chaos_launch);
	frame[0] = frame[200];
}

void chaos_assembly(void)
{
	static void (*const calls[])(char *end) = {call_on_small, call_on_large, call_on_larger,
						   jump_on};
	size_t size = some_size();
	char *end = chaos_map(size);

	calls[chaos_random(sizeof(calls) / sizeof(calls[0]))](end);
	chaos_unmap(end, size);
}

static __thread ucontext_t host, contexts[2];

static void run_context(void)
{
	for (;;) {
		chaos_launch();
		/* The address of the current stack shows which of the two contexts is running. */
		uintptr_t here = (uintptr_t)__builtin_frame_address(0);
		uintptr_t first = (uintptr_t)contexts[0].uc_stack.ss_sp;
		int which = here - first >= contexts[0].uc_stack.ss_size;

		NEED_TRUE(swapcontext(&contexts[which], &host) == 0);
	}
}

static void make_context(ucontext_t *context, char *end, size_t size)
{
	NEED_TRUE(getcontext(context) == 0);
	context->uc_stack.ss_sp = end - size;
	context->uc_stack.ss_size = size;
	makecontext(context, run_context, 0);
}

void chaos_makecontext(void)
{
	size_t size = some_size();
	char *end = chaos_map(2 * size);

	make_context(&contexts[0], end, size);
	make_context(&contexts[1], end - size, size);
	for (unsigned n = 1 + chaos_random(6); n; n--)
		NEED_TRUE(swapcontext(&host, &contexts[chaos_random(2)]) == 0);
	chaos_unmap(end, 2 * size);
}

static void on_signal(int number)
{
	(void)number;
	chaos_launch();
}

static void interrupt(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

	NEED_TRUE(sigaction(SIGUSR1, &action, NULL) == 0);
	NEED_TRUE(raise(SIGUSR1) == 0);
}

static void interrupt_with(void (*what)(void))
{
	size_t size = (size_t)(10 + chaos_random(8)) * PAGE;
	char *end = chaos_map(size);
	stack_t stack = {.ss_sp = end - size, .ss_size = size};

	NEED_TRUE(sigaltstack(&stack, NULL) == 0);
	what();
	NEED_TRUE(sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL) == 0);
	chaos_unmap(end, size);
}

void chaos_signal(void)
{
	interrupt_with(interrupt);
}

static void interrupt_there(void)
{
	interrupt();
	swap_stacks(&inside, outside);
}

static void run_inside(void)
{
	swap_stacks(&outside, inside);
}

void chaos_signal_in_coroutine(void)
{
	size_t size = some_size();
	char *end = chaos_map(size);

	inside = new_coroutine(end, interrupt_there);
	interrupt_with(run_inside);
	chaos_unmap(end, size);
}
