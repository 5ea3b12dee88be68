/*
 * first.c - launch a kernel that fails, let the GPU fail without calling the driver, make the one
 * call that is named, and print PASSED or FAILED by its result. This shows whether a tool that is
 * loaded as well hides the first error.
 *
 * usage: first CALL | --list      exit status: 0 passed, 1 failed, 2 could not be run
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "observers.h"
#include "owned.h"

/*
 * simcuda writes a line to this file when the kernel fails. A GPU's driver reports the failure only
 * to its callers, so the program waits for the longest time that this takes.
 */
static void let_it_fail(const char *truth)
{
	const struct timespec half_a_second = {.tv_nsec = 500000000};
	const struct timespec millisecond = {.tv_nsec = 1000000};

	if (!truth)
		nanosleep(&half_a_second, NULL);
	while (truth && access(truth, F_OK) != 0)
		nanosleep(&millisecond, NULL);
}

static const struct observer *find_observer(const char *name)
{
	const struct observer *observer = observers;

	while (observer->name && strcmp(observer->name, name) != 0)
		observer++;
	return observer->name ? observer : NULL;
}

/* A call that destroys its context must not destroy the primary one. */
static bool needs_own_context(const struct observer *observer)
{
	return strncmp(observer->name, "cuCtx", 5) == 0 && strcmp(observer->kind, "release") == 0;
}

static int list(void)
{
	for (const struct observer *observer = observers; observer->name; observer++)
		printf("%-28s %s\n", observer->name, observer->kind);
	return 0;
}

int main(int argc, char **argv)
{
	static struct owned owned;
	const char *truth = getenv("SIMCUDA_TRUTH");
	const struct observer *observer = argc == 2 ? find_observer(argv[1]) : NULL;

	if (argc == 2 && strcmp(argv[1], "--list") == 0)
		return list();
	if (!observer) {
		fputs("usage: first CALL | --list\n", stderr);
		return 2;
	}
	if (truth)
		(void)unlink(truth);
	owned_make(&owned, needs_own_context(observer));
	if (observer->prepare)
		observer->prepare(&owned);
	NEED(cuEventRecord(owned.event, owned.stream));
	owned_fail(&owned); /* The last call before the named one: any later call may report the
			       failure. */
	let_it_fail(truth);
	CUresult code = observer->call(&owned);
	printf("%s %d\n%s\n", observer->name, (int)code, code ? "FAILED" : "PASSED");
	return code ? 1 : 0;
}
