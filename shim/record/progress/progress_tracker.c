/*
 * progress_tracker.c - following a stream.
 */
#include "record/progress/progress_tracker.h"

#include <stddef.h>

#include "base/hot.h"
#include "record/host/arena.h"

enum {
	MAX_TRIES = 4,
	MAX_SEARCHES = 16,  /* however often it is set aside meanwhile: each takes a millisecond */
	ASIDE = 1 << 16,    /* tries: none comes until it is followed again */
	FOR_GOOD = 1 << 30, /* the same for ever */
	GIVEN_UP = 1,       /* no object has an odd address */
	NO_CHANNEL = 1,     /* as above */
};

/* How many there were before: more than MAX_TRIES where there are to be no more for now. */
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
		progress_default_begin(tracker->sought, memory, layout, &tracker->channels->ground,
				       tracker->context);
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

/* Has it to do with what was found in this context? Who gives the stream up meanwhile has left an
 * object that is none. */
static void adopt(struct progress_tracker *tracker, struct own_memory *memory,
		  const struct progress_layout *layout, uintptr_t place)
{
	struct progress_entry entry;
	uint64_t object = own_memory_word(memory, place);
	if (!object || own_memory_word(memory, object) != tracker->channels->ground.tracker_class ||
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

/* Default streams are told apart by kernels alone. */
static bool may_follow(const struct progress_tracker *tracker, const struct journal_record *row)
{
	bool is_sought = tracker->sought && tracker->sought->n > 0;
	if (__atomic_load_n(&tracker->n_tries, __ATOMIC_ACQUIRE) > MAX_TRIES ||
	    !tracker->channels || (is_sought && !(row && row->work == WORK_KERNEL)))
		return false;
	return !progress_refused() && !progress_channels_are_ending(tracker->channels) &&
	       __atomic_load_n(&tracker->channels->state, __ATOMIC_ACQUIRE) == PROGRESS_READY;
}

static COLD bool begin_to_follow(struct progress_tracker *tracker, const struct journal_record *row)
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

static COLD struct progress_channel *meet_channel(struct progress_tracker *tracker, uint64_t object)
{
	struct progress_channel *channel = progress_channels_find(tracker->channels, object);
	struct own_memory memory;
	if (channel || own_memory_open(&memory) < 0)
		return channel;
	channel = progress_channels_of(tracker->channels, &memory, object);
	own_memory_close(&memory);
	return channel;
}

/* Streams move between channels, where there are more streams than those. Under the lock, as
 * note(). */
static COLD void note_channel(struct progress_tracker *tracker,
			      const struct progress_channel *channel)
{
	tracker->channel_object = channel->object;
	tracker->channel_id = channel->id;
}

static COLD uint32_t meet_state(struct progress_tracker *tracker, uint64_t kernel)
{
	if (!progress_states_are_known())
		return 0;
	for (uint32_t i = 0; i < STREAM_STATES; i++) {
		struct progress_state *state = &tracker->states[i];
		if (!state->kernel) {
			state->kernel = kernel;
			state->id = progress_states_add(&tracker->channels->ground.pages, kernel,
							tracker->stream);
		}
		if (state->kernel != kernel)
			continue;
		tracker->next_state = (i + 1) % STREAM_STATES;
		return state->id;
	}
	return 0;
}

static inline uint32_t state_of(struct progress_tracker *tracker, uint64_t kernel)
{
	const struct progress_state *state = &tracker->states[tracker->next_state];
	if (state->kernel != kernel)
		return meet_state(tracker, kernel);
	tracker->next_state = (tracker->next_state + 1) % STREAM_STATES;
	return state->id;
}

/* The channel last: with it the rest counts. Who looks at the failure may be reading the row. */
static inline void fill_in(struct journal_record *row, const struct progress_tracker *tracker)
{
	const struct progress_newest *newest = &tracker->newest;
	struct record_progress *progress = &row->progress;
	uint32_t turn = newest->state ? (uint32_t)newest->kernel.value + 1 : 0;
	__atomic_store_n(&progress->payload, newest->payload, __ATOMIC_RELAXED);
	__atomic_store_n(&progress->state, newest->state, __ATOMIC_RELAXED);
	__atomic_store_n(&progress->turn, turn, __ATOMIC_RELAXED);
	__atomic_store_n(&progress->channel, tracker->channel_id, __ATOMIC_RELEASE);
}

static inline uint32_t count_entries(const struct progress_tracker *tracker)
{
	return *(const volatile uint32_t *)((uintptr_t)tracker->entries - COUNT_BEFORE);
}

/* Has it the one entry that is understood? */
static inline bool has_entry(const struct progress_tracker *tracker)
{
	return *tracker->entries == (uintptr_t)tracker->entry && count_entries(tracker) == 1;
}

/* As above, when it has perhaps gone elsewhere: with a submission alone, under the lock. */
static COLD bool find_entry(struct progress_tracker *tracker)
{
	struct own_memory memory;
	if (*tracker->entries == (uintptr_t)tracker->entry || own_memory_open(&memory) < 0)
		return false;
	uintptr_t entries = progress_layout_entries(
		&progress_layout, &memory, (uintptr_t)tracker->entries - progress_layout.entries);
	own_memory_close(&memory);
	if (entries)
		tracker->entry = (const volatile struct progress_entry *)entries;
	return has_entry(tracker);
}

/* All but the ordinal, word by word: who checks may be reading it. */
static inline void put(struct progress_newest *newest, const struct progress_newest *from)
{
	__atomic_store_n(&newest->kernel.object, from->kernel.object, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->kernel.value, from->kernel.value, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->payload, from->payload, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->state, from->state, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->channel, from->channel, __ATOMIC_RELAXED);
}

static void put_out(struct progress_tracker *tracker)
{
	const struct progress_newest none = {0};
	tracker->place = NULL;
	__atomic_store_n(&tracker->object, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&tracker->newest.ordinal, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&tracker->newest.channel, NULL, __ATOMIC_RELAXED);
	tracker->channel_object = NO_CHANNEL;
	if (tracker->sought)
		tracker->sought->n = 0;
	put(&tracker->newest_kernel, &none);
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

/* The driver names another object, or is not to be believed. Aside what was found stays. */
static COLD bool stop(struct progress_tracker *tracker)
{
	if (!progress_tracker_is_aside(tracker))
		put_out(tracker);
	return false;
}

/* `where` names the channel and the payload there; `kernel` is 0 of what is none. */
static inline __attribute__((always_inline)) bool note(struct progress_tracker *tracker,
						       struct progress_pair where,
						       struct progress_pair kernel, bool is_kernel,
						       uint64_t ordinal, struct journal_record *row)
{
	struct progress_newest *newest = &tracker->newest;
	/* Behind the reading: who gave the stream up before it submitted may be what was read. */
	if (!USUALLY(!(__atomic_load_n(&tracker->object, __ATOMIC_ACQUIRE) & GIVEN_UP)))
		return stop(tracker);
	if (!USUALLY(where.value && !(where.value >> 32)))
		return false;
	struct progress_channel *channel = newest->channel;
	bool is_newest = where.object == tracker->channel_object;
	/* The same number again: nothing was submitted, as for a copy of no bytes. */
	if (!USUALLY(!is_newest || (uint32_t)where.value != newest->payload))
		return false;
	if (!USUALLY(is_newest) && !(channel = meet_channel(tracker, where.object)))
		return false;
	if (!is_kernel && newest->kernel.object)
		put(&tracker->newest_kernel, newest);
	const struct progress_newest now = {.channel = channel,
					    .payload = (uint32_t)where.value,
					    .kernel = kernel,
					    .state = is_kernel ? state_of(tracker, kernel.object)
							       : 0};
	put(newest, &now);
	if (!USUALLY(is_newest))
		note_channel(tracker, channel);
	__atomic_store_n(&newest->ordinal, ordinal, __ATOMIC_RELEASE);
	if (row)
		fill_in(row, tracker);
	return true;
}

/* What is no kernel has the pair of its channel first. */
static __attribute__((noinline)) bool note_plain(struct progress_tracker *tracker, uint64_t ordinal,
						 struct journal_record *row)
{
	return note(tracker, progress_pair_read(&tracker->entry->pairs[0]),
		    (struct progress_pair){0}, false, ordinal, row);
}

/*
 * Any piece of the launch does: when it has begun the graph has, and before that nothing behind the
 * graph.
 */
static COLD bool note_graph(struct progress_tracker *tracker, uint64_t ordinal,
			    struct journal_record *row)
{
	struct progress_pair where;
	uint32_t n = count_entries(tracker);
	if (!row || row->work != WORK_GRAPH || n > ENTRIES_MAX ||
	    *tracker->entries != (uintptr_t)tracker->entry ||
	    !progress_entries_graph(tracker->entry, n, tracker->channel_object, &where))
		return false;
	return note(tracker, where, (struct progress_pair){0}, false, ordinal, row);
}

HOT bool progress_tracker_note(struct progress_tracker *tracker, uint64_t ordinal,
			       struct journal_record *row)
{
	if (!tracker->place && !begin_to_follow(tracker, row))
		return false;
	/* Another thread may give it up meanwhile. */
	if (*tracker->place != __atomic_load_n(&tracker->object, __ATOMIC_RELAXED) ||
	    progress_refused())
		return stop(tracker);
	/* Readers take nothing for true while it is 0. */
	__atomic_store_n(&tracker->newest.ordinal, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	if (!USUALLY(has_entry(tracker)) && !find_entry(tracker))
		return note_graph(tracker, ordinal, row);
	uint32_t kind = tracker->entry->kind;
	if (!USUALLY(kind == ENTRY_KERNEL))
		return kind == ENTRY_PLAIN && note_plain(tracker, ordinal, row);
	return note(tracker, progress_pair_read(&tracker->entry->pairs[1]),
		    progress_pair_read(&tracker->entry->pairs[0]), true, ordinal, row);
}

/* What is of the stream's last life is put out first: who checks that may be reading. */
void progress_tracker_start(struct progress_tracker *tracker, const struct progress_tracker *stream)
{
	progress_tracker_forget(tracker);
	__atomic_store_n(&tracker->n_tries, 0, __ATOMIC_RELAXED);
	tracker->next_state = 0;
	tracker->stream = stream->stream;
	tracker->handle = stream->handle;
	tracker->context = stream->context;
	__atomic_store_n(&tracker->channels, stream->channels, __ATOMIC_RELAXED);
	if (tracker->trials)
		*tracker->trials = (struct progress_trials){0};
}

void progress_tracker_forget(struct progress_tracker *tracker)
{
	put_out(tracker);
	tracker->found = 0;
	tracker->n_searches = 0;
}

void progress_tracker_pause(struct progress_tracker *tracker)
{
	progress_tracker_forget(tracker);
	uint32_t n_tries = __atomic_load_n(&tracker->n_tries, __ATOMIC_RELAXED);
	/* Not if it was given up, be it just now. */
	if (n_tries <= MAX_TRIES)
		(void)__atomic_compare_exchange_n(&tracker->n_tries, &n_tries, 0, false,
						  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* In this order: who follows anew looks at the tries first. */
void progress_tracker_give_up(struct progress_tracker *tracker)
{
	__atomic_store_n(&tracker->n_tries, FOR_GOOD, __ATOMIC_RELEASE);
	__atomic_store_n(&tracker->object, GIVEN_UP, __ATOMIC_SEQ_CST);
}

/* As above, but for the tries of one that is given up. */
void progress_tracker_set_aside(struct progress_tracker *tracker)
{
	uint32_t n_tries = __atomic_load_n(&tracker->n_tries, __ATOMIC_RELAXED);
	while (n_tries < FOR_GOOD &&
	       !__atomic_compare_exchange_n(&tracker->n_tries, &n_tries, ASIDE, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	__atomic_store_n(&tracker->object, GIVEN_UP, __ATOMIC_SEQ_CST);
}

/* What was found counts again. Who gives the stream up meanwhile has the last word. */
static void take_up(struct progress_tracker *tracker)
{
	uint64_t aside = GIVEN_UP;
	(void)__atomic_compare_exchange_n(&tracker->object, &aside, tracker->adopted, false,
					  __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
	if (__atomic_load_n(&tracker->n_tries, __ATOMIC_SEQ_CST) >= FOR_GOOD)
		__atomic_store_n(&tracker->object, GIVEN_UP, __ATOMIC_SEQ_CST);
}

void progress_tracker_follow_again(struct progress_tracker *tracker)
{
	uint32_t n_tries = __atomic_load_n(&tracker->n_tries, __ATOMIC_RELAXED);
	if (!progress_tracker_is_aside(tracker))
		return;
	bool is_found = tracker->place && *tracker->place == tracker->adopted;
	if (!is_found)
		put_out(tracker);
	if (__atomic_compare_exchange_n(&tracker->n_tries, &n_tries, 0, false, __ATOMIC_RELEASE,
					__ATOMIC_RELAXED) &&
	    is_found)
		take_up(tracker);
}
