/*
 * prepare.c - check whether markers are wanted at all.
 */
#include "call/call_parts.h"

#include "failure/failure.h"
#include "inspect/inspect.h"
#include "record/fault/fault.h"
#include "record/graphs/graph_markers.h"
#include "record/snapshots.h"
#include "record/streams/context_making.h"
#include "record/streams/contexts.h"
#include "record/streams/markers.h"

struct context *prepare_context(struct context *context)
{
	bool are_wanted = markers_are_wanted() || graph_markers_interval() > 0 ||
			  progress_channels_are_wanted();
	if (!context || failure_has_happened())
		return context;
	snapshots_ensure();
	fault_contexts_begin();
	inspect_prepare(context);
	if (!are_wanted)
		return context;
	context_making_markers(context);
	context_making_search(context);
	return context;
}

struct context *prepare_current_context(void)
{
	return prepare_context(contexts_current());
}
