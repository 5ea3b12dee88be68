/*
 * progress_readings.c - walk the channels of all contexts.
 */
#include "record/streams/marker_readings.h"

#include "record/files/meta.h"
#include "record/progress/progress_channels.h"
#include "record/progress/progress_states.h"
#include "record/streams/contexts.h"

static void copy_context(struct context *context, void *memory)
{
	progress_channels_copy(&context->progress, memory);
}

void progress_readings_copy(void)
{
	progress_channels_keep();
	if (progress_refused())
		meta_tell(META_PROGRESS, progress_refused());
	struct own_memory memory;
	if (!progress_channels_are_wanted() || own_memory_open(&memory) < 0)
		return;
	contexts_for_each(copy_context, &memory);
	progress_states_copy(&memory);
	own_memory_close(&memory);
}
