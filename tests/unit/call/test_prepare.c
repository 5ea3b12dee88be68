/*
 * test_prepare.c - what is made for a context that is seen outside a launch.
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
#include "support/check.h"

static struct context context;
static bool has_failed, are_markers_wanted, are_channels_wanted;
static uint32_t interval;

bool failure_has_happened(void)
{
	return has_failed;
}

bool markers_are_wanted(void)
{
	return are_markers_wanted;
}

uint32_t graph_markers_interval(void)
{
	return interval;
}

bool progress_channels_are_wanted(void)
{
	return are_channels_wanted;
}

void snapshots_ensure(void)
{
	trace_add("snapshots ");
}

void fault_contexts_begin(void)
{
	trace_add("fault ");
}

void inspect_prepare(struct context *seen)
{
	CHECK(seen == &context);
	trace_add("inspect ");
}

void context_making_markers(struct context *seen)
{
	CHECK(seen == &context);
	trace_add("markers ");
}

void context_making_search(struct context *seen)
{
	CHECK(seen == &context);
	trace_add("search ");
}

struct context *contexts_current(void)
{
	trace_add("current ");
	return &context;
}

int main(void)
{
	CHECK(prepare_context(&context) == &context);
	CHECK_TRACE("snapshots fault inspect ");
	are_markers_wanted = true;
	CHECK(prepare_context(&context) == &context);
	CHECK_TRACE("snapshots fault inspect markers search ");
	are_markers_wanted = false;
	interval = 1;
	CHECK(prepare_context(&context) == &context);
	CHECK_TRACE("snapshots fault inspect markers search ");
	interval = 0;
	are_channels_wanted = true;
	CHECK(prepare_current_context() == &context);
	CHECK_TRACE("current snapshots fault inspect markers search ");
	CHECK(!prepare_context(NULL));
	CHECK_TRACE("");
	has_failed = true;
	CHECK(prepare_context(&context) == &context);
	CHECK_TRACE("");
	return 0;
}
