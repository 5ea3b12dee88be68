/* ends_throw.cpp - calls back with a C++ exception in flight. */
#include "callbacks.h"

namespace
{
struct guard {
	callback what;
	~guard()
	{
		what();
	}
};
} // namespace

static __attribute__((noinline)) void throw_under(callback what)
{
	guard guarded = {what};
	throw 1;
}

extern "C" void throw_through(callback what)
{
	try {
		throw_under(what);
	} catch (int) {
		what();
	}
}
