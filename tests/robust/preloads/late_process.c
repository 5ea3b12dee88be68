/*
 * late_process.c - a library to preload in front of culprit: as on a busy machine, the first
 * process that is made by clone() comes LATE_PROCESS_MS milliseconds later, or starts its work
 * LATE_WORK_MS later. Or it makes the bundle, and continues after the journal's memory was removed:
 * with LATE_UNTIL_GONE=link before it writes meta.json, with =check before it looks at the memory.
 */
#include <dlfcn.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static int (*work)(void *);

static int work_late(void *argument)
{
	(void)usleep((useconds_t)(1000 * atoi(getenv("LATE_WORK_MS"))));
	return work(argument);
}

EXPORT int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
	static bool is_later; /* atomic */
	const char *late_ms = getenv("LATE_PROCESS_MS");
	int (*real)(int (*)(void *), void *, int, void *, ...) = NULL;
	void *address = dlsym(RTLD_NEXT, "clone");
	memcpy(&real, &address, sizeof(real));
	va_list rest;
	va_start(rest, argument);
	pid_t *parent_number = va_arg(rest, pid_t *);
	void *thread_memory = va_arg(rest, void *);
	pid_t *child_number = va_arg(rest, pid_t *);
	va_end(rest);
	bool is_first = !__atomic_exchange_n(&is_later, true, __ATOMIC_RELAXED);
	if (late_ms && is_first)
		(void)usleep((useconds_t)(1000 * atoi(late_ms)));
	if (getenv("LATE_WORK_MS") && is_first) {
		work = function;
		function = work_late;
	}
	return real(function, stack, flags, argument, parent_number, thread_memory, child_number);
}

/* Find the next definition after this library's. */
#define FIND_REAL(call) memcpy(&real_, &(void *){dlsym(RTLD_NEXT, call)}, sizeof(real_))

static int real_access(const char *path, int mode)
{
	int (*real_)(const char *, int);
	FIND_REAL("access");
	return real_(path, mode);
}

static void wait_until_gone(const char *memory, const char *place)
{
	const char *late = getenv("LATE_UNTIL_GONE");
	if (!late || strcmp(late, place) != 0 || !strstr(memory, "/culprit-live-"))
		return;
	while (real_access(memory, F_OK) == 0)
		(void)sched_yield();
}

EXPORT int symlinkat(const char *target, int directory_fd, const char *path)
{
	int (*real_)(const char *, int, const char *);
	FIND_REAL("symlinkat");
	int result = real_(target, directory_fd, path);
	wait_until_gone(target, "link");
	return result;
}

EXPORT int access(const char *path, int mode)
{
	wait_until_gone(path, "check");
	return real_access(path, mode);
}
