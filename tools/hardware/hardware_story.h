/*
 * hardware_story.h - answer "is it the hardware?" from the state of the GPUs that a process used.
 * Pure functions on data that is not trusted. The story claims only what NVML has answered.
 */
#ifndef CULPRIT_TOOLS_HARDWARE_STORY_H
#define CULPRIT_TOOLS_HARDWARE_STORY_H

#include <stdint.h>

#include "hardware/hardware_judge.h"

enum { HARDWARE_MAX_LINES = 4, HARDWARE_LINE_SIZE = 768 };

struct hardware_story {
	enum hardware_cause cause; /* the strongest that is indicated */
	uint32_t n_lines;          /* 0: there is nothing to say */
	char lines[HARDWARE_MAX_LINES][HARDWARE_LINE_SIZE];
};

/* Tell the story. The lines are safe for a terminal. */
void hardware_story_find(const struct hardware *hardware, const struct hardware_span *span,
			 struct hardware_story *out);

#endif
