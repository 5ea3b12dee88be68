/*
 * fault_time.h - when the GPU noticed a memory fault, by its own clock. Pure. Any thread.
 */
#ifndef CULPRIT_FAULT_FAULT_TIME_H
#define CULPRIT_FAULT_FAULT_TIME_H

#include "fault/fault_story.h"

/*
 * Work that starts this much after the fault cannot have made the access. The GPU's clock moves by
 * 32 ns on an H100; there, work faulted no earlier than 800 ns after the counter had shown its
 * start. Other GPUs' clocks may be coarser.
 */
enum { FAULT_TIME_MARGIN_NS = 1000 };

/*
 * Return the report of the first access that failed (FAULT_TIMED, with gpu_ns and time_ns), or NULL
 * if it is not known when that was: attribution.h, rule 17. The row belongs to the view.
 */
const struct fault_row *fault_time_find(const struct bundle_view *view,
					const struct fault_story *story);

#endif
