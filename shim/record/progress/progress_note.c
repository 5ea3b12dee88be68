/*
 * progress_note.c - note rare submissions: on another channel than before, with an unexpected word,
 * several entries, or none that is understood.
 */
#include "record/progress/progress_note.h"

#include "base/hot.h"
#include "record/host/own_memory.h"
#include "record/progress/progress_unseen.h"

static struct progress_channel *discover_channel(struct progress_tracker *tracker, uint64_t object)
{
	struct progress_channel *channel = progress_channels_find(tracker->channels, object);
	struct own_memory memory;
	if (channel || own_memory_open(&memory) < 0)
		return channel;
	channel = progress_channels_of(tracker->channels, &memory, object);
	own_memory_close(&memory);
	return channel;
}

/* Streams change channels if there are more streams than channels. */
COLD bool progress_note_channel(struct progress_tracker *tracker, uint64_t object, bool is_kernel)
{
	struct progress_channel *channel = discover_channel(tracker, object);
	if (!channel)
		return false;
	if (!is_kernel)
		progress_note_keep_kernel(tracker);
	__atomic_store_n(&tracker->newest.channel, channel, __ATOMIC_RELAXED);
	tracker->channel_object = channel->object;
	tracker->channel_id = channel->id;
	return true;
}

static uint32_t find_state(struct progress_tracker *tracker, uint64_t kernel)
{
	for (uint32_t i = 0; i < STREAM_STATES; i++) {
		struct progress_state *state = &tracker->states[i];
		if (!state->kernel) {
			state->kernel = kernel;
			state->id = progress_states_add(&tracker->channels->counter_map.pages,
							kernel, tracker->stream);
		}
		if (state->kernel != kernel)
			continue;
		tracker->next_state = (i + 1) % STREAM_STATES;
		return state->id;
	}
	return 0;
}

/* Work other than launches may be several kernels. */
COLD uint32_t progress_note_state(struct progress_tracker *tracker, uint64_t kernel,
				  const struct journal_record *row)
{
	if (!progress_states_are_known())
		return 0;
	uint32_t id = find_state(tracker, kernel);
	if (row && row->work == WORK_KERNEL)
		progress_unseen_between(tracker, id);
	return id;
}

/* The submission is not noted, and may be several kernels, so the last kernel is unknown. */
static bool give_up_kernel(struct progress_tracker *tracker)
{
	progress_tracker_give_up_kernel(tracker);
	return false;
}

/* Find an entry that may be stored elsewhere now. Only a submission moves it, under the lock. */
static bool find_entry(struct progress_tracker *tracker)
{
	struct own_memory memory;
	if (*tracker->entries == (uintptr_t)tracker->entry || own_memory_open(&memory) < 0)
		return false;
	uintptr_t entries = progress_layout_entries(
		&progress_layout, &memory, (uintptr_t)tracker->entries - progress_layout.entries);
	own_memory_close(&memory);
	if (entries)
		tracker->entry = (const volatile struct progress_entry *)entries;
	return progress_tracker_has_entry(tracker);
}

/* If the stream is only set aside, what was found stays. */
COLD bool progress_note_stopped(struct progress_tracker *tracker)
{
	if (!progress_tracker_is_aside(tracker))
		progress_tracker_put_out(tracker);
	return give_up_kernel(tracker);
}

/* Note work without a kernel, whose first pair is its channel. */
__attribute__((noinline)) bool progress_note_other(struct progress_tracker *tracker, uint32_t kind,
						   uint64_t ordinal, struct journal_record *row)
{
	if (kind != ENTRY_PLAIN)
		return give_up_kernel(tracker);
	return progress_note_pairs(tracker, progress_pair_read(&tracker->entry->pairs[0]),
				   (struct progress_pair){0}, false, ordinal, row);
}

/*
 * Note a graph by any piece of its launch: when that has started, the graph has. Before that, work
 * after the graph has not.
 */
static bool note_graph(struct progress_tracker *tracker, uint64_t ordinal,
		       struct journal_record *row)
{
	uint32_t n = progress_tracker_entries(tracker);
	struct progress_pair where;
	if (!row || row->work != WORK_GRAPH || n > ENTRIES_MAX ||
	    *tracker->entries != (uintptr_t)tracker->entry ||
	    !progress_entries_graph(tracker->entry, n, tracker->channel_object, &where))
		return give_up_kernel(tracker);
	bool is_noted =
		progress_note_pairs(tracker, where, (struct progress_pair){0}, false, ordinal, row);
	progress_tracker_give_up_kernel(tracker);
	return is_noted;
}

COLD bool progress_note_elsewhere(struct progress_tracker *tracker, uint64_t ordinal,
				  struct journal_record *row)
{
	return find_entry(tracker) ? progress_note_entry(tracker, ordinal, row)
				   : note_graph(tracker, ordinal, row);
}
