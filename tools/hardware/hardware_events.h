/*
 * hardware_events.h - what the events of the watched GPUs say. A part of hardware_story.h.
 */
#ifndef CULPRIT_TOOLS_HARDWARE_EVENTS_H
#define CULPRIT_TOOLS_HARDWARE_EVENTS_H

#include "hardware/hardware_judge.h"

/* Add the facts about all events except for Xids that programs cause. */
void hardware_events_judge(const struct hardware *hardware, struct hardware_facts *facts);

/*
 * Append what is known about Xids: "no Xid except 31 on GPU 0", or only those that were seen.
 * Return false if nothing is known, and nothing was appended. *out_is_partial: Xids may have been
 * missed.
 */
bool hardware_events_claim(const struct hardware *hardware, const struct hardware_span *span,
			   struct text *out, bool *out_is_partial);

#endif
