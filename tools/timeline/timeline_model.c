/*
 * timeline_model.c - the words of a timeline.
 */
#include "timeline/timeline_model.h"

const char *timeline_state_text(enum timeline_state state)
{
	static const char *const texts[N_TIMELINE_STATES] = {
		[TIMELINE_UNKNOWN] = "not known",
		[TIMELINE_FINISHED] = "finished",
		[TIMELINE_RUNNING] = "running",
		[TIMELINE_BEGUN] = "begun",
		[TIMELINE_STARTABLE] = "may have begun",
		[TIMELINE_WAITING] = "not started",
		[TIMELINE_REFUSED] = "refused by the driver",
		[TIMELINE_LATE] = "after the failure",
	};

	return texts[state];
}
