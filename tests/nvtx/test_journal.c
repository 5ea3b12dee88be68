/*
 * Unit tests of recording NVTX ranges: a random history of pushes, pops, starts and ends whose
 * submissions are read back from a ring that wraps many times, and many threads at once.
 */
#include <pthread.h>

#include "record/journal/ring.h"
#include "record/journal/strings.h"
#include "record/nvtx/nvtx_names.h"
#include "record/nvtx/nvtx_ranges.h"
#include "support/check.h"
#include "view/bundle_view.h"
#include "view/nvtx_view.h"

enum { CAPACITY = 1024, TID = 9, N_STEPS = 250000, MAX_PUSHED = 200, MAX_DOMAINS = 3 };

/* Replaces the bundle's strings: the id is the text's first letter. */
uint32_t strings_intern(const char *bytes, size_t length)
{
	return length ? (unsigned char)bytes[0] : 1;
}

struct model_range {
	unsigned domain; /* 0: the default one */
	unsigned number;
	bool is_kept;
	uint64_t id; /* of the process's */
};

/* The open ranges, in the order of opening. */
struct model {
	struct model_range pushed[MAX_PUSHED], started[MAX_PUSHED];
	unsigned n_pushed, n_started;
};

/* The ranges of a submission: domain and number of each kept range. */
struct snapshot {
	uint64_t commit;
	unsigned n[N_NVTX_SCOPES];
	unsigned n_unkept;
	struct model_range ranges[N_NVTX_SCOPES][NVTX_MAX_OPEN];
};

static struct model model;
static struct snapshot snapshots[CAPACITY];
static struct ring ring;
static const struct nvtx_name *domains[MAX_DOMAINS];
static uint64_t random_state = 1;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % limit;
}

static void make_text(unsigned number, struct nvtx_text *out)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "range %u", number);
	nvtx_text_set(out, text);
}

/*
 * Return the number of the domain's pushed ranges. *out_unkept is the number of these that are not
 * kept.
 */
static unsigned count(unsigned domain, unsigned *out_unkept)
{
	unsigned n = 0;

	*out_unkept = 0;
	for (unsigned i = 0; i < model.n_pushed; i++) {
		if (model.pushed[i].domain != domain)
			continue;
		n++;
		*out_unkept += !model.pushed[i].is_kept;
	}
	return n;
}

static unsigned count_kept(const struct model_range *ranges, unsigned n)
{
	unsigned n_kept = 0;

	for (unsigned i = 0; i < n; i++)
		n_kept += ranges[i].is_kept;
	return n_kept;
}

static void push(unsigned domain, unsigned number)
{
	unsigned unkept;
	unsigned level = count(domain, &unkept);
	bool is_kept = !unkept && count_kept(model.pushed, model.n_pushed) < NVTX_MAX_OPEN;
	int got;
	struct nvtx_text *text = nvtx_push(domains[domain], &got);

	CHECK_EQUAL(got, level);
	CHECK_EQUAL(text != NULL, is_kept);
	if (text)
		make_text(number, text);
	model.pushed[model.n_pushed++] =
		(struct model_range){.domain = domain, .number = number, .is_kept = is_kept};
}

static void pop(unsigned domain)
{
	unsigned unkept;
	unsigned level = count(domain, &unkept);
	unsigned at = model.n_pushed;

	CHECK_EQUAL(nvtx_pop(domains[domain]), level ? (int)level - 1 : NVTX_NONE_OPEN);
	while (at > 0 && model.pushed[at - 1].domain != domain)
		at--;
	if (at == 0)
		return;
	model.n_pushed--;
	memmove(&model.pushed[at - 1], &model.pushed[at],
		(model.n_pushed - (at - 1)) * sizeof(model.pushed[0]));
}

static void start(unsigned domain, unsigned number)
{
	struct nvtx_text text;
	struct model_range *range = &model.started[model.n_started];

	make_text(number, &text);
	*range = (struct model_range){.domain = domain, .number = number};
	range->is_kept = count_kept(model.started, model.n_started) < NVTX_MAX_PROCESS;
	range->id = nvtx_start(domains[domain], &text);
	CHECK(range->id != 0);
	model.n_started++;
}

static void end(void)
{
	unsigned at = random_below(model.n_started);
	uint64_t id = model.started[at].id;
	bool is_kept = model.started[at].is_kept;

	nvtx_end(id);
	model.n_started--;
	memmove(&model.started[at], &model.started[at + 1],
		(model.n_started - at) * sizeof(model.started[0]));
	/*
	 * Ending a range again, or one that never started, has no effect. For ranges that are not
	 * kept only their number is known.
	 */
	if (is_kept)
		nvtx_end(id);
	nvtx_end(0);
	nvtx_end(UINT64_MAX);
}

static void keep(struct snapshot *snapshot, enum nvtx_scope scope, const struct model_range *ranges,
		 unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (ranges[i].is_kept)
			snapshot->ranges[scope][snapshot->n[scope]++] = ranges[i];
		else
			snapshot->n_unkept++;
	}
}

static void submit(void)
{
	struct journal_record record = {.kind = RECORD_SUBMISSION, .tid = TID};
	struct snapshot snapshot = {.n_unkept = 0};
	bool has_any;

	keep(&snapshot, NVTX_OF_THREAD, model.pushed, model.n_pushed);
	keep(&snapshot, NVTX_OF_PROCESS, model.started, model.n_started);
	has_any = nvtx_journal(&ring, TID);
	CHECK_EQUAL(has_any, snapshot.n[NVTX_OF_THREAD] + snapshot.n[NVTX_OF_PROCESS] > 0);
	record.flags = has_any ? RECORD_IN_RANGES : 0;
	snapshot.commit = ring_append(&ring, &record)->commit;
	snapshots[(snapshot.commit - 1) % CAPACITY] = snapshot;
}

static void check_range(const struct model_range *wanted, const struct record_nvtx *range)
{
	struct nvtx_text text;

	make_text(wanted->number, &text);
	CHECK_EQUAL(range->text_size, text.size);
	CHECK(memcmp(range->text, text.bytes, text.size) == 0);
	CHECK_EQUAL(range->domain, wanted->domain ? '0' + wanted->domain : 0);
}

static void check_submission(const struct bundle_view *view, const struct journal_record *record)
{
	const struct snapshot *snapshot = &snapshots[(record->commit - 1) % CAPACITY];
	struct nvtx_ranges ranges;
	struct record_nvtx range;

	CHECK_EQUAL(snapshot->commit, record->commit);
	if (!view_nvtx(view, 0, record, &ranges)) {
		CHECK_EQUAL(snapshot->n[NVTX_OF_THREAD] + snapshot->n[NVTX_OF_PROCESS], 0);
		return;
	}
	CHECK_EQUAL(ranges.n_unkept, snapshot->n_unkept);
	for (int scope = 0; scope < N_NVTX_SCOPES; scope++) {
		CHECK_EQUAL(ranges.n_open[scope], snapshot->n[scope]);
		for (uint32_t i = 0; i < ranges.n_open[scope]; i++) {
			CHECK(view_nvtx_range(view, 0, &ranges, (enum nvtx_scope)scope, i, &range));
			check_range(&snapshot->ranges[scope][i], &range);
		}
	}
}

/* The oldest quarter may lack rows, and the set that was due is written in more than one row. */
static unsigned check_ring(void)
{
	static struct bundle_view view;
	const uint64_t recent = CAPACITY / 8 * 5;
	uint64_t newest = ring.next;
	uint64_t oldest = newest > recent ? newest - recent : 0;
	unsigned n_checked = 0;
	struct journal_record record;

	memset(&view, 0, sizeof(view));
	CHECK_EQUAL(bundle_view_add(&view, ring.store.base, ring.store.backed, NULL), 0);
	for (uint64_t number = oldest; number < newest; number++) {
		CHECK(view_record(&view, 0, number % CAPACITY, &record));
		if (record.kind != RECORD_SUBMISSION)
			continue;
		check_submission(&view, &record);
		n_checked++;
	}
	return n_checked;
}

static void step(unsigned number)
{
	static unsigned depth = 8; /* where the stack likes to be */
	unsigned domain = random_below(MAX_DOMAINS);
	unsigned choice = random_below(100);

	if (random_below(2000) == 0)
		depth = random_below(2) ? 100 : random_below(10);
	if (choice < 30 && model.n_pushed < MAX_PUSHED && random_below(depth + 1) > 0 &&
	    model.n_pushed < depth)
		push(domain, number);
	else if (choice < 45)
		pop(domain);
	else if (choice < 50 && model.n_started < (depth < 20 ? 4 : 24))
		start(domain, number);
	else if (choice < 55 && model.n_started > 0)
		end();
	else if (choice < 80)
		submit();
	else
		(void)ring_append(&ring,
				  &(const struct journal_record){.kind = RECORD_SYNC, .tid = TID});
}

static void test_random_history(void)
{
	unsigned n_checked = 0;

	CHECK_EQUAL(ring_open(&ring, NULL, 0, CAPACITY), 0);
	CHECK_EQUAL(ring.header->capacity, CAPACITY);
	submit();
	for (unsigned i = 0; i < N_STEPS; i++) {
		step(i);
		if (i % 100 == 0)
			n_checked += check_ring();
	}
	printf("%u submissions read back\n", n_checked);
	CHECK(n_checked > 100000);
}

static bool is_done; /* atomic */

/* Its letter, as often as it says. */
static void *start_and_end(void *letter)
{
	struct nvtx_text text;
	char letters[NVTX_TEXT_MAX + 1] = "";

	for (unsigned i = 0; !__atomic_load_n(&is_done, __ATOMIC_ACQUIRE); i++) {
		size_t length = 1 + i % NVTX_TEXT_MAX;

		memset(letters, *(const char *)letter + (int)(length % 7), length);
		letters[length] = '\0';
		nvtx_text_set(&text, letters);
		nvtx_end(nvtx_start(NULL, &text));
	}
	return NULL;
}

static void check_whole(const struct nvtx_range *range)
{
	for (unsigned i = 1; i < range->text.size; i++)
		CHECK_EQUAL(range->text.bytes[i], range->text.bytes[0]);
	CHECK(range->text.size > 0);
	CHECK_EQUAL((range->text.bytes[0] - 'A') % 8, range->text.size % 7);
}

static void test_ranges_of_many_threads(void)
{
	static const char letters[] = {'A', 'I', 'Q', 'Y'};
	struct nvtx_range ranges[NVTX_MAX_PROCESS];
	pthread_t threads[sizeof(letters)];
	uint64_t n_seen = 0;
	uint32_t n_unkept;

	while (model.n_started > 0)
		end();
	for (size_t i = 0; i < sizeof(letters); i++)
		CHECK_EQUAL(pthread_create(&threads[i], NULL, start_and_end,
					   (void *)(uintptr_t)&letters[i]),
			    0);
	while (n_seen < 200000) {
		uint8_t n = nvtx_process_ranges(ranges, &n_unkept);

		CHECK(n <= sizeof(letters));
		for (unsigned i = 0; i < n; i++)
			check_whole(&ranges[i]);
		n_seen += n;
	}
	__atomic_store_n(&is_done, true, __ATOMIC_RELEASE);
	for (size_t i = 0; i < sizeof(letters); i++)
		CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
	CHECK_EQUAL(nvtx_process_ranges(ranges, &n_unkept), 0);
}

int main(void)
{
	CHECK(!nvtx_is_used());
	CHECK(nvtx_names_start());
	CHECK_EQUAL(nvtx_ranges_start(), 0);
	domains[1] = nvtx_name_of("1");
	domains[2] = nvtx_name_of("2");
	test_random_history();
	test_ranges_of_many_threads();
	return 0;
}
