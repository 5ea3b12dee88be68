/*
 * driver_ioctl.c - the exported ioctl: libcuda's calls of its kernel modules pass through it. All
 * that it costs other calls is one comparison and a jump.
 */
#include <stdint.h>

#include "base/hot.h"
#include "entry/entry.h"
#include "record/fault/fault.h"
#include "record/fault/fault_states.h"
#include "record/fault/next_ioctl.h"
#include "record/streams/contexts.h"

/*
 * Defined with three arguments: a request has one at most, which is in the same register with and
 * without "...". It is passed on as it is: a caller that gives none leaves any value there.
 */
EXPORT int driver_ioctl(int fd, unsigned long request, void *argument) __asm__("ioctl");

static COLD int control(int fd, unsigned long request, void *argument)
{
	int result = next_ioctl()(fd, request, argument);
	if (result == 0 && argument && fault_is_watching())
		fault_states_seen(fd, argument, contexts_are_one());
	return result;
}

/* The kernel looks at 32 bits of the request: a caller with an int has extended its sign. */
EXPORT int driver_ioctl(int fd, unsigned long request, void *argument)
{
	if (UNLIKELY((uint32_t)request == RM_CONTROL))
		return control(fd, request, argument);
	return next_ioctl()(fd, request, argument);
}
