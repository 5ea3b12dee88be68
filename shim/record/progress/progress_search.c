/*
 * progress_search.c - collect candidates, and try them.
 */
#include "record/progress/progress_search.h"

#include <string.h>

#include "arch/arch.h"
#include "record/host/clock_wait.h"
#include "record/progress/progress_counters.h"
#include "record/progress/progress_list.h"

/* How far a stream's object is searched for its tracker, and a tracker for its entry. */
enum { OBJECT_SIZE = 0x1400, ENTRY_END = 0x80 };

enum { MAX_CANDIDATES = 64, MAX_INDEX = 4096 };

/* A place that may hold a stream's newest payload. */
struct candidate {
	uint32_t tracker, entry;
	uint64_t value;
};

/* One search at a time. Static, because it is too big for a host thread's stack. */
static struct {
	struct own_memory memory;
	struct candidate candidates[MAX_CANDIDATES];
	int n_candidates;
	struct found_channels found;
	uint8_t object[OBJECT_SIZE];
	uint8_t tracker[TRACKER_SIZE];
} search;

static uint64_t word_in(const uint8_t *bytes, uint32_t offset)
{
	uint64_t word = 0;
	memcpy(&word, bytes + offset, sizeof(word));
	return word;
}

/* Read as much of it as exists; the rest is zero. */
static void read_object(uint64_t address)
{
	enum { PIECE = 0x100 };
	memset(search.object, 0, sizeof(search.object));
	for (uint32_t at = 0; at < OBJECT_SIZE; at += PIECE) {
		if (!own_memory_read(&search.memory, address + at, search.object + at, PIECE))
			return;
	}
}

static bool is_pointer(uint64_t word)
{
	return word % 8 == 0 && word >= 4096 && !(word >> ARCH_ADDRESS_BITS);
}

/* Add a tracker's entries that look like plain work: a kind, a pointer and a small number. */
static void add_candidates(uint32_t offset)
{
	for (uint32_t entry = 0; entry + 3 * 8 <= ENTRY_END; entry += 8) {
		uint64_t value = word_in(search.tracker, entry + 16);
		if ((uint32_t)word_in(search.tracker, entry) != ENTRY_PLAIN ||
		    !is_pointer(word_in(search.tracker, entry + 8)) || value == 0 || value >> 32 ||
		    search.n_candidates == MAX_CANDIDATES)
			continue;
		search.candidates[search.n_candidates++] =
			(struct candidate){.tracker = offset, .entry = entry, .value = value};
	}
}

static void collect_candidates(uint64_t stream_handle)
{
	read_object(own_memory_word(&search.memory, stream_handle));
	search.n_candidates = 0;
	for (uint32_t offset = 0; offset < OBJECT_SIZE; offset += 8) {
		uint64_t tracker = word_in(search.object, offset);
		if (is_pointer(tracker) && own_memory_read(&search.memory, tracker, search.tracker,
							   sizeof(search.tracker)))
			add_candidates(offset);
	}
}

static uint64_t value_of(const struct candidate *candidate, uint64_t stream_handle)
{
	uint64_t object = own_memory_word(&search.memory, stream_handle);
	uint64_t tracker = own_memory_word(&search.memory, object + candidate->tracker);
	return own_memory_word(&search.memory, tracker + candidate->entry + 16);
}

/* Keep candidates whose number has grown by n. */
static void keep_moved(uint64_t stream_handle, uint64_t n)
{
	int kept = 0;
	for (int i = 0; i < search.n_candidates; i++) {
		struct candidate candidate = search.candidates[i];
		uint64_t value = value_of(&candidate, stream_handle);
		if (value != candidate.value + n)
			continue;
		candidate.value = value;
		search.candidates[kept++] = candidate;
	}
	search.n_candidates = kept;
}

/* Find the pointer in the tracker to its own entry. */
static bool find_entries(uint64_t tracker, uint32_t entry, uint32_t *out_entries)
{
	if (!own_memory_read(&search.memory, tracker, search.tracker, sizeof(search.tracker)))
		return false;
	for (uint32_t entries = COUNT_BEFORE; entries < entry; entries += 8) {
		if (word_in(search.tracker, entries) != tracker + entry ||
		    (uint32_t)word_in(search.tracker, entries - COUNT_BEFORE) != 1)
			continue;
		*out_entries = entries;
		return true;
	}
	return false;
}

static const char *find_tracker(struct probe_streams *probe, struct progress_layout *layout)
{
	static const int steps[] = {1, 2, 1, 3};
	uint64_t handle = (uintptr_t)probe->streams[0];
	if (!probe_streams_submit(probe, 0, 1))
		return "the driver refuses memory operations";
	collect_candidates(handle);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		if (!probe_streams_submit(probe, 0, steps[i]))
			return "the driver refuses memory operations";
		keep_moved(handle, (uint64_t)steps[i]);
	}
	for (int i = 0; i < search.n_candidates; i++) {
		const struct candidate *found = &search.candidates[i];
		uint64_t object = own_memory_word(&search.memory, handle);
		uint64_t tracker = own_memory_word(&search.memory, object + found->tracker);
		if (!find_entries(tracker, found->entry, &layout->entries))
			continue;
		layout->tracker = found->tracker;
		layout->entry = found->entry;
		return NULL;
	}
	return "no counter of submissions hangs on a stream's handle";
}

/* Find the member of channels' objects that orders their words in a row. */
static bool find_index(const uint8_t *one, const uint8_t *other, intptr_t words_apart,
		       struct progress_layout *layout)
{
	for (uint32_t offset = 0; offset < TRACKER_SIZE; offset += 4) {
		uint32_t a = 0;
		memcpy(&a, one + offset, sizeof(a));
		uint32_t b = 0;
		memcpy(&b, other + offset, sizeof(b));
		if (a >= MAX_INDEX || b >= MAX_INDEX || a == b ||
		    ((intptr_t)b - (intptr_t)a) * WORD_STEP != words_apart)
			continue;
		if (layout->has_index && layout->index != offset)
			continue;
		layout->index = offset;
		layout->has_index = true;
		return true;
	}
	return false;
}

static const char *place_channels(struct progress_layout *layout, struct counter_map *counter_map)
{
	static uint8_t other[TRACKER_SIZE];
	const struct found_channel *found = search.found.of;
	if (!own_memory_read(&search.memory, found[0].object, search.object, TRACKER_SIZE))
		return "a channel is no object";
	counter_map->channel_class = word_in(search.object, 0);
	if (search.found.n == 1) {
		counter_map->only_channel = found[0].object;
		counter_map->only_word = found[0].words[0];
		return NULL;
	}
	if (!own_memory_read(&search.memory, found[1].object, other, TRACKER_SIZE) ||
	    word_in(other, 0) != counter_map->channel_class)
		return "channels are no objects of one kind";
	if (!find_index(search.object, other, (intptr_t)(found[0].words[0] - found[1].words[0]),
			layout))
		return "channels are not numbered as their words lie";
	uint32_t index = 0;
	memcpy(&index, search.object + layout->index, sizeof(index));
	counter_map->first_word = found[0].words[0] + (uintptr_t)index * WORD_STEP;
	return NULL;
}

/* True if the word shows this payload in time. Bounded as progress_counter_reaches(). */
static bool comes_to(uintptr_t word, uint32_t payload)
{
	struct clock_wait wait = {.patience_ns = 1000ull * 1000};
	while (progress_counters_payload(&search.memory, word) != payload) {
		if (clock_wait_is_over(&wait))
			return false;
	}
	return true;
}

/* Return the channel's word; 0: it is a third channel. */
static uintptr_t word_of(uint64_t channel)
{
	for (int i = 0; i < search.found.n; i++) {
		if (search.found.of[i].object == channel)
			return search.found.of[i].words[0];
	}
	return 0;
}

static const char too_late[] = "the GPU did our own work too soon";

/*
 * Work after a gate is submitted and has not started; the word must show the difference. Returns
 * too_late if the gate was already open when it was read.
 */
static const char *try_held(struct probe_streams *probe, const struct progress_layout *layout)
{
	if (!probe_streams_hold(probe, 0) || !probe_streams_submit(probe, 0, 1))
		return "the driver refuses memory operations";
	struct progress_pair newest;
	uint64_t tracker = 0;
	bool is_submitted =
		probe_streams_newest(probe, layout, &search.memory, 0, &tracker, &newest);
	probe_streams_give_time();
	uintptr_t word = is_submitted ? word_of(newest.object) : 0;
	uint32_t held = progress_counters_payload(&search.memory, word);
	bool is_closed = progress_gate_is_closed(&probe->gate);
	if (!is_submitted || !probe_streams_drain(probe, 0))
		return "the GPU does not come to our own work";
	if (!word)
		return "our own work went to one channel too many";
	if (!is_closed)
		return too_late;
	if ((int32_t)((uint32_t)newest.value - held) <= 0)
		return "the word counts what has not begun";
	return comes_to(word, (uint32_t)newest.value) ? NULL
						      : "the word does not count what begins";
}

static const char *try_started(struct probe_streams *probe, const struct progress_layout *layout)
{
	const char *trouble = NULL;
	do
		trouble = try_held(probe, layout);
	while (trouble == too_late && probe_streams_slow_down(probe));
	return trouble;
}

/* Find the list, without which a thread's own default stream cannot be found. */
static void find_list(const struct probe_streams *probe, struct progress_layout *layout,
		      struct counter_map *counter_map)
{
	uint64_t earlier = own_memory_word(&search.memory, (uintptr_t)probe->streams[0]);
	uint64_t later = own_memory_word(&search.memory, (uintptr_t)probe->streams[1]);
	if (layout->has_list || progress_list_learn(&search.memory, earlier, later, layout))
		counter_map->first_stream = progress_list_first(
			&search.memory, layout, counter_map->tracker_class, earlier);
}

static const char *search_all(struct probe_streams *probe, struct progress_layout *layout,
			      struct counter_map *counter_map)
{
	const char *trouble = layout->entry ? NULL : find_tracker(probe, layout);
	if (trouble)
		return trouble;
	struct progress_pair newest;
	uint64_t trackers[N_PROBE_STREAMS];
	for (int i = 0; i < N_PROBE_STREAMS; i++) {
		if (!probe_streams_submit(probe, i, 1) || !probe_streams_drain(probe, i) ||
		    !probe_streams_newest(probe, layout, &search.memory, i, &trackers[i], &newest))
			return "our own streams have no counter where it was found";
	}
	counter_map->tracker_class = own_memory_word(&search.memory, trackers[0]);
	if (own_memory_word(&search.memory, trackers[1]) != counter_map->tracker_class)
		return "trackers are no objects of one kind";
	find_list(probe, layout, counter_map);
	trouble = progress_counters_find(probe, layout, &search.memory, &search.found,
					 &counter_map->pages);
	if (!trouble)
		trouble = place_channels(layout, counter_map);
	return trouble ? trouble : try_started(probe, layout);
}

static void tell_tried(struct counter_map *counter_map)
{
	for (int i = 0; i < search.found.n; i++)
		counter_map->tried[i] = (struct searched_channel){
			.object = search.found.of[i].object,
			.payload = search.found.of[i].payload,
			.n_rounds = (uint32_t)search.found.of[i].n_rounds};
	counter_map->n_tried = search.found.n;
}

/* Store all but what progress_states.c writes, perhaps at the same time. */
static void put(struct progress_layout *layout, const struct progress_layout *found)
{
	layout->tracker = found->tracker;
	layout->entries = found->entries;
	layout->entry = found->entry;
	layout->index = found->index;
	layout->has_index = found->has_index;
	layout->next = found->next;
	layout->previous = found->previous;
	layout->has_list = found->has_list;
}

const char *progress_search(struct probe_streams *probe, struct progress_layout *layout,
			    struct counter_map *out_map)
{
	struct progress_layout found = *layout;
	struct counter_map counter_map = {0};
	if (own_memory_open(&search.memory) < 0)
		return "no file descriptor is free";
	const char *trouble = search_all(probe, &found, &counter_map);
	if (!trouble) {
		put(layout, &found);
		tell_tried(&counter_map);
		*out_map = counter_map;
	}
	own_memory_close(&search.memory);
	return trouble;
}
