/*
 * test_progress_channels.c - which objects of the driver become channels, and that each becomes one
 * under the lock. The search, the driver's memory and the journal are simulated here.
 */
#include "record/progress/progress_channels.h"

#include <errno.h>

#include "record/host/clock.h"
#include "record/journal/bundle.h"
#include "record/journal/row_uses.h"
#include "support/check.h"

enum { N_WORDS = 8, N_OBJECTS = 100, CLASS = 0x77, OTHER_CLASS = 0x78 };

/* A channel's object: its class, and the index of its counter. */
struct object {
	uint64_t class;
	uint32_t index;
};

static struct progress_counter words[N_WORDS];
static struct object objects[N_OBJECTS];
static struct channel_row rows[N_OBJECTS];
static uint32_t n_rows;
static struct progress_channels followed;

static uint64_t address_of(const void *thing)
{
	return (uintptr_t)thing;
}

/* Counters of later channels come before those of earlier ones. */
const char *progress_search(struct probe_streams *probe, struct progress_layout *layout,
			    struct counter_map *out_map)
{
	CHECK(!probe);
	layout->has_index = true;
	layout->index = offsetof(struct object, index);
	*out_map = (struct counter_map){.pages = {address_of(words), address_of(words + N_WORDS)},
					.first_word = address_of(&words[N_WORDS - 1]),
					.channel_class = CLASS};
	return NULL;
}

int own_memory_open(struct own_memory *memory)
{
	(void)memory;
	return 0;
}

void own_memory_close(struct own_memory *memory)
{
	(void)memory;
}

bool own_memory_read(struct own_memory *memory, uintptr_t address, void *out, size_t size)
{
	(void)memory;
	memcpy(out, (const void *)address, size);
	return true;
}

uint64_t own_memory_word(struct own_memory *memory, uintptr_t address)
{
	uint64_t word = 0;
	(void)own_memory_read(memory, address, &word, sizeof(word));
	return word;
}

/* Another thread that finds a channel now has to wait. */
uint32_t row_uses_add(struct row_uses *uses, const void *row)
{
	CHECK_EQUAL(uses->file, JOURNAL_CHANNELS);
	CHECK_EQUAL(pthread_mutex_trylock(&followed.lock), EBUSY);
	memcpy(&rows[n_rows], row, sizeof(rows[n_rows]));
	return ++n_rows;
}

void row_uses_give(struct row_uses *uses, uint32_t id)
{
	(void)uses;
	(void)id;
}

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_CHANNELS);
	return NULL;
}

void *table_row(const struct table *table, uint32_t id)
{
	(void)table;
	return &rows[id - 1];
}

bool progress_counter_reaches(const volatile struct progress_counter *word, uint32_t payload)
{
	return word->payload >= payload;
}

static uint64_t now_ns;

uint64_t clock_ns(void)
{
	return now_ns;
}

static uint64_t raw_ns;

uint64_t clock_raw_ns(void)
{
	return raw_ns;
}

static struct progress_channel *find(int object)
{
	return progress_channels_of(&followed, NULL, address_of(&objects[object]));
}

static void begin(void)
{
	const char *trouble = NULL;
	n_rows = 0;
	memset(&followed, 0, sizeof(followed));
	memset(objects, 0, sizeof(objects));
	for (int i = 0; i < N_OBJECTS; i++)
		objects[i].class = CLASS;
	progress_channels_start(true);
	CHECK(progress_channels_prepare(&followed, 3, NULL, &trouble) && !trouble);
}

static void test_discovered_once(void)
{
	begin();
	objects[1].index = 2;
	struct progress_channel *channel = find(1);
	CHECK(channel && channel->word == &words[N_WORDS - 3] && channel->row == &rows[0]);
	CHECK_EQUAL(rows[0].context, 3);
	CHECK_EQUAL(rows[0].index, 2);
	CHECK(find(1) == channel);
	CHECK_EQUAL(n_rows, 1);
	CHECK_EQUAL(pthread_mutex_trylock(&followed.lock), 0);
	(void)pthread_mutex_unlock(&followed.lock);
}

static void test_no_channels(void)
{
	begin();
	objects[0].class = OTHER_CLASS;
	CHECK(!find(0));
	objects[1].index = N_WORDS; /* its counter would be before the pages */
	CHECK(!find(1));
	CHECK_EQUAL(n_rows, 0);
	objects[1].index = N_WORDS - 1;
	CHECK(find(1));
}

static void test_many(void)
{
	begin();
	for (int i = 0; i < MAX_CHANNELS; i++)
		CHECK(find(i));
	CHECK(!find(MAX_CHANNELS));
	CHECK_EQUAL(n_rows, MAX_CHANNELS);
	CHECK(find(0) == &followed.channels[0]);
}

/* A wait has returned at `now` that shows a start at `gpu`. */
static void compare(struct progress_channel *channel, uint64_t gpu, uint64_t now)
{
	words[N_WORDS - 1] = (struct progress_counter){.payload = 5, .gpu_ns = gpu};
	now_ns = now;
	progress_channels_check(&followed, channel, 5);
}

static void check_row(int64_t apart_ns, uint64_t compared_ns)
{
	CHECK_EQUAL(rows[0].apart_ns, apart_ns);
	CHECK_EQUAL(rows[0].compared_ns, compared_ns);
}

/* The smallest distance counts, until the clocks may have drifted from it. */
static void test_clocks_are_compared(void)
{
	enum { NOW = 1000000, LATER = NOW + 10 * CLOCK_DRIFT };
	begin();
	struct progress_channel *channel = find(0);
	compare(channel, 0, NOW);
	check_row(0, 0);
	compare(channel, NOW + 300, NOW);
	check_row(-300, NOW);
	compare(channel, LATER + 289, LATER);
	check_row(-300, NOW);
	compare(channel, LATER + 290, LATER);
	check_row(-290, LATER);
	compare(channel, LATER + 400, LATER + 1);
	check_row(-399, LATER + 1);
}

/* At the failure it counts whether the program's clock went on like the kernel's. */
static void test_odd_clocks_are_dropped(void)
{
	enum { PASSED = 1000000000, MOST = PASSED / CLOCK_DRIFT + 20000, N = 4 };
	const int64_t odd[N] = {MOST + 1, MOST, -MOST, -MOST - 1};
	for (int i = 0; i < N; i++) {
		begin();
		raw_ns = 7;
		compare(find(0), 30, 20);
		raw_ns += PASSED;
		now_ns = (uint64_t)(20 + PASSED + odd[i]);
		progress_channels_copy(&followed, NULL);
		CHECK_EQUAL(rows[0].compared_ns, i == 0 || i == N - 1 ? 0 : 20);
	}
	begin();
	compare(find(0), 30, 20);
	find(0)->is_comparing = true; /* by a thread that has jumped, perhaps */
	progress_channels_copy(&followed, NULL);
	CHECK_EQUAL(rows[0].compared_ns, 0);
	begin();
	compare(find(0), CLOCK_END_NS, 20);
	check_row(0, 0);
}

static void test_clocks_are_not_compared(void)
{
	begin();
	struct progress_channel *channel = find(0);
	channel->is_comparing = true; /* by another thread */
	compare(channel, 30, 20);
	check_row(0, 0);
	channel->is_comparing = false;
	words[N_WORDS - 1].payload = 4;
	progress_channels_check(&followed, channel, 5);
	check_row(0, 0);
	progress_channels_freeze();
	compare(channel, 30, 20);
	check_row(0, 0);
}

int main(void)
{
	test_discovered_once();
	test_no_channels();
	test_many();
	test_clocks_are_compared();
	test_odd_clocks_are_dropped();
	test_clocks_are_not_compared(); /* freezes the rows */
	return 0;
}
