/*
 * test_context_end.c - in which order a context's parts are released, and which green contexts end
 * with it. All other parts trace their calls.
 */
#include "record/context_end.h"

#include "record/fault/fault.h"
#include "record/graphs/graphs.h"
#include "record/host/grace_period.h"
#include "record/streams/contexts.h"
#include "record/streams/marker_readings.h"
#include "record/streams/streams.h"
#include "support/check.h"

enum { N_CONTEXTS = 6, TID = 77 };

/* A context with a handle is alive: two primary ones, 1 and 2, and three green ones. */
static struct context contexts[N_CONTEXTS];
static uint32_t unfinished; /* bit of an id: it has work that is not known to be finished */

static CUcontext handle_of(uintptr_t id)
{
	return (CUcontext)(id * 0x100);
}

static void start(void)
{
	memset(contexts, 0, sizeof(contexts));
	for (uint32_t id = 1; id < N_CONTEXTS; id++) {
		contexts[id].id = id;
		contexts[id].handle = handle_of(id);
	}
	contexts[3].primary = contexts[5].primary = &contexts[1];
	contexts[4].primary = &contexts[2];
	unfinished = 0;
}

struct context *contexts_known(CUcontext handle)
{
	for (uint32_t i = 1; i < N_CONTEXTS; i++)
		if (contexts[i].handle == handle)
			return &contexts[i];
	return NULL;
}

struct context *contexts_take(CUcontext handle)
{
	struct context *context = contexts_known(handle);
	if (context)
		context->handle = NULL;
	trace_add("take %lx\n", (unsigned long)(uintptr_t)handle);
	return context;
}

struct context *contexts_take_green(const struct context *primary)
{
	for (uint32_t i = 1; i < N_CONTEXTS; i++) {
		if (contexts[i].handle && contexts[i].primary == primary) {
			contexts[i].handle = NULL;
			return &contexts[i];
		}
	}
	return NULL;
}

void contexts_for_each(void (*visit)(struct context *context, void *data), void *data)
{
	for (uint32_t i = 1; i < N_CONTEXTS; i++)
		if (contexts[i].handle)
			visit(&contexts[i], data);
}

void contexts_ending(struct context *context)
{
	context->is_ending = true;
	trace_add("ending %u\n", context->id);
}

void contexts_go_on(struct context *context)
{
	context->is_ending = false;
	trace_add("go on %u\n", context->id);
}

void contexts_note_end(const struct context *context)
{
	trace_add("note %u\n", context->id);
}

void contexts_lay_down(struct context *context)
{
	trace_add("lay down %u of %u\n", context->id, context->primary ? context->primary->id : 0);
}

void grace_wait(void)
{
	trace_add("wait\n");
}

void streams_ending(struct context *context, uint32_t tid)
{
	CHECK_EQUAL(tid, TID);
	trace_add("streams ending %u\n", context->id);
}

bool streams_context_destroyed(struct context *context, uint32_t tid)
{
	CHECK_EQUAL(tid, TID);
	trace_add("streams %u\n", context->id);
	return !(unfinished >> context->id & 1);
}

void streams_retire_all(struct context *context)
{
	trace_add("retire %u\n", context->id);
}

void graphs_context_destroyed(const struct context *context)
{
	trace_add("graphs %u\n", context->id);
}

void marker_readings_copy(struct context *context)
{
	trace_add("copy %u\n", context->id);
}

void progress_channels_forget(struct progress_channels *of)
{
	uint32_t i = 1;
	while (&contexts[i].progress != of)
		i++;
	trace_add("channels %u\n", i);
}

void fault_contexts_end(void)
{
	trace_add("faults\n");
}

/* A primary context's green ones end first to be marked; the last green one may end its primary. */
static void test_ending(void)
{
	start();
	CHECK_EQUAL(context_ending(handle_of(9), TID), 0);
	CHECK_TRACE("wait\n");
	CHECK_EQUAL(context_ending(handle_of(1), TID), 1);
	CHECK_TRACE("ending 1\nwait\nstreams ending 1\n"
		    "ending 5\nwait\nstreams ending 5\nending 3\nwait\nstreams ending 3\n");
	start();
	CHECK_EQUAL(context_ending(handle_of(3), TID), 3);
	CHECK_TRACE("ending 3\nwait\nstreams ending 3\n");
	CHECK_EQUAL(context_ending(handle_of(5), TID), 1);
	CHECK_TRACE("ending 5\nwait\nstreams ending 5\n");
	context_not_ended(handle_of(3));
	CHECK_TRACE("go on 3\n");
	context_not_ended(handle_of(1));
	CHECK_TRACE("go on 1\ngo on 3\ngo on 5\n");
	context_not_ended(handle_of(9));
	CHECK_TRACE("");
}

static void test_end(void)
{
	start();
	CHECK_EQUAL(context_end(handle_of(9), TID), 0);
	CHECK_TRACE("take 900\n");
	CHECK_EQUAL(context_end(handle_of(3), TID), 0);
	CHECK_TRACE("take 300\ngraphs 3\nnote 3\nretire 3\nlay down 3 of 1\n");
	unfinished = 1 << 1;
	CHECK_EQUAL(context_end(handle_of(1), TID), 1);
	CHECK_TRACE("take 100\n"
		    "graphs 5\nnote 5\ncopy 5\nchannels 5\nstreams 5\nlay down 5 of 0\n"
		    "graphs 1\nnote 1\ncopy 1\nchannels 1\nstreams 1\n");
	CHECK(!contexts[5].primary);
	unfinished = 0;
	CHECK_EQUAL(context_end(handle_of(4), TID), 0);
	CHECK_TRACE("take 400\ngraphs 4\nnote 4\nretire 4\nlay down 4 of 2\n");
	CHECK_EQUAL(context_end(handle_of(2), TID), 2);
	CHECK_TRACE("take 200\ngraphs 2\nnote 2\ncopy 2\nchannels 2\nstreams 2\nlay down 2 of 0\n"
		    "faults\n");
}

int main(void)
{
	test_ending();
	test_end();
	return 0;
}
