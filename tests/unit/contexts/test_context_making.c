/*
 * test_context_making.c - when a context's markers are made, when it is searched for progress
 * counters, and that it is held and entered meanwhile. All other parts trace their calls.
 */
#include "record/streams/context_making.h"

#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/files/meta.h"
#include "record/progress/progress_channels.h"
#include "record/progress/progress_states.h"
#include "record/streams/contexts.h"
#include "support/check.h"

struct driver real;
struct progress_layout progress_layout;

static struct context primary, context;
static struct context_row row;
static volatile uint32_t words[MARKER_WORDS + PROBE_WORDS];
static bool is_ending, is_refused, may_search;
static bool loses_markers; /* when the context is entered */
static CUresult prepare_result;
static bool is_prepared;
static const char *trouble;

bool contexts_hold(struct context *held)
{
	CHECK(held == &context);
	trace_add("hold ");
	return !is_ending;
}

void contexts_let_go(struct context *held)
{
	CHECK(held == &context);
	trace_add("let go ");
}

bool contexts_enter(const struct context *entered, bool *out_has_pushed)
{
	CHECK(entered == &context);
	trace_add("enter ");
	*out_has_pushed = true;
	if (loses_markers)
		context.markers.state = MARKER_MEMORY_NONE;
	return !is_refused;
}

void contexts_leave(bool has_pushed)
{
	trace_add("leave %d ", has_pushed);
}

void contexts_note_markers(struct context *noted)
{
	CHECK(noted == &context);
	trace_add("note ");
}

CUresult marker_memory_prepare(struct marker_memory *memory)
{
	CHECK(memory == &context.markers);
	trace_add("prepare ");
	return prepare_result;
}

void marker_memory_grow(struct marker_memory *memory)
{
	CHECK(memory == &context.markers);
	trace_add("grow ");
}

struct probe_streams probe_streams_on(const CUstream *streams, volatile uint32_t *on,
				      CUdeviceptr device_words)
{
	CHECK(streams == context.markers.side);
	CHECK(on == words + MARKER_WORDS);
	CHECK_EQUAL(device_words, 0x7000 + MARKER_WORDS * 4);
	return (struct probe_streams){.n_operations = 5};
}

CUstreamCaptureMode captures_exchange_mode(CUstreamCaptureMode mode)
{
	trace_add("mode %d ", (int)mode);
	return CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
}

bool progress_channels_may_search(const struct progress_channels *of)
{
	CHECK(of == (context.primary ? &primary.progress : &context.progress));
	return may_search;
}

bool progress_channels_prepare(struct progress_channels *of, uint32_t id,
			       struct probe_streams *probe, const char **out_trouble)
{
	CHECK(of == (context.primary ? &primary.progress : &context.progress));
	CHECK(probe->n_operations == 5 && !*out_trouble);
	trace_add("search %u ", id);
	*out_trouble = trouble;
	return is_prepared;
}

void progress_kernels_try(struct probe_streams *probe, struct progress_channels *of)
{
	CHECK(probe->n_operations == 5 && of);
	trace_add("kernels ");
}

void progress_probes_try(const struct probe_streams *probe, struct progress_channels *of)
{
	CHECK(probe->n_operations == 5 && of);
	trace_add("probes ");
}

void meta_note(enum meta_fact fact, const char *text)
{
	CHECK_EQUAL(fact, META_PROGRESS);
	trace_add("(%s) ", text);
}

static void start(enum marker_memory_state state)
{
	context = (struct context){.id = 4, .row = &row};
	context.markers =
		(struct marker_memory){.state = state, .words = words, .device_words = 0x7000};
	row = (struct context_row){0};
	is_ending = is_refused = false;
	may_search = is_prepared = true;
	trouble = NULL;
}

static void test_markers(void)
{
	start(MARKER_MEMORY_NONE);
	context_making_markers(&context);
	CHECK_TRACE("hold enter prepare note leave 1 let go ");
	CHECK_EQUAL(row.marker_result, 0);
	prepare_result = CUDA_ERROR_OUT_OF_MEMORY;
	context_making_markers(&context);
	CHECK_EQUAL(row.marker_result, CUDA_ERROR_OUT_OF_MEMORY);
	prepare_result = CUDA_SUCCESS;
	context_making_markers(&context);
	CHECK_EQUAL(row.marker_result, CUDA_ERROR_OUT_OF_MEMORY);
	prepare_result = CUDA_ERROR_UNKNOWN;
	context.row = NULL;
	context_making_markers(&context);
	CHECK_EQUAL(row.marker_result, CUDA_ERROR_OUT_OF_MEMORY);
	(void)trace_take();
	is_refused = true;
	context_making_markers(&context);
	CHECK_TRACE("hold enter let go ");
	is_ending = true;
	context_making_markers(&context);
	CHECK_TRACE("hold ");
	start(MARKER_MEMORY_PREPARING);
	context_making_markers(&context);
	CHECK_TRACE("");
}

static void test_search(void)
{
	start(MARKER_MEMORY_READY);
	context_making_search(&context);
	CHECK_TRACE("hold enter mode 2 search 4 kernels probes (the driver's progress counters"
		    " were found, but no states of kernels) mode 1 leave 1 let go ");
	progress_layout.has_state = true;
	context.primary = &primary;
	primary.id = 3;
	context_making_search(&context);
	CHECK_TRACE("hold enter mode 2 search 3 kernels probes (the driver's progress counters"
		    " were found) mode 1 leave 1 let go ");
	trouble = "no counter";
	context_making_search(&context);
	CHECK_TRACE("hold enter mode 2 search 3 (no counter) mode 1 leave 1 let go ");
	is_prepared = false;
	context_making_search(&context);
	CHECK_TRACE("hold enter mode 2 search 3 mode 1 leave 1 let go ");
	is_refused = true;
	context_making_search(&context);
	CHECK_TRACE("hold enter let go ");
	is_ending = true;
	context_making_search(&context);
	CHECK_TRACE("hold ");
	may_search = false;
	context_making_search(&context);
	start(MARKER_MEMORY_REFUSED);
	context_making_search(&context);
	CHECK_TRACE("");
	/* The context may become another one while it is entered. */
	start(MARKER_MEMORY_READY);
	loses_markers = true;
	context_making_search(&context);
	CHECK_TRACE("hold enter leave 1 let go ");
}

static void test_grow(void)
{
	start(MARKER_MEMORY_READY);
	context_making_grow(&context);
	CHECK_TRACE("hold enter grow leave 1 let go ");
	is_refused = true;
	context_making_grow(&context);
	CHECK_TRACE("hold enter let go ");
}

int main(void)
{
	test_markers();
	test_search();
	test_grow();
	return 0;
}
