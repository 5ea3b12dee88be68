/*
 * test_progress_default.c - which of a context's streams is a default one, found only by what
 * moves; the list of all streams; and which of a stream's entries belong to a graph.
 */
#include "record/progress/progress_default.h"

#include <string.h>
#include <sys/mman.h>

#include "support/check.h"

enum {
	N_STREAMS = 6,
	N_MANY = PROGRESS_LIST_MAX + 1,
	NEXT = 0x40,
	PREVIOUS = 0x48,
	TRACKER = 0x60
};

static const struct progress_layout layout = {.tracker = TRACKER,
					      .entries = 0x18,
					      .entry = 0x28,
					      .next = NEXT,
					      .previous = PREVIOUS,
					      .has_list = true};
static const uint64_t tracker_class = 0x7101;

struct object {
	uint64_t words[0x400 / 8]; /* as much as a search for neighbours looks at */
};

struct tracker {
	uint64_t words[TRACKER_SIZE / 8];
};

static struct object objects[N_MANY];
static struct tracker trackers[N_MANY];
static struct own_memory memory;

static uint64_t address_of(const void *thing)
{
	return (uintptr_t)thing;
}

/* The stream was given some work. */
static void give(int stream, uint32_t kind, uint64_t payload)
{
	struct progress_entry entry = {.kind = kind};
	entry.pairs[0].value = entry.pairs[1].value = payload;
	memcpy(&trackers[stream].words[layout.entry / 8], &entry, sizeof(entry));
}

static void make(int stream)
{
	uint64_t *tracker = trackers[stream].words;
	memset(&objects[stream], 0, sizeof(objects[stream]));
	memset(&trackers[stream], 0, sizeof(trackers[stream]));
	objects[stream].words[TRACKER / 8] = address_of(tracker);
	tracker[0] = tracker_class;
	tracker[layout.entries / 8] = address_of(tracker) + layout.entry;
	give(stream, ENTRY_KERNEL, 10);
}

static void make_list(int n)
{
	for (int i = 0; i < n; i++)
		make(i);
	for (int i = 0; i + 1 < n; i++) {
		objects[i].words[NEXT / 8] = address_of(&objects[i + 1]);
		objects[i + 1].words[PREVIOUS / 8] = address_of(&objects[i]);
	}
}

static int read_list(void)
{
	uint64_t found[PROGRESS_LIST_MAX];
	return progress_list_read(&memory, &layout, tracker_class, address_of(&objects[0]), found);
}

static void test_list(void)
{
	make_list(N_STREAMS);
	CHECK_EQUAL(read_list(), N_STREAMS);
	CHECK_EQUAL(progress_list_first(&memory, &layout, tracker_class, address_of(&objects[4])),
		    address_of(&objects[0]));

	objects[3].words[PREVIOUS / 8] = 0; /* one that is being created */
	CHECK_EQUAL(read_list(), 0);
	CHECK_EQUAL(progress_list_first(&memory, &layout, tracker_class, address_of(&objects[4])),
		    address_of(&objects[3]));
	make_list(N_STREAMS);
	objects[2].words[NEXT / 8] = address_of(&objects[4]); /* one that is being destroyed */
	CHECK_EQUAL(read_list(), 0);
	CHECK_EQUAL(progress_list_first(&memory, &layout, tracker_class, address_of(&objects[4])),
		    0);
	make_list(N_STREAMS);
	trackers[2].words[0]++; /* not a stream */
	CHECK_EQUAL(read_list(), 0);
	make_list(N_STREAMS);
	objects[5].words[NEXT / 8] = 8; /* leads nowhere */
	CHECK_EQUAL(read_list(), 0);
	objects[5].words[NEXT / 8] = address_of(&objects[0]); /* never ends */
	CHECK_EQUAL(read_list(), 0);
	make_list(PROGRESS_LIST_MAX);
	CHECK_EQUAL(read_list(), PROGRESS_LIST_MAX);
	make_list(N_MANY);
	CHECK_EQUAL(read_list(), 0);
}

/* A stream that may be going away: what should name its neighbour is in no page. */
static void test_list_unreadable(void)
{
	enum { PAGE = 4096, SIZE = 0x80 };
	char *pages =
		mmap(NULL, PAGE + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(pages != MAP_FAILED && mprotect(pages + PAGE, PAGE, PROT_NONE) == 0);
	struct progress_layout wide = layout;
	wide.previous = SIZE;
	make(0);
	uint64_t object = address_of(pages + PAGE - SIZE);
	memcpy(pages + PAGE - SIZE, &objects[0], SIZE);
	CHECK(progress_list_is_stream(&memory, &wide, tracker_class, object));
	CHECK_EQUAL(progress_list_first(&memory, &wide, tracker_class, object), 0);
	uint64_t found[PROGRESS_LIST_MAX];
	CHECK_EQUAL(progress_list_read(&memory, &wide, tracker_class, object, found), 0);
	CHECK_EQUAL(munmap(pages, PAGE + PAGE), 0);
}

static void test_learn(void)
{
	struct progress_layout learned = {0};
	make_list(N_STREAMS);
	CHECK(!progress_list_learn(&memory, address_of(&objects[1]), address_of(&objects[3]),
				   &learned));
	CHECK(!learned.has_list);
	CHECK(progress_list_learn(&memory, address_of(&objects[1]), address_of(&objects[2]),
				  &learned));
	CHECK(learned.has_list);
	CHECK_EQUAL(learned.next, NEXT);
	CHECK_EQUAL(learned.previous, PREVIOUS);
	objects[1].words[1] = address_of(&objects[2]); /* two places: which one? */
	CHECK(!progress_list_learn(&memory, address_of(&objects[1]), address_of(&objects[2]),
				   &learned));
}

static struct progress_default begin_own(int n)
{
	const struct counter_map counter_map = {.tracker_class = tracker_class,
						.first_stream = address_of(&objects[0])};
	make_list(n);
	struct progress_default sought;
	progress_default_begin(&sought, &memory, &layout, &counter_map, 0);
	CHECK_EQUAL(sought.n, n);
	return sought;
}

static uint64_t place_of(int stream)
{
	return address_of(&objects[stream]) + TRACKER;
}

/* Other streams move as well for a while; the right one always does. */
static void test_own(void)
{
	struct progress_default sought = begin_own(N_STREAMS);
	for (uint64_t round = 1; round <= 5; round++) {
		give(3, ENTRY_KERNEL, 10 + round);
		give(1, ENTRY_KERNEL, 20 + round);
		CHECK_EQUAL(progress_default_moved(&sought, &memory, &layout), 0);
		CHECK_EQUAL(sought.n, 2);
	}
	give(3, ENTRY_KERNEL, 40);
	give(1, ENTRY_PLAIN, 41); /* something else: it is not where the kernel went */
	CHECK_EQUAL(progress_default_moved(&sought, &memory, &layout), place_of(3));
}

static void test_own_in_step(void)
{
	struct progress_default sought = begin_own(2);
	for (uint64_t round = 1; round <= MAX_ROUNDS; round++) {
		CHECK_EQUAL(sought.n, 2);
		give(0, ENTRY_KERNEL, 10 + round);
		give(1, ENTRY_KERNEL, 10 + round);
		CHECK_EQUAL(progress_default_moved(&sought, &memory, &layout), 0);
	}
	CHECK_EQUAL(sought.n, 0);
}

/* Without a list, or with an incomplete one, nothing is found. */
static void test_own_without_list(void)
{
	struct counter_map counter_map = {.tracker_class = tracker_class};
	struct progress_default sought;
	progress_default_begin(&sought, &memory, &layout, &counter_map, 0);
	CHECK_EQUAL(sought.n, 0);
	make_list(N_MANY);
	counter_map.first_stream = address_of(&objects[0]);
	progress_default_begin(&sought, &memory, &layout, &counter_map, 0);
	CHECK_EQUAL(sought.n, 0);
}

/* The context may name only some of the streams, so one move is not enough. */
static void test_legacy(void)
{
	const struct counter_map counter_map = {.tracker_class = tracker_class};
	static uint64_t context[0x1400 / 8];
	make_list(N_STREAMS);
	context[9] = address_of(&objects[2]);
	context[11] = address_of(&objects[4]);
	context[12] = 77;
	struct progress_default sought;
	progress_default_begin(&sought, &memory, &layout, &counter_map, address_of(context));
	CHECK_EQUAL(sought.n, 2);
	for (uint64_t round = 1; round <= LEGACY_ROUNDS; round++) {
		give(4, ENTRY_KERNEL, 10 + round);
		CHECK_EQUAL(progress_default_moved(&sought, &memory, &layout),
			    round == LEGACY_ROUNDS ? place_of(4) : 0);
	}
}

/* A stream that had five entries keeps them elsewhere from then on. They are looked for there. */
static void test_legacy_elsewhere(void)
{
	const struct counter_map counter_map = {.tracker_class = tracker_class};
	struct progress_entry elsewhere[5] = {{.kind = ENTRY_PLAIN}};
	static uint64_t context[0x1400 / 8];
	make_list(N_STREAMS);
	context[9] = address_of(&objects[4]);
	trackers[4].words[layout.entries / 8] = address_of(elsewhere);
	struct progress_default sought;
	progress_default_begin(&sought, &memory, &layout, &counter_map, address_of(context));
	CHECK_EQUAL(sought.n, 1);
	for (uint64_t round = 1; round <= LEGACY_ROUNDS; round++) {
		elsewhere[0].kind = ENTRY_KERNEL;
		elsewhere[0].pairs[1].value = 10 + round;
		CHECK_EQUAL(progress_default_moved(&sought, &memory, &layout),
			    round == LEGACY_ROUNDS ? place_of(4) : 0);
	}
	trackers[4].words[layout.entries / 8] = 4096; /* where nothing is */
	progress_default_begin(&sought, &memory, &layout, &counter_map, address_of(context));
	CHECK_EQUAL(sought.n, 0);
}

static struct progress_entry plain(uint64_t channel, uint64_t payload)
{
	return (struct progress_entry){.kind = ENTRY_PLAIN, .pairs = {{channel, payload}}};
}

static struct progress_entry kernel(uint64_t channel, uint64_t payload)
{
	return (struct progress_entry){.kind = ENTRY_KERNEL,
				       .pairs = {{0x5000, payload}, {channel, payload}}};
}

/*
 * Cases seen on an H200, and possible ones: channel 0 has the work that is older than all launches.
 */
static void test_graph(void)
{
	enum { OLD = 0x1000, OWN = 0x2000, OTHER = 0x3000 };
	const struct {
		struct progress_entry entries[5];
		uint32_t n;
		uint64_t channel; /* where the stream went last */
		uint64_t told;    /* payload; 0: it cannot be known */
	} examples[] = {
		{{plain(OLD, 66), plain(OWN, 4), kernel(OWN, 4)}, 3, OWN, 4},
		{{plain(OWN, 4), kernel(OWN, 4)}, 2, 1, 4},
		{{plain(OWN, 4), kernel(OWN, 4), kernel(OLD, 70)}, 3, OWN, 4}, /* two roots */
		{{plain(OWN, 4), kernel(OWN, 4), kernel(OWN, 4)}, 3, OWN, 4},
		{{plain(OLD, 66), plain(OWN, 4)}, 2, OWN, 0},  /* ends in a memset */
		{{plain(OWN, 4), kernel(OLD, 70)}, 2, OWN, 0}, /* no twin */
		{{plain(OLD, 66), kernel(OWN, 4)}, 2, OWN, 0},
		{{kernel(OWN, 4)}, 1, OWN, 0},
		/* After the previous launch, in another stream. */
		{{plain(OTHER, 9), plain(OWN, 4), kernel(OTHER, 9), kernel(OWN, 4)}, 4, OWN, 4},
		{{plain(OWN, 4), plain(OTHER, 9), kernel(OWN, 4), kernel(OTHER, 9)}, 4, OWN, 4},
		{{plain(OWN, 4), plain(OTHER, 9), kernel(OWN, 4), kernel(OTHER, 9)}, 4, 1, 0},
		{{plain(OWN, 4), plain(OWN, 9), kernel(OWN, 4), kernel(OWN, 9)}, 4, 1, 9},
		{{plain(OWN, 9), plain(OWN, 4), kernel(OWN, 9), kernel(OWN, 4)}, 4, OTHER, 9},
	};
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		struct progress_pair where = {0};
		bool is_told = progress_entries_graph(examples[i].entries, examples[i].n,
						      examples[i].channel, &where);
		CHECK_EQUAL(is_told, examples[i].told != 0);
		CHECK_EQUAL(is_told ? where.value : 0, examples[i].told);
		CHECK(!is_told || where.object == OWN);
	}
}

int main(void)
{
	CHECK_EQUAL(own_memory_open(&memory), 0);
	test_list();
	test_list_unreadable();
	test_learn();
	test_own();
	test_own_in_step();
	test_own_without_list();
	test_legacy();
	test_legacy_elsewhere();
	test_graph();
	own_memory_close(&memory);
	return 0;
}
