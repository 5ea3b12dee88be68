/*
 * progress_notes.c - a thread notes what the driver says about a stream's newest submission, while
 * another thread checks that note, or sets the stream aside and submits beside it.
 *
 * Variants: "note", where the next submission is noted, and "new", where it is the one to check;
 * "other", where it is no kernel; "forget" and "forget-other", where all notes are forgotten;
 * "kernel", where only the kernel becomes unknown; "beside", where another thread submits without
 * the stream's lock; "again", where such a thread has come back.
 */
#include <string.h>

#include "model.h"
#include "record/progress/progress_note.h"
#include "record/progress/progress_tracker.h"

enum { OBJECT = 0x1000, CHANNEL = 0x2000, KERNEL = 0x3000, OTHER = 9 };

/* The driver's memory. Each word is a relaxed access. */
static struct driver {
	uint64_t object;
	uint64_t n_entries; /* COUNT_BEFORE the pointer */
	uint64_t entries;
	struct progress_entry entry;
} driver;

static struct progress_channels channels = {.state = PROGRESS_READY};
static struct progress_channel channel = {.object = CHANNEL, .id = 1};
static struct progress_tracker tracker = {
	.place = &driver.object,
	.object = OBJECT,
	.adopted = OBJECT,
	.entries = &driver.entries,
	.entry = &driver.entry,
	.newest = {.channel = &channel},
	.channel_object = CHANNEL,
	.channel_id = 1,
	.channels = &channels,
};
static uint64_t checked; /* the ordinal that is checked */
static uint64_t newest_kernel;
const char *progress_refusal;
struct progress_layout progress_layout;

bool progress_channels_begin_reading(struct progress_channels *of)
{
	return of == &channels;
}

void progress_channels_end_reading(struct progress_channels *of)
{
	(void)of;
}

/* A note's numbers belong together: the n-th submission has payload n, and is the n-th use. */
void progress_channels_check(struct progress_channels *of, struct progress_channel *at,
			     uint32_t payload)
{
	MODEL_CHECK(of == &channels && at == &channel);
	MODEL_CHECK(payload == checked || payload == newest_kernel);
}

void progress_states_check(const struct mapping *pages, const struct progress_pair *kernel,
			   uint32_t id)
{
	(void)pages;
	MODEL_CHECK(kernel->object == KERNEL && kernel->value == newest_kernel && id == 1);
}

void progress_states_drop(uint32_t id)
{
	(void)id;
}

static void submit_to_driver(uint64_t n, bool is_kernel)
{
	driver.entry.kind = is_kernel ? ENTRY_KERNEL : ENTRY_PLAIN;
	driver.entry.pairs[0] =
		is_kernel ? (struct progress_pair){KERNEL, n} : (struct progress_pair){CHANNEL, n};
	driver.entry.pairs[1] = (struct progress_pair){CHANNEL, n};
}

static void submit(uint64_t n, bool is_kernel)
{
	submit_to_driver(n, is_kernel);
	(void)progress_note_of(&tracker, n, NULL);
}

static void note(void)
{
	submit(2, true);
}

static void note_other(void)
{
	submit(2, false);
}

static void forget(void)
{
	progress_tracker_put_out(&tracker);
}

static void forget_kernel(void)
{
	progress_tracker_give_up_kernel(&tracker);
}

static void check(void)
{
	progress_tracker_check(&tracker, checked);
}

/* The driver's entry may be the other thread's: then its number is not noted. */
static void note_beside(void)
{
	if (progress_note_of(&tracker, 2, NULL))
		MODEL_CHECK(tracker.newest.payload != OTHER);
}

static void submit_beside(void)
{
	progress_tracker_set_aside(&tracker);
	__atomic_thread_fence(__ATOMIC_RELEASE); /* the driver takes a lock of its own */
	driver.entry.pairs[1] = (struct progress_pair){CHANNEL, OTHER};
}

static void follow_again(void)
{
	progress_tracker_follow_again(&tracker);
}

static const struct {
	const char *name;
	void (*threads[2])(void);
	uint64_t checked, newest_kernel;
} variants[] = {
	{"note", {note, check}, 1, 1},
	{"new", {note, check}, 2, 2},
	{"other", {note_other, check}, 1, 1},
	{"forget", {forget, check}, 1, 1},
	{"forget-other", {forget, check}, 2, 1},
	{"kernel", {forget_kernel, check}, 1, 1},
	{"beside", {note_beside, submit_beside}, 1, 1},
	{"again", {follow_again, check}, 1, 1},
};

void scenario_setup(const char *variant)
{
	model_words(&driver, sizeof(driver), 8);
	driver.object = OBJECT;
	driver.n_entries = 1;
	driver.entries = (uintptr_t)&driver.entry;
	for (uint32_t i = 0; i < STREAM_STATES; i++)
		tracker.states[i] = (struct progress_state){.kernel = KERNEL, .id = 1};
	submit(1, true);
	MODEL_CHECK(tracker.newest.ordinal == 1);
	if (strcmp(variant, "forget-other") == 0)
		note_other();
	if (strcmp(variant, "again") == 0)
		progress_tracker_set_aside(&tracker);
	if (strcmp(variant, "beside") == 0)
		submit_to_driver(2, true);
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		if (strcmp(variants[i].name, variant) != 0)
			continue;
		checked = variants[i].checked;
		newest_kernel = variants[i].newest_kernel;
		model_thread(variants[i].threads[0]);
		model_thread(variants[i].threads[1]);
	}
}

void scenario_end(void)
{
}
