/*
 * lifecycle_stubs.c - the parts that test_lifecycle_start starts. Each traces its name, and what it
 * was started with.
 */
#include "call/describe.h"
#include "failure/cleanup.h"
#include "failure/elastic_error.h"
#include "failure/error_string.h"
#include "failure/failure.h"
#include "graph_checks/graph_checks.h"
#include "inspect/inspect.h"
#include "record/driver/coredumps.h"
#include "record/fault/fault.h"
#include "record/graphs/graph_markers.h"
#include "record/host/aside.h"
#include "record/host/recording.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "record/objects/code_addresses.h"
#include "record/objects/functions.h"
#include "record/objects/images.h"
#include "record/progress/progress_channels.h"
#include "record/python/python.h"
#include "record/stacks/stack.h"
#include "record/stacks/stack_check.h"
#include "record/streams/contexts.h"
#include "record/thread.h"
#include "rejection/rejected_line.h"
#include "support/check.h"

#define START(name)                    \
	void name(void)                \
	{                              \
		trace_add(#name "\n"); \
	}
#define START_WITH(name, type)                         \
	void name(type wanted)                         \
	{                                              \
		trace_add(#name " %d\n", (int)wanted); \
	}

START(warning_start)
START(warning_silence)
START(aside_start)
START(bundle_ensure)
START(elastic_error_start)
START(functions_start)
START(functions_unloaded)
START(graph_checks_finish)
START(inspect_finish)
START(recording_begin)
START(recording_end)
START(thread_forget)
START(fault_forget)
START(coredumps_give_up)
START_WITH(code_addresses_start, bool)
START_WITH(contexts_start, bool)
START_WITH(describe_start, bool)
START_WITH(error_string_start, bool)
START_WITH(fault_start, bool)
START_WITH(graph_markers_start, uint32_t)
START_WITH(images_start, uint64_t)
START_WITH(failure_start, bool)
START_WITH(cleanup_start, enum cleanup_policy)
START_WITH(progress_channels_start, bool)
START_WITH(python_start, bool)
START_WITH(rejected_line_start, bool)
START_WITH(stack_start, bool)
START_WITH(stack_check_start, uint32_t)
