/*
 * told_yields.c - a library to preload in front of culprit. It notifies the program when one of its
 * threads yields its processor, which culprit does while it waits for another thread.
 */
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* The program finds this by dlsym. NULL: no notification. Atomic. */
EXPORT void (*tell_of_yield)(void);

EXPORT int sched_yield(void)
{
	void (*tell)(void) = __atomic_load_n(&tell_of_yield, __ATOMIC_ACQUIRE);

	if (tell)
		tell();
	return (int)syscall(SYS_sched_yield);
}
