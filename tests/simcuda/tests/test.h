/*
 * test.h - a small frame for tests of the simulated driver. Each case runs in a process of its own,
 * because the driver reads its settings at load time and a failure lasts as long as the process.
 */
#ifndef SIMCUDA_TEST_H
#define SIMCUDA_TEST_H

#include <stdio.h>
#include <stdlib.h>

#include <cuda.h>

struct test_case {
	const char *name;
	void (*run)(void);
	const char *settings[4]; /* "SIMCUDA_...=..." */
};

/* Runs the case that the arguments name, or all; returns main's result. */
int test_main(int argc, char **argv, const struct test_case *cases, size_t n_cases);

#define TEST_MAIN(cases)                                                                 \
	int main(int argc, char **argv)                                                  \
	{                                                                                \
		return test_main(argc, argv, cases, sizeof(cases) / sizeof((cases)[0])); \
	}

_Noreturn void test_fail(const char *file, int line, const char *what, long long got,
			 long long wanted);

/* Functions, so that a case is as simple as it reads. */
void test_check_equal(const char *file, int line, const char *what, long long got,
		      long long wanted);

#define CHECK_EQUAL(got, wanted) \
	test_check_equal(__FILE__, __LINE__, #got, (long long)(got), (long long)(wanted))
#define CHECK(condition) test_check_equal(__FILE__, __LINE__, #condition, !!(condition), 1)
#define OK(call)         CHECK_EQUAL(call, CUDA_SUCCESS)

/* cuInit, a primary context on device 0, the test kernels. */
void test_start(void);
CUmodule test_module(void);
CUfunction test_function(const char *name);

/* One thread of a kernel of the tests, params as cuLaunchKernel takes them. */
CUresult test_launch(const char *name, CUstream stream, void **params);

/* Pinned memory for n ints, 0 each. */
int *test_pinned(size_t n);

/* Launches a kernel that waits for test_release(). */
int *test_hold(CUstream stream);

/* Stores to an address that no one has: the launch faults. */
void test_fault(CUstream stream);

/* Lets the kernel of test_hold() end. */
void test_release(int *flag);

/* Calls until it gives something else than success: that. */
CUresult test_first_error(CUresult (*call)(void));

#endif
