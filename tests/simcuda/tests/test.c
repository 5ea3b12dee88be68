/*
 * test.c - run each case in a separate process, and helpers that many cases need.
 */
#include "test.h"

#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static CUmodule module;

static void run_case(const struct test_case *test, char *program)
{
	char name[64];
	char *arguments[] = {program, name, NULL};
	snprintf(name, sizeof(name), "%s", test->name);
	for (size_t i = 0; i < 4 && test->settings[i]; i++)
		if (putenv(strdup(test->settings[i])) != 0)
			_exit(EXIT_FAILURE);
	execv(program, arguments);
	_exit(EXIT_FAILURE);
}

static int run_in_child(const struct test_case *test, char *program)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0)
		run_case(test, program);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return EXIT_FAILURE;
	printf("%s %s\n", WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "ok    " : "FAILED",
	       test->name);
	if (WIFSIGNALED(status))
		printf("       killed by signal %d\n", WTERMSIG(status));
	fflush(stdout);
	return status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int test_main(int argc, char **argv, const struct test_case *cases, size_t n_cases)
{
	int result = EXIT_SUCCESS;
	int n_found = 0;
	for (size_t i = 0; i < n_cases; i++) {
		if (argc == 1 && run_in_child(&cases[i], argv[0]) != 0)
			result = EXIT_FAILURE;
		if (argc == 2 && strcmp(argv[1], cases[i].name) == 0) {
			alarm(300); /* a lost wake-up must not hang the build */
			cases[i].run();
			n_found++;
		}
	}
	return argc == 1 || n_found == 1 ? result : EXIT_FAILURE;
}

_Noreturn void test_fail(const char *file, int line, const char *what, long long got,
			 long long wanted)
{
	fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line, what, got, wanted);
	_exit(EXIT_FAILURE);
}

void test_check_equal(const char *file, int line, const char *what, long long got, long long wanted)
{
	if (got != wanted)
		test_fail(file, line, what, got, wanted);
}

void test_start(void)
{
	OK(cuInit(0));
	CUcontext context = NULL;
	OK(cuDevicePrimaryCtxRetain(&context, 0));
	OK(cuCtxSetCurrent(context));
}

CUmodule test_module(void)
{
	if (!module)
		OK(cuModuleLoad(&module, TEST_KERNELS));
	return module;
}

CUfunction test_function(const char *name)
{
	CUfunction function = NULL;
	OK(cuModuleGetFunction(&function, test_module(), name));
	return function;
}

CUresult test_launch(const char *name, CUstream stream, void **params)
{
	return cuLaunchKernel(test_function(name), 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

int *test_pinned(size_t n)
{
	void *memory = NULL;
	OK(cuMemHostAlloc(&memory, n * sizeof(int), 0));
	memset(memory, 0, n * sizeof(int));
	return memory;
}

int *test_hold(CUstream stream)
{
	int *flag = test_pinned(1);
	void *params[] = {&flag};
	OK(test_launch("wait_for", stream, params));
	return flag;
}

void test_release(int *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

void test_fault(CUstream stream)
{
	int *address = (int *)64;
	int value = 1;
	size_t index = 0;
	void *params[] = {&address, &index, &value};
	OK(test_launch("store", stream, params));
}

CUresult test_first_error(CUresult (*call)(void))
{
	CUresult result;
	do
		result = call();
	while (result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_READY);
	return result;
}
