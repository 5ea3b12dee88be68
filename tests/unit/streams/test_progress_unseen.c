/*
 * test_progress_unseen.c - what the driver notes of a stream, against what was recorded of it.
 */
#include "record/progress/progress_unseen.h"

#include <string.h>

#include "support/check.h"

enum { CHANNEL = 0x5000, KERNEL = 0x6000, FIRST_WORD = 0x37a00, TRACKER = 0x40 };

struct progress_layout progress_layout = {.tracker = TRACKER, .entries = 0x18, .entry = 0x28};
const char *progress_refusal;

/* Ids of counters are their numbers in the stream, from 1; other work has none. */
uintptr_t progress_states_address(uint32_t id)
{
	return id >= 1 && id <= STREAM_STATES ? FIRST_WORD + (uintptr_t)(id - 1) * 8 : 0;
}

/* The driver's: the stream's object names its tracker, which has one entry. */
static uint64_t object[0x100];
static uint64_t in_driver[TRACKER_SIZE / 8];
static struct progress_entry *entry;
static struct progress_tracker tracker;

static void start(void)
{
	memset(in_driver, 0, sizeof(in_driver));
	in_driver[0x10 / 8] = 1;
	in_driver[progress_layout.entries / 8] = (uintptr_t)in_driver + progress_layout.entry;
	object[TRACKER / 8] = (uintptr_t)in_driver;
	entry = (struct progress_entry *)&in_driver[progress_layout.entry / 8];
	tracker = (struct progress_tracker){
		.place = &object[TRACKER / 8],
		.object = (uintptr_t)in_driver,
		.entries = &in_driver[progress_layout.entries / 8],
		.entry = entry,
		.channel_object = CHANNEL,
		.newest = {.ordinal = 5, .payload = 70, .kernel = {KERNEL, 3}, .state = 4},
	};
	*entry = (struct progress_entry){.kind = ENTRY_KERNEL,
					 .pairs = {{KERNEL, 3}, {CHANNEL, 70}}};
}

/* A launch with this word after one with that; what was noticed so far. */
static uint32_t launch(uint32_t newest, uint32_t id)
{
	start();
	tracker.newest.state = newest;
	progress_unseen_between(&tracker, id);
	return progress_unseen();
}

static void test_between(void)
{
	CHECK_EQUAL(launch(1, 3), 0); /* what the next word is has not been seen yet */
	CHECK_EQUAL(launch(1, 2), 0);
	CHECK_EQUAL(launch(0, 3), 0); /* the submission before is not known */
	CHECK_EQUAL(launch(1, 0), 0); /* or this one's word */
	CHECK_EQUAL(launch(2, 3), 0);
	CHECK_EQUAL(launch(3, 4), 0);
	CHECK_EQUAL(launch(STREAM_STATES, 1), UNSEEN_BETWEEN);
	/* A driver that places its counters elsewhere yields no sign. */
	for (int i = 0; i < 3; i++)
		CHECK(launch(1, 3) == (i < 2 ? UNSEEN_BETWEEN : 0));
}

/* Work that is not a kernel takes no counter: the kernel before it counts. */
static void test_between_others(void)
{
	start();
	tracker.newest.kernel = (struct progress_pair){0};
	tracker.newest.state = 0;
	tracker.newest_kernel.state = 2;
	for (int i = 0; i < 3; i++)
		progress_unseen_between(&tracker, 3);
	CHECK_EQUAL(progress_unseen(), UNSEEN_BETWEEN);
}

static void test_newest(void)
{
	start();
	CHECK(!progress_unseen_newest(&tracker, 5, false));
	entry->pairs[0].value = 4;
	CHECK(progress_unseen_newest(&tracker, 5, false));
	CHECK(progress_unseen_newest(&tracker, 5, true));   /* a marker is not a kernel */
	CHECK(!progress_unseen_newest(&tracker, 6, false)); /* the newest was not noted */
	entry->pairs[0] = (struct progress_pair){KERNEL + 0x100, 3};
	CHECK(progress_unseen_newest(&tracker, 5, false));
	*entry = (struct progress_entry){.kind = ENTRY_PLAIN, .pairs = {{CHANNEL, 71}}};
	CHECK(progress_unseen_newest(&tracker, 5, false));
	CHECK(!progress_unseen_newest(&tracker, 5, true));
	entry->pairs[0].value = 70; /* no kernel was noted */
	CHECK(!progress_unseen_newest(&tracker, 5, false));
	entry->pairs[0].object = CHANNEL + 0x100;
	CHECK(progress_unseen_newest(&tracker, 5, false));
	in_driver[0x10 / 8] = 2; /* a wait, or a graph */
	CHECK(!progress_unseen_newest(&tracker, 5, false));
	start();
	entry->pairs[0].value = 4;
	tracker.object |= PROGRESS_GIVEN_UP;
	CHECK(!progress_unseen_newest(&tracker, 5, false));
	tracker.place = NULL;
	CHECK(!progress_unseen_newest(&tracker, 5, false));
}

static void test_kernel(void)
{
	struct own_memory memory;
	CHECK_EQUAL(own_memory_open(&memory), 0);
	start();
	CHECK(progress_unseen_is_kernel(&memory, (uintptr_t)object));
	entry->kind = ENTRY_PLAIN;
	CHECK(!progress_unseen_is_kernel(&memory, (uintptr_t)object));
	CHECK(!progress_unseen_is_kernel(&memory, 0x1000)); /* there is no memory */
	own_memory_close(&memory);
}

int main(void)
{
	test_between();
	test_between_others();
	test_newest();
	test_kernel();
	return 0;
}
