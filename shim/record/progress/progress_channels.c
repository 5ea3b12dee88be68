/*
 * progress_channels.c - discover, check and copy channels.
 */
#include "record/progress/progress_channels.h"

#include <sched.h>
#include <stddef.h>
#include <string.h>

#include "base/hot.h"
#include "record/host/clock.h"
#include "record/journal/bundle.h"
#include "record/journal/row_uses.h"

enum { MAX_TRIES = 3 };

/* Longer than any reading, unless its thread was kept from running or left by a jump. */
static const uint64_t READING_NS = 10ull * 1000 * 1000 * 1000;

/* Two clocks are read at one time within this, or a comparison is dropped without need. */
static const uint64_t READINGS_NS = 20ull * 1000;

struct progress_layout progress_layout;
READ_MOSTLY const char *progress_refusal; /* atomic: the first reason */

static void end_row(uint32_t place, const void *row)
{
	(void)place;
	(void)row; /* it holds nothing */
}

/* A record of an ended context names an earlier use of a row, and so no channel. */
static uint16_t given[ROW_ID_MAX + 1];
static struct row_uses rows = {.file = JOURNAL_CHANNELS,
			       .use_offset = offsetof(struct channel_row, use),
			       .end = end_row,
			       .given = given};

static bool is_wanted;       /* written at start only */
static bool are_kept;        /* atomic: rows are as at the failure; written once */
static uint32_t search_lock; /* atomic: 1 while a thread searches */

void progress_refuse(const char *reason)
{
	const char *none = NULL;
	(void)__atomic_compare_exchange_n(&progress_refusal, &none, reason, false, __ATOMIC_RELEASE,
					  __ATOMIC_RELAXED);
}

static const char *search(struct progress_channels *channels, struct probe_streams *probe)
{
	if (__atomic_exchange_n(&search_lock, 1, __ATOMIC_ACQUIRE))
		return "another context was being searched";
	const char *trouble = progress_search(probe, &progress_layout, &channels->counter_map);
	__atomic_store_n(&search_lock, 0, __ATOMIC_RELEASE);
	return trouble;
}

void progress_channels_start(bool are_wanted)
{
	is_wanted = are_wanted;
}

bool progress_channels_are_wanted(void)
{
	return is_wanted;
}

bool progress_channels_may_search(const struct progress_channels *channels)
{
	return is_wanted && !progress_refused() &&
	       __atomic_load_n(&channels->state, __ATOMIC_RELAXED) == PROGRESS_NONE;
}

static const volatile struct progress_counter *word_of(const struct counter_map *counter_map,
						       uint64_t object, uint32_t index)
{
	uintptr_t word = counter_map->first_word - (uintptr_t)index * WORD_STEP;
	if (counter_map->only_channel)
		word = object == counter_map->only_channel ? counter_map->only_word : 0;
	bool is_there = word >= counter_map->pages.start && word < counter_map->pages.end;
	return is_there ? (const volatile struct progress_counter *)word : NULL;
}

struct progress_channel *progress_channels_find(struct progress_channels *channels, uint64_t object)
{
	/* Pairs with the release store in add(). */
	uint32_t n = __atomic_load_n(&channels->n, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < n; i++) {
		if (channels->channels[i].object == object)
			return &channels->channels[i];
	}
	return NULL;
}

/* Add a channel. Under the lock. */
static struct progress_channel *add(struct progress_channels *channels, uint64_t object,
				    const volatile struct progress_counter *word, uint32_t index)
{
	struct progress_channel *channel = progress_channels_find(channels, object);
	if (channel || channels->n == MAX_CHANNELS)
		return channel;
	struct channel_row row = {.object = object, .context = channels->context, .index = index};
	uint32_t id = row_uses_add(&rows, &row);
	if (!id)
		return NULL;
	channel = &channels->channels[channels->n];
	*channel = (struct progress_channel){
		.object = object,
		.word = word,
		.id = id,
		.row = table_row(bundle_table(JOURNAL_CHANNELS), row_id_place(id))};
	__atomic_store_n(&channels->n, channels->n + 1, __ATOMIC_RELEASE);
	return channel;
}

struct progress_channel *progress_channels_of(struct progress_channels *channels,
					      struct own_memory *memory, uint64_t object)
{
	struct progress_channel *channel = progress_channels_find(channels, object);
	if (channel || own_memory_word(memory, object) != channels->counter_map.channel_class)
		return channel;
	uint32_t index = 0;
	if (progress_layout.has_index &&
	    !own_memory_read(memory, object + progress_layout.index, &index, sizeof(index)))
		return NULL;
	const volatile struct progress_counter *word =
		word_of(&channels->counter_map, object, index);
	if (!word)
		return NULL;
	pthread_mutex_lock(&channels->lock);
	channel = add(channels, object, word, index);
	pthread_mutex_unlock(&channels->lock);
	return channel;
}

bool progress_channels_begin_reading(struct progress_channels *channels)
{
	if (__atomic_load_n(&channels->state, __ATOMIC_ACQUIRE) != PROGRESS_READY)
		return false;
	/* Sequentially consistent with progress_channels_ending(): at least one sees the other. */
	__atomic_fetch_add(&channels->n_readers, 1, __ATOMIC_SEQ_CST);
	if (!progress_channels_are_ending(channels))
		return true;
	progress_channels_end_reading(channels);
	return false;
}

void progress_channels_end_reading(struct progress_channels *channels)
{
	__atomic_fetch_sub(&channels->n_readers, 1, __ATOMIC_RELEASE);
}

/* Count so many checks, the last with this payload. */
static void count(struct progress_channels *channels, struct progress_channel *channel,
		  uint32_t payload, uint32_t n_checks)
{
	struct channel_row *row = channel->row;
	/* The same payload proves nothing twice. */
	if (__atomic_exchange_n(&row->checked, payload, __ATOMIC_RELAXED) == payload)
		return;
	uint32_t all = __atomic_add_fetch(&channels->n_checks, n_checks, __ATOMIC_RELAXED);
	__atomic_fetch_add(&row->n_checks, n_checks, __ATOMIC_RELAXED);
	if (all >= CHECKS_OF_TRUST)
		__atomic_store_n(&row->trust, CHANNEL_TRUSTED, __ATOMIC_RELAXED);
}

void progress_channels_count(struct progress_channels *channels, struct progress_channel *channel,
			     uint32_t payload)
{
	if (!__atomic_load_n(&are_kept, __ATOMIC_RELAXED))
		count(channels, channel, payload, 1);
}

bool progress_channels_is_checked(const struct progress_channel *channel)
{
	return __atomic_load_n(&channel->row->n_checks, __ATOMIC_RELAXED) > 0;
}

/* Count the rounds of the search, which gave the number and found it at the end of each round but
 * the first. The first finds the word. */
static void count_tried(struct progress_channels *channels)
{
	struct own_memory memory;
	if (own_memory_open(&memory) < 0)
		return;
	for (int i = 0; i < channels->counter_map.n_tried; i++) {
		const struct searched_channel *tried = &channels->counter_map.tried[i];
		struct progress_channel *channel =
			progress_channels_of(channels, &memory, tried->object);
		if (channel)
			count(channels, channel, tried->payload, tried->n_rounds);
	}
	own_memory_close(&memory);
}

bool progress_channels_prepare(struct progress_channels *channels, uint32_t context,
			       struct probe_streams *probe, const char **out_trouble)
{
	uint32_t none = PROGRESS_NONE;
	*out_trouble = NULL;
	if (!__atomic_compare_exchange_n(&channels->state, &none, PROGRESS_SEARCHING, false,
					 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	if (channels->n_tries == 0)
		pthread_mutex_init(&channels->lock, NULL);
	channels->context = context;
	*out_trouble = search(channels, probe);
	if (!*out_trouble)
		count_tried(channels);
	uint32_t state = !*out_trouble                      ? PROGRESS_READY
			 : ++channels->n_tries >= MAX_TRIES ? PROGRESS_MISSED
							    : PROGRESS_NONE;
	__atomic_store_n(&channels->state, state, __ATOMIC_RELEASE);
	return true;
}

static void refuse(const struct progress_channel *channel, const char *reason)
{
	if (!__atomic_load_n(&are_kept, __ATOMIC_RELAXED))
		__atomic_store_n(&channel->row->trust, CHANNEL_REFUSED, __ATOMIC_RELAXED);
	progress_refuse(reason);
}

void progress_channels_check_held(const struct progress_channel *channel, uint32_t payload,
				  const struct progress_gate *gate)
{
	bool has_started = (int32_t)(channel->word->payload - payload) >= 0;
	if (has_started && progress_gate_is_closed(gate))
		refuse(channel, "work that was held back had begun, as a channel's word said");
}

/* The counter shows a start before now: so the clocks are apart by this at most. */
static void compare_clocks(struct progress_channel *channel)
{
	struct channel_row *row = channel->row;
	uint64_t gpu_ns = channel->word->gpu_ns;
	uint64_t now_ns = clock_ns();
	int64_t apart_ns = (int64_t)(now_ns - gpu_ns);
	int64_t drift_ns = (int64_t)(now_ns - row->compared_ns) / CLOCK_DRIFT;
	if (gpu_ns == 0 || gpu_ns >= CLOCK_END_NS || /* no time */
	    (row->compared_ns && apart_ns > row->apart_ns + drift_ns))
		return;
	channel->compared_raw_ns = clock_raw_ns();
	/* The two belong together. Meanwhile there is no time, also if the process ends here. */
	__atomic_store_n(&row->compared_ns, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&row->apart_ns, apart_ns, __ATOMIC_RELAXED);
	__atomic_store_n(&row->compared_ns, now_ns, __ATOMIC_RELEASE);
}

/* One thread at a time; the others need not wait for it. */
static void try_to_compare(struct progress_channel *channel)
{
	if (__atomic_load_n(&are_kept, __ATOMIC_RELAXED) ||
	    __atomic_exchange_n(&channel->is_comparing, true, __ATOMIC_ACQUIRE))
		return;
	compare_clocks(channel);
	__atomic_store_n(&channel->is_comparing, false, __ATOMIC_RELEASE);
}

void progress_channels_check(struct progress_channels *channels, struct progress_channel *channel,
			     uint32_t payload)
{
	if (!progress_counter_reaches(channel->word, payload)) {
		refuse(channel, "finished work had not begun, as a channel's word said");
		return;
	}
	try_to_compare(channel);
	/* A higher counter may show other streams' work on the channel: that proves nothing. */
	if (channel->word->payload == payload)
		progress_channels_count(channels, channel, payload);
}

void progress_channels_freeze(void)
{
	__atomic_store_n(&are_kept, true, __ATOMIC_RELAXED);
}

/* True if CLOCK_MONOTONIC went on since the comparison as the kernel's own clock did. */
static bool is_clock_even(const struct progress_channel *channel)
{
	uint64_t passed_ns = clock_ns() - channel->row->compared_ns;
	uint64_t raw_ns = clock_raw_ns() - channel->compared_raw_ns;
	uint64_t apart_ns = passed_ns > raw_ns ? passed_ns - raw_ns : raw_ns - passed_ns;
	return apart_ns <= raw_ns / CLOCK_DRIFT + READINGS_NS;
}

/* Afterwards no thread compares again. One that is still at it may have jumped. */
static void drop_if_odd(struct progress_channel *channel)
{
	bool is_busy = __atomic_exchange_n(&channel->is_comparing, true, __ATOMIC_ACQUIRE);
	if (is_busy || !is_clock_even(channel))
		__atomic_store_n(&channel->row->compared_ns, 0, __ATOMIC_RELAXED);
}

static void copy_one(struct progress_channel *channel, struct own_memory *memory)
{
	struct progress_counter word;
	if (!own_memory_read(memory, (uintptr_t)channel->word, &word, sizeof(word)))
		return;
	drop_if_odd(channel);
	channel->row->started = word.payload;
	channel->row->started_gpu_ns = word.gpu_ns;
	__atomic_store_n(&channel->row->is_read, 1, __ATOMIC_RELEASE);
}

void progress_channels_copy(struct progress_channels *channels, struct own_memory *memory)
{
	if (__atomic_load_n(&channels->state, __ATOMIC_ACQUIRE) != PROGRESS_READY)
		return;
	uint32_t n = __atomic_load_n(&channels->n, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < n; i++)
		copy_one(&channels->channels[i], memory);
}

void progress_channels_visit(const struct progress_channels *channels, struct own_memory *memory,
			     void (*visit)(uint32_t id, const struct progress_counter *word))
{
	uint32_t n = __atomic_load_n(&channels->n, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < n; i++) {
		const struct progress_channel *channel = &channels->channels[i];
		struct progress_counter word;
		if (own_memory_read(memory, (uintptr_t)channel->word, &word, sizeof(word)))
			visit(channel->id, &word);
	}
}

static bool is_being_read(const struct progress_channels *channels)
{
	return __atomic_load_n(&channels->n_readers, __ATOMIC_SEQ_CST);
}

void progress_channels_ending(struct progress_channels *channels)
{
	__atomic_store_n(&channels->is_ending, true, __ATOMIC_SEQ_CST);
	uint64_t end_ns = is_being_read(channels) ? clock_ns() + READING_NS : 0;
	while (is_being_read(channels) && clock_ns() < end_ns)
		(void)sched_yield();
}

/* Release the rows, except of refused channels: the bundle shows those for ever. */
static void give_rows(const struct progress_channels *channels)
{
	for (uint32_t i = 0; i < channels->n; i++) {
		const struct progress_channel *channel = &channels->channels[i];
		if (__atomic_load_n(&channel->row->trust, __ATOMIC_RELAXED) != CHANNEL_REFUSED)
			row_uses_give(&rows, channel->id);
	}
}

void progress_channels_forget(struct progress_channels *channels)
{
	give_rows(channels);
	__atomic_store_n(&channels->state, PROGRESS_NONE, __ATOMIC_RELAXED);
	channels->n = 0;
	channels->n_checks = 0;
	channels->n_tries = 0;
}

void progress_channels_go_on(struct progress_channels *channels)
{
	__atomic_store_n(&channels->is_ending, false, __ATOMIC_RELEASE);
}
