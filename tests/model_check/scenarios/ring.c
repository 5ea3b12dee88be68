/*
 * ring.c - one thread appends records, and another one reads them by their commit words.
 *
 * Variants: "wrap", where the third record replaces the first; "grow", where the ring gets another
 * row; "open", where the reader, as in another process, finds the file while it is made.
 */
#include "record/journal/ring.h"

#include <string.h>

#include "model.h"
#include "scenarios/stub_store.h"
#include "view/bundle_view.h"

static struct ring ring;
static struct bundle_view view;
static uint64_t n_rows; /* at the start */

static struct journal_record numbered(uint64_t number)
{
	return (struct journal_record){.sequence = number, .ordinal = number};
}

/* Append in both ways: in place and by a copy. */
static void write_in_place(uint64_t number)
{
	struct journal_record *row = ring_begin(&ring);
	row->sequence = number;
	row->ordinal = number;
	(void)ring_end(&ring, row);
}

static void write_copy(uint64_t number)
{
	const struct journal_record record = numbered(number);
	(void)ring_append(&ring, &record);
}

static void write_three(void)
{
	write_in_place(1);
	write_in_place(2);
	write_copy(3); /* a full ring wraps in ring_append() only */
	write_in_place(4);
}

static void write_two(void)
{
	write_copy(1);
	write_copy(2);
}

static void open_and_write(void)
{
	MODEL_CHECK(ring_open(&ring, NULL, 5, 2) == 0);
	write_copy(1);
}

static void read_row(uint64_t position)
{
	struct journal_record record;
	if (!view_record(&view, 5, position, &record))
		return;
	MODEL_CHECK(record.sequence == record.commit);
	MODEL_CHECK(record.ordinal == record.commit);
}

static void read_all(void)
{
	if (bundle_view_add(&view, stub_store, sizeof(stub_store), NULL) < 0)
		return;
	MODEL_CHECK(view.n_rings == 6);
	MODEL_CHECK(view.rings[5].capacity >= n_rows);
	for (uint64_t i = 0; i < view.rings[5].n_rows; i++) {
		MODEL_CHECK(stub_store_has(i));
		read_row(i);
	}
}

void scenario_setup(const char *variant)
{
	bool is_opened_later = strcmp(variant, "open") == 0;
	const size_t header = sizeof(struct file_header);
	n_rows = strcmp(variant, "grow") == 0 ? 1 : 2;
	stub_store_rows(sizeof(struct journal_record), n_rows);
	model_words(stub_store + (is_opened_later ? 0 : header),
		    sizeof(stub_store) - (is_opened_later ? 0 : header), 8);
	if (!is_opened_later)
		MODEL_CHECK(ring_open(&ring, NULL, 5, 2) == 0);
	model_thread(is_opened_later ? open_and_write : n_rows == 1 ? write_two : write_three);
	model_thread(read_all);
}

void scenario_end(void)
{
	/* A reader that comes later finds the newest records. */
	read_all();
	MODEL_CHECK(ring_newest(&ring)->commit == ring.next);
}
