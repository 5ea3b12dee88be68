/*
 * test_progress_tracker.c - streams that are followed, lost and followed again. The test writes
 * what the driver would write, and simulates the layers below the tracker.
 */
#include "record/progress/progress_tracker.h"

#include <stdlib.h>
#include <string.h>

#include "record/host/arena.h"
#include "record/progress/progress_note.h"
#include "support/check.h"

enum { TRACKER = 0x40, CHANNEL = 0x5000, KERNEL = 0x6000, CONTEXT_WORDS = 0x1400 / 8 };

struct progress_layout progress_layout = {.tracker = TRACKER, .entries = 0x18, .entry = 0x28};
const char *progress_refusal;

static struct progress_channel channel = {.object = CHANNEL, .id = 7};
static struct progress_channels channels = {.state = PROGRESS_READY,
					    .counter_map = {.tracker_class = 0x7101}};

/* The driver's memory: a context that names a stream's object, which names its tracker. */
static uint64_t context[CONTEXT_WORDS];
static uint64_t object[0x100];
static uint64_t in_driver[TRACKER_SIZE / 8];
static uint64_t handle[1];

static struct progress_tracker tracker;
static uint64_t n_submitted;

void *arena_alloc_aside(size_t size)
{
	return calloc(1, size);
}

struct progress_channel *progress_channels_find(struct progress_channels *of, uint64_t sought)
{
	return of == &channels && sought == CHANNEL ? &channel : NULL;
}

struct progress_channel *progress_channels_of(struct progress_channels *of,
					      struct own_memory *memory, uint64_t sought)
{
	(void)memory;
	return progress_channels_find(of, sought);
}

uint32_t progress_states_add(const struct mapping *pages, uint64_t kernel, uint32_t stream)
{
	(void)pages;
	(void)kernel;
	(void)stream;
	return 0;
}

void progress_states_drop(uint32_t id)
{
	(void)id;
}

uintptr_t progress_states_address(uint32_t id)
{
	(void)id;
	return 0;
}

static uint64_t address_of(const void *thing)
{
	return (uintptr_t)thing;
}

static void put_entries(struct progress_entry *entries, uint64_t n)
{
	in_driver[0x10 / 8] = n;
	in_driver[progress_layout.entries / 8] = address_of(entries);
}

static struct progress_entry *own_entry(void)
{
	return (struct progress_entry *)&in_driver[progress_layout.entry / 8];
}

/* A stream that has had no work: an explicit one, or its context's legacy one. */
static void start(bool is_legacy)
{
	const struct progress_tracker stream = {.channels = &channels,
						.handle = is_legacy ? 0 : address_of(handle),
						.context = is_legacy ? address_of(context) : 0};
	memset(in_driver, 0, sizeof(in_driver));
	in_driver[0] = channels.counter_map.tracker_class;
	put_entries(own_entry(), 0);
	handle[0] = context[3] = address_of(object);
	object[TRACKER / 8] = address_of(in_driver);
	progress_tracker_start(&tracker, &stream);
}

static const struct progress_entry *newest_kernel(struct progress_entry *entries)
{
	*entries = (struct progress_entry){
		.kind = ENTRY_KERNEL, .pairs = {{KERNEL, n_submitted}, {CHANNEL, n_submitted}}};
	return entries;
}

/* The driver has taken a kernel. Return whether its number is known. */
static bool launch(struct progress_entry *entries)
{
	struct journal_record row = {.work = WORK_KERNEL};
	n_submitted++;
	newest_kernel(entries);
	put_entries(entries, 1);
	bool is_known = progress_note_of(&tracker, n_submitted, &row);
	CHECK_EQUAL(row.progress.channel, is_known ? channel.id : 0);
	CHECK_EQUAL(row.progress.payload, is_known ? n_submitted : 0);
	return is_known;
}

static void lose(void)
{
	progress_tracker_set_aside(&tracker);
	CHECK(!launch(own_entry()));
	progress_tracker_follow_again(&tracker);
}

static void test_explicit(void)
{
	start(false);
	CHECK(launch(own_entry()));
	CHECK(launch(own_entry()));
	lose();
	CHECK(launch(own_entry()));
	progress_tracker_give_up(&tracker);
	CHECK(!launch(own_entry()));
	progress_tracker_follow_again(&tracker);
	CHECK(!launch(own_entry()));
}

/*
 * A tracker that was found before is not searched for again, unless the driver names another
 * object.
 */
static void test_aside(void)
{
	uint64_t other[8] = {channels.counter_map.tracker_class};
	start(false);
	CHECK(launch(own_entry()));
	tracker.handle = address_of(other); /* leads nowhere */
	lose();
	CHECK(launch(own_entry()));
	progress_tracker_set_aside(&tracker); /* and nothing is submitted until it is over */
	progress_tracker_follow_again(&tracker);
	CHECK(launch(own_entry()));
	progress_tracker_set_aside(&tracker);
	object[TRACKER / 8] = address_of(other);
	CHECK(!launch(own_entry()));
	progress_tracker_follow_again(&tracker);
	CHECK(!launch(own_entry()));
	tracker.handle = address_of(handle);
	object[TRACKER / 8] = address_of(in_driver);
	CHECK(launch(own_entry()));
	/*
	 * A tracker that cannot be found is not searched for forever, and does not count as set
	 * aside.
	 */
	start(false);
	tracker.handle = address_of(other);
	for (int i = 0; i < 8; i++)
		CHECK(!launch(own_entry()) && !progress_tracker_is_aside(&tracker));
	tracker.handle = address_of(handle);
	progress_tracker_follow_again(&tracker);
	CHECK(!launch(own_entry()));
	progress_tracker_set_aside(&tracker);
	progress_tracker_follow_again(&tracker);
	CHECK(launch(own_entry()));
	progress_tracker_set_aside(&tracker);
	progress_tracker_give_up(&tracker);
	CHECK(!progress_tracker_is_aside(&tracker));
	progress_tracker_follow_again(&tracker);
	CHECK(!launch(own_entry()));
}

/* The driver has taken a graph of n - 1 ends. */
static void put_graph(struct progress_entry *entries, uint64_t n)
{
	entries[0] =
		(struct progress_entry){.kind = ENTRY_PLAIN, .pairs = {{CHANNEL, n_submitted}}};
	for (uint64_t i = 1; i < n; i++)
		newest_kernel(&entries[i]);
	put_entries(entries, n);
}

/*
 * A graph of many ends has as many entries, elsewhere. All later work of the stream has its entries
 * there too.
 */
static void test_elsewhere(void)
{
	struct progress_entry elsewhere[8];
	struct journal_record row = {.work = WORK_GRAPH};
	start(false);
	CHECK(launch(own_entry()));
	n_submitted++;
	put_graph(elsewhere, 8);
	CHECK(progress_note_of(&tracker, n_submitted, &row));
	CHECK_EQUAL(row.progress.payload, n_submitted);
	/* The next list cannot be read, and the last one's memory is not the stream's any more. */
	n_submitted++;
	put_graph(elsewhere, 8);
	in_driver[progress_layout.entries / 8] = 4096;
	CHECK(!progress_note_of(&tracker, n_submitted, &row));
	CHECK(launch(elsewhere));
	CHECK(launch(&elsewhere[2]));
	CHECK(launch(own_entry()));
}

/* Memory that looks like a list but is not has no number, and is not read. */
static void test_nowhere(void)
{
	struct journal_record row = {.work = WORK_KERNEL};
	start(false);
	CHECK(launch(own_entry()));
	in_driver[progress_layout.entries / 8] = 4096;
	CHECK(!progress_note_of(&tracker, ++n_submitted, &row));
	in_driver[progress_layout.entries / 8] = address_of(own_entry()) + 4;
	CHECK(!progress_note_of(&tracker, ++n_submitted, &row));
	CHECK(launch(own_entry()));
}

/* Return how many kernels it takes to find the stream. The first one starts the search. */
static int launch_until_known(void)
{
	int n = 1;
	while (!launch(own_entry()) && n < 100)
		n++;
	return n;
}

/* A stream that was found once is not searched for again until it is destroyed. */
static void test_legacy(void)
{
	start(true);
	CHECK_EQUAL(launch_until_known(), 1 + LEGACY_ROUNDS);
	for (int i = 0; i < 100; i++) {
		lose();
		CHECK(launch(own_entry()));
	}
	progress_tracker_forget(&tracker);
	start(true);
	CHECK_EQUAL(launch_until_known(), 1 + LEGACY_ROUNDS);
}

/* A stream that is lost each time before it is found is not searched for forever. */
static void test_legacy_never(void)
{
	progress_tracker_forget(&tracker);
	start(true);
	for (int i = 0; i < 100; i++) {
		CHECK(!launch(own_entry()));
		lose();
	}
	CHECK_EQUAL(launch_until_known(), 100);
}

int main(void)
{
	test_explicit();
	test_aside();
	test_elsewhere();
	test_nowhere();
	test_legacy();
	test_legacy_never();
	return 0;
}
