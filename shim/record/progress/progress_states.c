/*
 * progress_states.c - find, identify and copy the words of kernels.
 */
#include "record/progress/progress_states.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "record/host/clock_wait.h"
#include "record/journal/bundle.h"
#include "record/journal/row_uses.h"

enum { KERNEL_SIZE = 0xc8, LINK_SIZE = 0x40, MAX_PLACES = 32, MAX_STATES = 32 * 1024 };

/* A path from a kernel's object to a word that may be its state. */
struct place {
	uint32_t link, word;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the learning; innermost */
static struct place places[MAX_PLACES];
static int n_places; /* 0: not started */
static uint32_t n_samples;
static uint64_t newest_use = UINT64_MAX; /* of the last trial; the next one's must differ */
static bool has_failed;

/*
 * By the row's index - 1: a word's address, and its id. Written before a record names the id. An
 * address read is that id's only if `id` has the same value before and after.
 */
static struct state_word {
	uint32_t id; /* atomic: 0 none, published with release */
	uintptr_t address;
} state_words[MAX_STATES];

static void end_row(uint32_t place, const void *row)
{
	(void)place;
	(void)row; /* it holds nothing */
}

/* A record of a destroyed stream names an earlier use of a row, and so no word. */
static uint16_t given[ROW_ID_MAX + 1];
static struct row_uses rows = {.file = JOURNAL_KERNEL_STATES,
			       .use_offset = offsetof(struct kernel_state_row, use),
			       .end = end_row,
			       .given = given};

/* Return its address; 0: it has none any more. */
static uintptr_t address_of(uint32_t id)
{
	const struct state_word *word = &state_words[row_id_place(id) - 1];
	if (__atomic_load_n(&word->id, __ATOMIC_ACQUIRE) != id)
		return 0;
	uintptr_t address = __atomic_load_n(&word->address, __ATOMIC_ACQUIRE);
	return __atomic_load_n(&word->id, __ATOMIC_RELAXED) == id ? address : 0;
}

uintptr_t progress_states_address(uint32_t id)
{
	return id ? address_of(id) : 0;
}

bool progress_state_is_finished(uint32_t value, uint64_t n)
{
	return (int32_t)(value - (uint32_t)(4 * n + 2)) >= 0;
}

static uintptr_t follow(struct own_memory *memory, const struct mapping *pages, uint64_t kernel,
			struct place place)
{
	uint64_t object = own_memory_word(memory, kernel + place.link);
	uint64_t address = own_memory_word(memory, object + place.word);
	bool is_there = address % 4 == 0 && address >= pages->start && address < pages->end;
	return is_there ? address : 0;
}

static bool is_at_end(uintptr_t address, uint64_t n)
{
	return address && *(const volatile uint32_t *)address == (uint32_t)(4 * n + 2);
}

/* Collect all paths that lead to a word with the right value. */
static void collect(struct own_memory *memory, const struct mapping *pages,
		    const struct progress_pair *kernel)
{
	for (uint32_t link = 0; link < KERNEL_SIZE; link += 8) {
		for (uint32_t word = 0; word < LINK_SIZE && n_places < MAX_PLACES; word += 8) {
			struct place place = {.link = link, .word = word};
			if (is_at_end(follow(memory, pages, kernel->object, place), kernel->value))
				places[n_places++] = place;
		}
	}
}

/*
 * Keep paths that lead to a word which says that the kernel has finished. If it is after a gate,
 * keep those whose word says that it has not, as long as the gate is closed.
 */
static void keep(struct own_memory *memory, const struct mapping *pages,
		 const struct progress_pair *kernel, const struct progress_gate *gate)
{
	int n_right = 0;
	struct place right[MAX_PLACES];
	for (int i = 0; i < n_places; i++) {
		uintptr_t address = follow(memory, pages, kernel->object, places[i]);
		if (is_at_end(address, kernel->value) == !gate)
			right[n_right++] = places[i];
	}
	if (gate && !progress_gate_is_closed(gate))
		return;
	memcpy(places, right, (size_t)n_right * sizeof(*right));
	n_places = n_right;
	has_failed = n_right == 0;
}

static void believe(void)
{
	struct progress_layout *layout = &progress_layout;
	layout->state_link = places[0].link;
	layout->state_word = places[0].word;
	__atomic_store_n(&layout->has_state, true, __ATOMIC_RELEASE);
}

/* Learn from one kernel. Under the lock. */
static void learn(const struct mapping *pages, const struct progress_pair *kernel)
{
	struct own_memory memory;
	if (has_failed || kernel->value == newest_use || own_memory_open(&memory) < 0)
		return;
	newest_use = kernel->value;
	if (n_samples == 0)
		collect(&memory, pages, kernel);
	else
		keep(&memory, pages, kernel, NULL);
	own_memory_close(&memory);
	if (n_places > 0 && ++n_samples == STATE_SAMPLES)
		believe();
}

/* True if the word says finished in time. Bounded as progress_counter_reaches(). */
static bool is_finished(uint32_t id, uint64_t n)
{
	struct clock_wait wait = {.patience_ns = 1000ull * 1000};
	uintptr_t address = address_of(id);
	while (address && !progress_state_is_finished(*(const volatile uint32_t *)address, n)) {
		if (clock_wait_is_over(&wait)) {
			/* Check the id after the word: the word may be another kernel's by now. */
			__atomic_thread_fence(__ATOMIC_ACQUIRE);
			return address_of(id) != address;
		}
	}
	return true;
}

void progress_states_check(const struct mapping *pages, const struct progress_pair *kernel,
			   uint32_t id)
{
	if (id && !is_finished(id, kernel->value))
		progress_refuse("finished work had not finished, as a kernel's word said");
	if (progress_states_are_known())
		return;
	pthread_mutex_lock(&lock);
	if (n_samples < STATE_SAMPLES)
		learn(pages, kernel);
	pthread_mutex_unlock(&lock);
}

void progress_states_unfinished(const struct mapping *pages, const struct progress_pair *kernel,
				const struct progress_gate *gate)
{
	pthread_mutex_lock(&lock);
	struct own_memory memory;
	if (n_samples > 0 && n_samples < STATE_SAMPLES && !has_failed &&
	    own_memory_open(&memory) == 0) {
		keep(&memory, pages, kernel, gate);
		own_memory_close(&memory);
	}
	pthread_mutex_unlock(&lock);
}

uint32_t progress_states_add(const struct mapping *pages, uint64_t kernel, uint32_t stream)
{
	const struct progress_layout *layout = &progress_layout;
	struct place place = {.link = layout->state_link, .word = layout->state_word};
	struct kernel_state_row row = {.stream = stream};
	struct own_memory memory;
	if (own_memory_open(&memory) < 0)
		return 0;
	uintptr_t address = follow(&memory, pages, kernel, place);
	own_memory_close(&memory);
	uint32_t id = address ? row_uses_add(&rows, &row) : 0;
	if (!id || row_id_place(id) > MAX_STATES)
		return 0;
	struct state_word *word = &state_words[row_id_place(id) - 1];
	/* A reader that sees this address sees that the row's last id was dropped. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&word->address, address, __ATOMIC_RELAXED);
	__atomic_store_n(&word->id, id, __ATOMIC_RELEASE);
	return id;
}

void progress_states_drop(uint32_t id)
{
	if (!id)
		return;
	__atomic_store_n(&state_words[row_id_place(id) - 1].id, 0, __ATOMIC_RELAXED);
	row_uses_give(&rows, id);
}

void progress_states_copy(struct own_memory *memory)
{
	const struct table *table = bundle_table(JOURNAL_KERNEL_STATES);
	uint64_t n = table->header ? __atomic_load_n(&table->header->n_rows, __ATOMIC_ACQUIRE) : 0;
	for (uint32_t place = 1; place <= n && place <= MAX_STATES; place++) {
		uint32_t id = __atomic_load_n(&state_words[place - 1].id, __ATOMIC_ACQUIRE);
		uintptr_t address = id ? address_of(id) : 0;
		struct kernel_state_row *row = table_row(table, place);
		if (address && own_memory_read(memory, address, &row->value, sizeof(row->value)))
			__atomic_store_n(&row->is_read, 1, __ATOMIC_RELEASE);
	}
}

static bool is_of_context(const struct kernel_state_row *row, uint32_t context)
{
	const struct stream_row *stream = table_row(bundle_table(JOURNAL_STREAMS), row->stream);
	const struct context_row *owner =
		stream ? table_row(bundle_table(JOURNAL_CONTEXTS), stream->context) : NULL;
	return owner && (stream->context == context || owner->primary == context);
}

void progress_states_visit(uint32_t context, struct own_memory *memory,
			   void (*visit)(uint32_t id, uint32_t value))
{
	const struct table *table = bundle_table(JOURNAL_KERNEL_STATES);
	uint64_t n = table->header ? __atomic_load_n(&table->header->n_rows, __ATOMIC_ACQUIRE) : 0;
	for (uint32_t place = 1; place <= n && place <= MAX_STATES; place++) {
		uint32_t id = __atomic_load_n(&state_words[place - 1].id, __ATOMIC_ACQUIRE);
		uintptr_t address = id ? address_of(id) : 0;
		uint32_t value = 0;
		if (address && is_of_context(table_row(table, place), context) &&
		    own_memory_read(memory, address, &value, sizeof(value)))
			visit(id, value);
	}
}
