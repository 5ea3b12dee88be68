/*
 * next_ioctl.h - the ioctl() that callers would reach without culprit, which exports one as well.
 */
#ifndef CULPRIT_RECORD_NEXT_IOCTL_H
#define CULPRIT_RECORD_NEXT_IOCTL_H

#include "base/hot.h"

typedef int (*ioctl_function)(int fd, unsigned long request, ...);

/* NULL until it is found. Atomic: all threads store the same. */
extern __attribute__((visibility("hidden"))) ioctl_function next_ioctl_found;
ioctl_function next_ioctl_find(void);

/*
 * Return the next definition after ours among the objects of the program's start: another
 * preloaded library's, or the C library's. Takes no lock and calls no C library. Any thread, also
 * before any constructor. Signal-safe.
 */
static inline ioctl_function next_ioctl(void)
{
	ioctl_function next = __atomic_load_n(&next_ioctl_found, __ATOMIC_RELAXED);
	return LIKELY(next) ? next : next_ioctl_find();
}

#endif
