/*
 * test_marker_readings.c - which streams' markers and which contexts' counters are copied into the
 * journal, and until when. All other parts trace their calls.
 */
#include "record/streams/marker_readings.h"

#include "record/files/meta.h"
#include "record/progress/progress_channels.h"
#include "record/progress/progress_states.h"
#include "record/streams/contexts.h"
#include "record/streams/markers.h"
#include "record/streams/stream_rows.h"
#include "support/check.h"

enum { N_CONTEXTS = 2, N_STREAMS = 4 };

const char *progress_refusal;

static struct context contexts[N_CONTEXTS];
static struct stream streams[N_STREAMS]; /* two for each context */
static struct stream_row rows[N_STREAMS];
static uint64_t n_landed; /* of the first stream; that of others is higher */
static bool are_wanted, has_no_memory;

void contexts_for_each(void (*visit)(struct context *context, void *data), void *data)
{
	for (int i = 0; i < N_CONTEXTS; i++)
		visit(&contexts[i], data);
}

void streams_for_each(struct context *context, void (*visit)(struct stream *stream, void *data),
		      void *data)
{
	for (int i = 0; i < N_STREAMS; i++)
		if (streams[i].context == context)
			visit(&streams[i], data);
}

uint64_t markers_landed(const struct stream *stream)
{
	return n_landed + stream->id;
}

void meta_note(enum meta_fact fact, const char *text)
{
	CHECK_EQUAL(fact, META_PROGRESS);
	trace_add("(%s)", text);
}

void progress_channels_freeze(void)
{
	trace_add("freeze ");
}

bool progress_channels_are_wanted(void)
{
	return are_wanted;
}

int own_memory_open(struct own_memory *memory)
{
	CHECK(memory);
	trace_add("open ");
	return has_no_memory ? -24 : 0;
}

void own_memory_close(struct own_memory *memory)
{
	CHECK(memory);
	trace_add("close");
}

void progress_channels_copy(struct progress_channels *of, struct own_memory *memory)
{
	CHECK(memory);
	trace_add("channels %d ", of == &contexts[0].progress ? 0 : 1);
}

void progress_states_copy(struct own_memory *memory)
{
	CHECK(memory);
	trace_add("states ");
}

static void check_marked(uint64_t first, uint64_t second, uint64_t third, uint64_t fourth)
{
	CHECK_EQUAL(rows[0].marked, first);
	CHECK_EQUAL(rows[1].marked, second);
	CHECK_EQUAL(rows[2].marked, third);
	CHECK_EQUAL(rows[3].marked, fourth);
}

static void test_markers(void)
{
	n_landed = 100;
	CHECK_EQUAL(marker_readings_landed(3), 103);
	CHECK_EQUAL(marker_readings_landed(1), 101);
	CHECK_EQUAL(marker_readings_landed(9), 0);
	check_marked(0, 0, 0, 0);
	marker_readings_copy(&contexts[1]);
	check_marked(0, 0, 103, 104);
	n_landed = 200;
	marker_readings_copy_for_good();
	check_marked(201, 202, 203, 204);
	n_landed = 300;
	marker_readings_copy(&contexts[0]);
	marker_readings_copy_for_good();
	check_marked(201, 202, 203, 204);
}

static void test_channels(void)
{
	marker_readings_copy_channels();
	CHECK_TRACE("freeze ");
	are_wanted = true;
	marker_readings_copy_channels();
	CHECK_TRACE("freeze open channels 0 channels 1 states close");
	progress_refusal = "too low";
	has_no_memory = true;
	marker_readings_copy_channels();
	CHECK_TRACE("freeze (too low)open ");
}

int main(void)
{
	for (uint32_t i = 0; i < N_STREAMS; i++)
		streams[i] =
			(struct stream){.id = i + 1, .row = &rows[i], .context = &contexts[i / 2]};
	test_markers();
	test_channels();
	return 0;
}
