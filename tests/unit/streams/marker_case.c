/*
 * marker_case.c - what markers.c calls: the driver, the clock, and the recorder's other parts.
 */
#include "streams/marker_case.h"

#include "record/driver/driver.h"
#include "record/driver/environment.h"
#include "record/host/clock.h"
#include "record/progress/progress_samples.h"
#include "support/check.h"

struct driver real;
struct marker_case sim;

static void note(char call)
{
	size_t n = strlen(sim.order);
	CHECK(n + 1 < sizeof(sim.order));
	sim.order[n] = call;
	sim.order[n + 1] = 0;
}

static CUresult create_event(CUevent *out, unsigned flags)
{
	CHECK_EQUAL(flags, CU_EVENT_DISABLE_TIMING);
	CHECK_EQUAL(sim.n_inside, 1);
	note('e');
	sim.n_events++;
	*out = (CUevent)0xe0;
	return sim.result;
}

static CUresult record_event(CUevent event, CUstream handle)
{
	CHECK(event == (CUevent)0xe0 && handle == sim.stream.handle);
	note('r');
	return sim.result;
}

static CUresult wait_event(CUstream handle, CUevent event, unsigned flags)
{
	CHECK(event == (CUevent)0xe0 && handle == sim.context.markers.side[0] && !flags);
	note('w');
	return sim.result;
}

static CUresult write_value(CUstream handle, CUdeviceptr place, cuuint32_t value, unsigned flags)
{
	CHECK_EQUAL(flags, CU_STREAM_WRITE_VALUE_DEFAULT);
	note('v');
	sim.n_writes++;
	sim.written_on = handle;
	sim.newest_place = place;
	sim.newest_value = value;
	return sim.result;
}

/* Each look at the clock takes the time of one marker. */
uint64_t clock_ns(void)
{
	sim.now_ns += COST;
	return sim.now_ns;
}

bool environment_has_one_queue(void)
{
	return sim.has_one_queue;
}

bool contexts_enter(const struct context *of, bool *out_has_pushed)
{
	CHECK(of == &sim.context);
	sim.n_inside++;
	*out_has_pushed = true;
	return true;
}

void contexts_leave(bool has_pushed)
{
	CHECK(has_pushed);
	sim.n_inside--;
}

uint64_t streams_submitted(const struct stream *of)
{
	return of->row->submitted;
}

bool progress_samples_go_on(const struct progress_tracker *tracker)
{
	CHECK(tracker == &sim.stream.progress);
	return sim.goes_on;
}

void progress_samples_note(struct progress_tracker *tracker)
{
	CHECK(tracker == &sim.stream.progress);
	sim.n_samples++;
}

void progress_samples_take(struct progress_tracker *tracker, uint64_t (*landed)(const void *),
			   const void *of)
{
	CHECK(tracker == &sim.stream.progress && of == &sim.stream);
	CHECK_EQUAL(landed(of), markers_landed(&sim.stream));
	sim.n_trials++;
}

void marker_case_start(enum marker_scheme scheme, uint32_t interval, uint64_t first)
{
	real.cuEventCreate = create_event;
	real.cuEventRecord = record_event;
	real.cuStreamWaitEvent = wait_event;
	real.cuStreamWriteValue32_v2 = write_value;
	markers_start(&(struct marker_setting){scheme, interval, first});
	sim.context = (struct context){
		.markers = {.state = MARKER_MEMORY_READY,
			    .words = sim.words,
			    .device_words = 0x7000,
			    .side = {(CUstream)0x51},
			    .n_side = 1},
	};
	sim.row = (struct stream_row){.before = 7, .submitted = 7};
	sim.stream = (struct stream){.context = &sim.context,
				     .row = &sim.row,
				     .handle = (CUstream)0x40,
				     .id = 1,
				     .marked = 7};
	sim.other_row = (struct stream_row){0};
	sim.other = (struct stream){
		.context = &sim.context, .row = &sim.other_row, .handle = (CUstream)0x41, .id = 2};
	sim.now_ns = 100 * SECOND;
	sim.result = CUDA_SUCCESS;
	sim.goes_on = false;
	sim.n_events = sim.n_writes = sim.n_samples = sim.n_trials = 0;
}

bool marker_case_submit_row(struct journal_record *record, bool is_told)
{
	unsigned n = sim.n_writes;
	sim.order[0] = 0;
	sim.row.submitted++;
	markers_follow(&sim.stream, sim.row.submitted, sim.now_ns, record, is_told);
	CHECK(sim.n_writes == n || sim.result != CUDA_SUCCESS ||
	      sim.newest_value == (uint32_t)sim.row.submitted);
	return sim.n_writes > n;
}

bool marker_case_submit(bool is_told)
{
	return marker_case_submit_row(NULL, is_told);
}

void marker_case_land(void)
{
	*sim.stream.word = sim.newest_value;
}
