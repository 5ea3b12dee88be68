/*
 * throwing.cpp - throw through several frames after cuInit, and print whose unwinder did the work.
 */
#include <cstdio>
#include <stdexcept>

#include "base/cuda_api.h"
#include "where.h"

struct guard {
	~guard()
	{
		std::puts("destructor");
	}
};

static void throw_at(int depth)
{
	guard local;

	if (depth == 0)
		throw std::runtime_error("from the depth");
	throw_at(depth - 1);
}

int main()
{
	std::printf("cuInit: %d\n", static_cast<int>(cuInit(0)));
	try {
		throw_at(2);
	} catch (const std::exception &error) {
		std::printf("caught: %s\n", error.what());
	}
	print_where("unwinder", dlsym(RTLD_DEFAULT, "_Unwind_RaiseException"));
	return 0;
}
