/*
 * timeline_model.c - the texts of a timeline's states.
 */
#include "timeline/timeline_model.h"

const char *timeline_state_text(enum timeline_state state)
{
	static const char *const texts[N_TIMELINE_STATES] = {
		[TIMELINE_UNKNOWN] = "not known",
		[TIMELINE_FINISHED] = "finished",
		[TIMELINE_RUNNING] = "running",
		[TIMELINE_BEGUN] = "started",
		[TIMELINE_STARTABLE] = "may have started",
		[TIMELINE_WAITING] = "not started",
		[TIMELINE_REFUSED] = "refused by the driver",
		[TIMELINE_LATE] = "after the failure",
	};
	return texts[state];
}
