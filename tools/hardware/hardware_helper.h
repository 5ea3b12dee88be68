/*
 * hardware_helper.h - the helper process that calls NVML. It shares memory with culprit, which
 * never waits for it without a limit, and kills it.
 */
#ifndef CULPRIT_TOOLS_HARDWARE_HELPER_H
#define CULPRIT_TOOLS_HARDWARE_HELPER_H

#include "hardware/hardware.h"

enum hardware_stage {
	HARDWARE_STARTING,   /* loading or initialising NVML; it stays here if NVML hangs */
	HARDWARE_NO_LIBRARY, /* the loader finds no usable libnvidia-ml.so.1 */
	HARDWARE_NO_NVML,    /* NVML refuses to start; see `result` */
	HARDWARE_READY,      /* the GPUs are described and read for the first time */
};

struct hardware_shared {
	uint32_t stage; /* live: enum hardware_stage, raised after what it announces */
	int32_t result; /* of nvmlInit_v2() */
	struct hardware state;
};

/*
 * Be the helper, in a forked child without other threads: describe the GPUs, watch their events,
 * and read them again for each byte from `ask_fd`. Write a byte to `answer_fd` when it is ready,
 * and after each reading. Does not return: ends when `ask_fd` is closed, or there is no NVML.
 */
_Noreturn void hardware_helper(struct hardware_shared *shared, int ask_fd, int answer_fd);

#endif
