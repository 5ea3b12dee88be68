/*
 * told_yields.c - a library to be preloaded in front of culprit: tells the program when a thread of
 * it offers its processor to others, which culprit does where it waits for one of them.
 */
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* The program finds it by dlsym. NULL: nobody is told. Atomic. */
EXPORT void (*tell_of_yield)(void);

EXPORT int sched_yield(void)
{
	void (*tell)(void) = __atomic_load_n(&tell_of_yield, __ATOMIC_ACQUIRE);

	if (tell)
		tell();
	return (int)syscall(SYS_sched_yield);
}
