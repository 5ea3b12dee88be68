/*
 * symbols_target.cpp - see symbols_target.h. Its lines are known by __LINE__ beside each call.
 */
#include "support/symbols_target.h"

namespace target
{

static unsigned inner_line, middle_line, outer_line;

__attribute__((noinline)) static void *caller()
{
	return __builtin_return_address(0);
}

template <typename Number> __attribute__((always_inline)) static inline void *inner(Number *calls)
{
	++*calls;
	inner_line = __LINE__ + 1;
	void *address = caller();
	++*calls; /* the call must not become a jump */
	return address;
}

__attribute__((always_inline)) static inline void *middle(int *calls)
{
	middle_line = __LINE__ + 1;
	return inner<int>(calls);
}

struct Class {
	volatile int calls = 0;
	__attribute__((noinline)) void *outer();
};

void *Class::outer()
{
	int count = calls;
	outer_line = __LINE__ + 1;
	void *address = middle(&count);
	calls = count;
	return address;
}

__attribute__((noinline)) static void *jumped_to(int)
{
	return __builtin_return_address(0);
}

static unsigned jump_line;

__attribute__((noinline)) static void *jumps(int calls)
{
	jump_line = __LINE__ + 1;
	return jumped_to(calls + 1);
}

__attribute__((noinline)) static void *calls_jumps(volatile int *calls)
{
	void *address = jumps(*calls);
	++*calls; /* the call must not become a jump */
	return address;
}

} // namespace target

extern "C" void *target_after_jump(unsigned *out_line)
{
	volatile int calls = 0;
	void *address = target::calls_jumps(&calls);
	*out_line = target::jump_line;
	return address;
}

extern "C" void *target_return_address(unsigned lines[3])
{
	target::Class object;
	void *address = object.outer();

	lines[0] = target::inner_line;
	lines[1] = target::middle_line;
	lines[2] = target::outer_line;
	return address;
}
