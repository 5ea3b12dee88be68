/*
 * linked.c - a program that is linked with libcuda, as CuPy and PyCUDA are: its calls go through
 * the PLT. It starts up, launches, and exits in the way that its argument names.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cuda_api.h"
#include "where.h"

static void say(const char *what, CUresult result)
{
	printf("%s: %d\n", what, (int)result);
	fflush(stdout);
}

static CUresult launch(void)
{
	static int any_function;

	return cuLaunchKernel((CUfunction)&any_function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
}

static unsigned count(const char *name)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	unsigned (*fake_count)(const char *) =
		(unsigned (*)(const char *))(uintptr_t)dlsym(driver, "fake_count");

	return fake_count(name);
}

static void launch_once(void)
{
	print_where("cuLaunchKernel", (void *)(uintptr_t)cuLaunchKernel);
	say("cuLaunchKernel", launch());
	printf("the driver saw %u launch(es)\n", count("cuLaunchKernel"));
}

static void keep_errno(void)
{
	errno = 1234;
	cuInit(0);
	launch();
	cuMemFree_v2(0);
	cuDeviceGetName(NULL, 0, 0);
	dlsym(RTLD_DEFAULT, "cuInit");
	printf("errno: %d\n", errno);
}

/* Call an entry point that this driver lacks; it is linked lazily, so that the program starts. */
static void call_absent(void)
{
	CUlaunchConfig config = {0};

	say("cuLaunchKernelEx", cuLaunchKernelEx(&config, NULL, NULL, NULL));
	say("cuGetProcAddress_v2", cuGetProcAddress_v2("cuInit", NULL, 13000, 0, NULL));
}

static void fork_child(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		say("child", launch());
		exit(7);
	}
	waitpid(child, &status, 0);
	printf("child's status: %d\n", WEXITSTATUS(status));
	say("parent", launch());
}

static void exec_shell(void)
{
	fflush(stdout);
	execlp("sh", "sh", "-c", "echo from the shell", (char *)NULL);
	_exit(127);
}

static bool is_freeing_late;

/*
 * This handler is registered before the driver's own, so that it runs after the driver has shut
 * down.
 */
static void free_late(void)
{
	if (is_freeing_late)
		say("late cuMemFree", cuMemFree_v2(0x1000));
}

static void end_late(void)
{
	say("cuMemFree", cuMemFree_v2(0x1000));
	is_freeing_late = true;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} scenarios[] = {
		{"launch", launch_once}, {"errno", keep_errno}, {"absent", call_absent},
		{"fork", fork_child},    {"exec", exec_shell},  {"late", end_late},
	};

	for (size_t i = 0; argc > 1 && i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		if (strcmp(argv[1], scenarios[i].name) != 0)
			continue;
		atexit(free_late);
		say("cuInit", cuInit(0));
		scenarios[i].run();
		return 0;
	}
	fprintf(stderr, "usage: pitfall-linked SCENARIO\n");
	return 2;
}
