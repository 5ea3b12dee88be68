/*
 * test_unseen_work.c - which of the driver's streams are known, and which ran kernels that are in
 * no record. The driver's memory is simulated here: an object is its handle plus OBJECTS.
 */
#include "record/progress/progress_list.h"
#include "record/progress/progress_unseen.h"
#include "record/streams/contexts.h"
#include "record/streams/marker_readings.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"
#include "support/check.h"

enum { TID = 100, OBJECTS = 0x1000, OWN = 0x10, KNOWN = 0x20, STRANGER = 0x90 };

struct progress_layout progress_layout = {.has_list = true};

static struct context context = {.progress.counter_map = {.first_stream = 1}};
static struct stream_row row;
static struct stream stream = {.row = &row, .progress.handle = KNOWN};
static unsigned n_open, n_asked;
static unsigned n_notes; /* of streams with unseen work */
static uint64_t listed[4];
static int n_listed;

bool progress_channels_are_wanted(void)
{
	return true;
}

bool progress_channels_begin_reading(struct progress_channels *progress)
{
	return progress == &context.progress;
}

void progress_channels_end_reading(struct progress_channels *progress)
{
	CHECK(progress == &context.progress);
}

int own_memory_open(struct own_memory *memory)
{
	CHECK(memory);
	n_open++;
	return 0;
}

void own_memory_close(struct own_memory *memory)
{
	CHECK(memory);
	n_open--;
}

uint64_t own_memory_word(struct own_memory *memory, uintptr_t address)
{
	CHECK(memory && address);
	return OBJECTS + address;
}

void contexts_for_each(void (*visit)(struct context *context, void *data), void *data)
{
	visit(&context, data);
}

void streams_for_each(struct context *of, void (*visit)(struct stream *stream, void *data),
		      void *data)
{
	CHECK(of == &context);
	visit(&stream, data);
}

uint64_t streams_submitted(const struct stream *of)
{
	return of->row->submitted;
}

void futex_lock_release_slowly(struct futex_lock *lock, uint32_t owner)
{
	CHECK(lock && owner == TID);
}

bool progress_unseen_newest(const struct progress_tracker *tracker, uint64_t submitted,
			    bool is_marked)
{
	CHECK(tracker == &stream.progress && submitted == row.submitted && is_marked == !submitted);
	return false;
}

int progress_list_read(struct own_memory *memory, const struct progress_layout *layout,
		       uint64_t tracker_class, uint64_t first, uint64_t objects[PROGRESS_LIST_MAX])
{
	CHECK(memory && layout && tracker_class == 0 && first == 1);
	memcpy(objects, listed, sizeof(listed));
	return n_listed;
}

bool progress_unseen_is_kernel(struct own_memory *memory, uint64_t object)
{
	CHECK(memory && object);
	n_asked++;
	return true;
}

void progress_unseen_note(enum progress_unseen sign)
{
	CHECK_EQUAL(sign, UNSEEN_STREAM);
	n_notes++;
}

static void look(int n, unsigned wanted)
{
	n_listed = n;
	n_notes = 0;
	unseen_work_find(TID);
	CHECK_EQUAL(n_notes, wanted);
	CHECK_EQUAL(n_open, 0);
	CHECK_EQUAL(futex_lock_owner(&stream.lock), 0);
}

/* Our own side streams are known, as far as they exist, and streams with recorded work. */
int main(void)
{
	context.markers.state = MARKER_MEMORY_READY;
	context.markers.n_side = 1;
	context.markers.side[0] = (CUstream)OWN;
	listed[0] = OBJECTS + OWN;
	listed[1] = OBJECTS + KNOWN;
	listed[2] = OBJECTS + STRANGER;
	look(1, 0);
	CHECK_EQUAL(n_asked, 0);
	look(2, 1); /* nothing was recorded of the second */
	row.submitted = 5;
	look(2, 0);
	CHECK_EQUAL(n_asked, 1);
	look(3, 1);
	/* A stream whose object is not known may be the stranger. */
	stream.progress.handle = 0;
	look(3, 0);
	return 0;
}
