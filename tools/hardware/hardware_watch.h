/*
 * hardware_watch.h - watch the GPUs of this machine while a command runs. NVML may take long or
 * hang, so a helper process calls it, beside the command. The kernel kills it when culprit exits.
 */
#ifndef CULPRIT_TOOLS_HARDWARE_WATCH_H
#define CULPRIT_TOOLS_HARDWARE_WATCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "hardware/hardware.h"
#include "hardware/hardware_helper.h"

struct hardware_watch {
	struct hardware_shared *shared; /* NULL: there is no watch */
	pid_t helper_pid;
	int helper_fd; /* of the process; negative: the kernel has no such descriptors */
	int ask_fd;
	int answer_fd;           /* negative: the helper was late, and is not asked again */
	bool is_ready;           /* the helper's first answer was read */
	struct hardware *newest; /* what was taken last; NULL: nothing */
	long long newest_ms;     /* when, by monotonic_ms() */
};

/*
 * Start the helper. If that fails, there is no watch, and the other functions do nothing. The
 * caller has no other thread, and calls hardware_watch_end().
 */
void hardware_watch_begin(struct hardware_watch *out);

/*
 * Let the helper read the GPUs again, and wait for it for at most `timeout_ms`, its start included.
 * A state that was taken in the last second is given again. Return the state, which the watch owns
 * and the next call may change, with `after` readings if they came in time. Return NULL if the GPUs
 * are not described yet or there is no watch (`watch` may be NULL). One thread, or a forked child
 * instead.
 */
const struct hardware *hardware_watch_take(struct hardware_watch *watch, int timeout_ms);

/* Return why there is nothing to take, as one phrase about NVML; NULL if it is ready. */
const char *hardware_watch_problem(const struct hardware_watch *watch);

/* Return what to do about that, or NULL. */
const char *hardware_watch_advice(const struct hardware_watch *watch);

/*
 * Kill the helper, and reap it if it exits at once: the driver may hold it in a call. A container
 * may lack a process that reaps it later.
 */
void hardware_watch_end(struct hardware_watch *watch);

#endif
