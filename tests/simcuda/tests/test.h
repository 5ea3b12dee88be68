/*
 * test.h - a small framework for tests of the simulated driver. Each case runs in a separate
 * process, because the driver reads its settings when it is loaded, and a failure lasts as long as
 * the process.
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

/* Run the case that the arguments name, or all. Return the result of main(). */
int test_main(int argc, char **argv, const struct test_case *cases, size_t n_cases);

#define TEST_MAIN(cases)                                                                 \
	int main(int argc, char **argv)                                                  \
	{                                                                                \
		return test_main(argc, argv, cases, sizeof(cases) / sizeof((cases)[0])); \
	}

_Noreturn void test_fail(const char *file, int line, const char *what, long long got,
			 long long wanted);

/* These are functions, so that the macros add no branches to a case. */
void test_check_equal(const char *file, int line, const char *what, long long got,
		      long long wanted);

#define CHECK_EQUAL(got, wanted) \
	test_check_equal(__FILE__, __LINE__, #got, (long long)(got), (long long)(wanted))
#define CHECK(condition) test_check_equal(__FILE__, __LINE__, #condition, !!(condition), 1)
#define OK(call)         CHECK_EQUAL(call, CUDA_SUCCESS)

/* Call cuInit, make device 0's primary context current, and load the test kernels. */
void test_start(void);
CUmodule test_module(void);
CUfunction test_function(const char *name);

/* Launch one thread of a test kernel; params as for cuLaunchKernel. */
CUresult test_launch(const char *name, CUstream stream, void **params);

/* Return zeroed pinned memory for n ints. */
int *test_pinned(size_t n);

/* Launch a kernel that waits for test_release(). */
int *test_hold(CUstream stream);

/* Launch a kernel that faults: it stores to an unallocated address. */
void test_fault(CUstream stream);

/* Let the kernel of test_hold() finish. */
void test_release(int *flag);

/* Repeat the call until it fails. Return its error. */
CUresult test_first_error(CUresult (*call)(void));

#endif
