/*
 * progress_tracker.c - follow a stream.
 */
#include "record/progress/progress_tracker.h"

#include <stddef.h>

#include "record/host/arena.h"

enum {
	MAX_TRIES = 4,
	MAX_SEARCHES = 16,  /* however often it is set aside: each search takes a millisecond */
	ASIDE = 1 << 16,    /* a count of tries that stops them until it is followed again */
	FOR_GOOD = 1 << 30, /* the same for ever */
	NO_CHANNEL = 1,     /* no object has an odd address */
};

/* Count a try; returns the earlier count, more than MAX_TRIES if tries are stopped for now. */
static uint32_t count_try(struct progress_tracker *tracker)
{
	return __atomic_fetch_add(&tracker->n_tries, 1, __ATOMIC_ACQUIRE);
}

static uintptr_t seek(struct progress_tracker *tracker, struct own_memory *memory,
		      const struct progress_layout *layout)
{
	if (tracker->sought && tracker->sought->n > 0)
		return tracker->found = progress_default_moved(tracker->sought, memory, layout);
	if (count_try(tracker) >= MAX_TRIES)
		return 0;
	if (tracker->found || tracker->n_searches == MAX_SEARCHES)
		return tracker->found;
	tracker->n_searches++;
	if (!tracker->sought)
		tracker->sought = arena_alloc_aside(sizeof(*tracker->sought));
	if (tracker->sought)
		progress_default_begin(tracker->sought, memory, layout,
				       &tracker->channels->counter_map, tracker->context);
	return 0;
}

static uintptr_t find_place(struct progress_tracker *tracker, struct own_memory *memory,
			    const struct progress_layout *layout)
{
	if (!tracker->handle)
		return seek(tracker, memory, layout);
	if (count_try(tracker) >= MAX_TRIES)
		return 0;
	return progress_layout_place(layout, memory, tracker->handle);
}

/* Adopt the object if it fits what was found in this context. A thread that gives the stream up
 * meanwhile leaves an invalid object. */
static void adopt(struct progress_tracker *tracker, struct own_memory *memory,
		  const struct progress_layout *layout, uintptr_t place)
{
	uint64_t object = own_memory_word(memory, place);
	struct progress_entry entry;
	if (!object ||
	    own_memory_word(memory, object) != tracker->channels->counter_map.tracker_class ||
	    !progress_layout_entry(layout, memory, object, &entry))
		return;
	uint64_t none = 0;
	if (!__atomic_compare_exchange_n(&tracker->object, &none, object, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		return;
	tracker->adopted = object;
	tracker->entries = (const volatile uint64_t *)(object + layout->entries);
	tracker->entry = (const volatile struct progress_entry *)(object + layout->entry);
	tracker->place = (const volatile uint64_t *)place;
}

/* Default streams are recognised only by kernels. */
static bool may_follow(const struct progress_tracker *tracker, const struct journal_record *row)
{
	bool is_sought = tracker->sought && tracker->sought->n > 0;
	if (__atomic_load_n(&tracker->n_tries, __ATOMIC_ACQUIRE) > MAX_TRIES ||
	    !tracker->channels || (is_sought && !(row && row->work == WORK_KERNEL)))
		return false;
	return !progress_refused() && !progress_channels_are_ending(tracker->channels) &&
	       __atomic_load_n(&tracker->channels->state, __ATOMIC_ACQUIRE) == PROGRESS_READY;
}

bool progress_tracker_follow(struct progress_tracker *tracker, const struct journal_record *row)
{
	const struct progress_layout *layout = &progress_layout;
	struct own_memory memory;
	if (!may_follow(tracker, row) || own_memory_open(&memory) < 0)
		return false;
	uintptr_t place = find_place(tracker, &memory, layout);
	if (place)
		adopt(tracker, &memory, layout, place);
	own_memory_close(&memory);
	return tracker->place != NULL;
}

/* Readers ignore the rest until an ordinal is stored again. */
static void hide_newest(struct progress_tracker *tracker)
{
	__atomic_store_n(&tracker->newest.ordinal, 0, __ATOMIC_RELAXED);
	/* Pairs with the acquire fence in read_newest(). */
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

void progress_tracker_put_out(struct progress_tracker *tracker)
{
	const struct progress_newest none = {0};
	tracker->place = NULL;
	__atomic_store_n(&tracker->object, 0, __ATOMIC_RELAXED);
	hide_newest(tracker);
	__atomic_store_n(&tracker->newest.channel, NULL, __ATOMIC_RELAXED);
	tracker->channel_object = NO_CHANNEL;
	if (tracker->sought)
		tracker->sought->n = 0;
	progress_newest_put(&tracker->newest_kernel, &none);
	__atomic_store_n(&tracker->newest_kernel.channel, NULL, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < STREAM_STATES; i++) {
		progress_states_drop(tracker->states[i].id);
		tracker->states[i] = (struct progress_state){0};
	}
}

bool progress_tracker_is_aside(const struct progress_tracker *tracker)
{
	uint32_t n_tries = __atomic_load_n(&tracker->n_tries, __ATOMIC_RELAXED);
	return n_tries >= ASIDE && n_tries < FOR_GOOD;
}

/* Forget the data of the stream's last life first: a checking thread may be reading it. */
void progress_tracker_start(struct progress_tracker *tracker, const struct progress_tracker *stream)
{
	progress_tracker_forget(tracker);
	__atomic_store_n(&tracker->n_tries, 0, __ATOMIC_RELAXED);
	tracker->next_state = 0;
	tracker->stream = stream->stream;
	tracker->handle = stream->handle;
	tracker->context = stream->context;
	__atomic_store_n(&tracker->channels, stream->channels, __ATOMIC_RELAXED);
	if (tracker->samples)
		*tracker->samples = (struct progress_samples){0};
}

void progress_tracker_forget(struct progress_tracker *tracker)
{
	progress_tracker_put_out(tracker);
	tracker->found = 0;
	tracker->n_searches = 0;
}

void progress_tracker_pause(struct progress_tracker *tracker)
{
	progress_tracker_forget(tracker);
	uint32_t n_tries = __atomic_load_n(&tracker->n_tries, __ATOMIC_RELAXED);
	/* Leave the count if the stream was given up, even at this moment. */
	if (n_tries <= MAX_TRIES)
		(void)__atomic_compare_exchange_n(&tracker->n_tries, &n_tries, 0, false,
						  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Store in this order: a thread that starts to follow reads the tries first. */
void progress_tracker_give_up(struct progress_tracker *tracker)
{
	__atomic_store_n(&tracker->n_tries, FOR_GOOD, __ATOMIC_RELEASE);
	__atomic_store_n(&tracker->object, PROGRESS_GIVEN_UP, __ATOMIC_SEQ_CST);
}

/* As give_up, but keeps the tries of a stream that is given up. */
void progress_tracker_set_aside(struct progress_tracker *tracker)
{
	uint32_t n_tries = __atomic_load_n(&tracker->n_tries, __ATOMIC_RELAXED);
	while (n_tries < FOR_GOOD &&
	       !__atomic_compare_exchange_n(&tracker->n_tries, &n_tries, ASIDE, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	__atomic_store_n(&tracker->object, PROGRESS_GIVEN_UP, __ATOMIC_SEQ_CST);
}

void progress_tracker_give_up_kernel(struct progress_tracker *tracker)
{
	/* One word: a checking thread finds the kernel as it was noted, or none. */
	__atomic_store_n(&tracker->newest.kernel.object, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&tracker->newest_kernel.state, 0, __ATOMIC_RELAXED);
}

/*
 * Use what was found again, without assuming that the next submission follows the newest noted one.
 * A thread that gives the stream up meanwhile wins.
 */
static void take_up(struct progress_tracker *tracker)
{
	progress_tracker_give_up_kernel(tracker);
	uint64_t aside = PROGRESS_GIVEN_UP;
	(void)__atomic_compare_exchange_n(&tracker->object, &aside, tracker->adopted, false,
					  __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
	if (__atomic_load_n(&tracker->n_tries, __ATOMIC_SEQ_CST) >= FOR_GOOD)
		__atomic_store_n(&tracker->object, PROGRESS_GIVEN_UP, __ATOMIC_SEQ_CST);
}

void progress_tracker_follow_again(struct progress_tracker *tracker)
{
	uint32_t n_tries = __atomic_load_n(&tracker->n_tries, __ATOMIC_RELAXED);
	if (!progress_tracker_is_aside(tracker))
		return;
	bool is_found = tracker->place && *tracker->place == tracker->adopted;
	if (!is_found)
		progress_tracker_put_out(tracker);
	if (__atomic_compare_exchange_n(&tracker->n_tries, &n_tries, 0, false, __ATOMIC_RELEASE,
					__ATOMIC_RELAXED) &&
	    is_found)
		take_up(tracker);
}
