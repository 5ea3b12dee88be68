/*
 * test_print_reader.c - unit tests of print_reader: records are read once, or reported as lost.
 */
#include "print/print_reader.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "record/journal/ring.h"
#include "support/check.h"

enum { N_ROWS = 64, N_MANY = 50000 };

static char directory[] = "/tmp/culprit-unit-XXXXXX";
static char path[64];
static struct ring ring;
static struct print_queue queue;
static struct printed_process process;
static struct print_reader reader = {.queue = &queue, .processes = &process};

static void append(uint64_t n)
{
	for (; n; n--) {
		struct journal_record record = {.kind = RECORD_SUBMISSION,
						.sequence = ring.next + 1};
		CHECK(ring_append(&ring, &record));
	}
}

/* The number of records read, the number of the next one, and how many are reported as lost. */
struct seen {
	uint64_t n, next, n_lost;
};

static void take(const struct print_entry *entry, struct seen *seen)
{
	if (entry->n_lost) {
		seen->n_lost += entry->n_lost;
		seen->next += entry->n_lost;
		return;
	}
	CHECK_EQUAL(entry->record.sequence, seen->next + 1);
	seen->next++;
	seen->n++;
}

static void take_all(struct seen *seen)
{
	static struct print_entry entries[N_ROWS];
	bool is_last = queue.n_put == queue.n_taken;
	while (!is_last) {
		size_t n = print_queue_take(&queue, entries, N_ROWS, &is_last);
		for (size_t i = 0; i < n; i++)
			take(&entries[i], seen);
	}
}

static void expect(const struct seen *seen, uint64_t n, uint64_t n_lost)
{
	CHECK_EQUAL(seen->n, n);
	CHECK_EQUAL(seen->n_lost, n_lost);
}

static void open_ring(void)
{
	CHECK(mkdtemp(directory));
	process.fd = open(directory, O_RDONLY | O_DIRECTORY);
	CHECK(process.fd >= 0);
	snprintf(path, sizeof(path), "%s/ring-0", directory);
	CHECK(!ring_open(&ring, path, 0, N_ROWS));
	CHECK(!print_queue_open(&queue));
}

static void reads_each_record_once(struct seen *seen)
{
	CHECK(!print_reader_read(&reader));
	append(10);
	CHECK(print_reader_read(&reader));
	CHECK(!print_reader_read(&reader));
	append(N_ROWS);
	while (print_reader_read(&reader))
		;
	take_all(seen);
	expect(seen, 10 + N_ROWS, 0);
}

static void tells_what_was_overwritten(struct seen *seen)
{
	uint64_t before = seen->n;
	append(3 * N_ROWS + 5);
	while (print_reader_read(&reader))
		;
	take_all(seen);
	CHECK_EQUAL(seen->n + seen->n_lost, ring.next);
	CHECK(seen->n_lost >= 2 * N_ROWS + 5);
	CHECK(seen->n - before >= N_ROWS / 2);
}

static void *append_many(void *unused)
{
	(void)unused;
	append(N_MANY);
	return NULL;
}

static void keeps_count_while_it_is_written(struct seen *seen)
{
	uint64_t wanted = ring.next + N_MANY;
	pthread_t thread = 0;
	CHECK(!pthread_create(&thread, NULL, append_many, NULL));
	while (seen->next < wanted) {
		(void)print_reader_read(&reader);
		take_all(seen);
	}
	CHECK(!pthread_join(thread, NULL));
	CHECK_EQUAL(seen->n + seen->n_lost, wanted);
	CHECK(!print_reader_read(&reader));
}

int main(void)
{
	struct seen seen = {0};
	open_ring();
	reads_each_record_once(&seen);
	tells_what_was_overwritten(&seen);
	keeps_count_while_it_is_written(&seen);
	unlink(path);
	rmdir(directory);
	return 0;
}
