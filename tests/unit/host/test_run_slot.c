/*
 * test_run_slot.c - the slot of a `culprit run`, taken by a process of the run: whole slots only.
 */
#include "record/journal/run_slot.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/run_slot_layout.h"
#include "record/host/clock.h"
#include "support/check.h"

#define TEXT "a verdict"
static char run[64];

uint64_t clock_kernel_ns(void)
{
	return 5;
}

/* Return the descriptor of a slot that lacks `missing` bytes. Its run's name is in `run`. */
static int make_slot(const struct run_slot_header *header, size_t missing, int seals)
{
	char name[64];
	(void)snprintf(name, sizeof(name), "culprit-run-1.%d.0000000000000002", getpid());
	int fd = memfd_create(name, MFD_ALLOW_SEALING | MFD_CLOEXEC);
	CHECK(fd >= 0);
	CHECK_EQUAL(ftruncate(fd, (off_t)(run_slot_size(header->capacity) - missing)), 0);
	CHECK_EQUAL(pwrite(fd, header, sizeof(*header), 0), sizeof(*header));
	CHECK_EQUAL(fcntl(fd, F_ADD_SEALS, seals), 0);
	(void)snprintf(run, sizeof(run), "1.%d.0000000000000002.%d", getpid(), fd);
	return fd;
}

static void check_refused(struct run_slot_header header, size_t missing, int seals)
{
	int fd = make_slot(&header, missing, seals);
	run_slot_open(run);
	CHECK(!run_slot_publish_verdict(TEXT, sizeof(TEXT)));
	CHECK(!run_slot_publish_end(1));
	CHECK_EQUAL(close(fd), 0);
}

static void read_at(int fd, size_t at, void *out, size_t size)
{
	CHECK_EQUAL(pread(fd, out, size, (off_t)at), size);
}

/* The process takes the first entry, and its text. */
static void test_slot(struct run_slot_header header)
{
	struct run_slot_entry entry;
	char text[sizeof(TEXT)];
	int fd = make_slot(&header, 0, F_SEAL_SHRINK);
	run_slot_open(run);
	CHECK(run_slot_publish_verdict(TEXT, sizeof(TEXT)));
	CHECK(run_slot_publish_end(9));
	read_at(fd, 0, &header, sizeof(header));
	CHECK(header.n_entries == 1 && header.bell == 1);
	read_at(fd, run_slot_entry_at(0), &entry, sizeof(entry));
	CHECK(entry.pid == (uint32_t)getpid() && entry.flags == RUN_SLOT_FINISHED);
	CHECK(entry.n_submissions == 9 && entry.published_ns == 5);
	CHECK_EQUAL(entry.text_size, sizeof(TEXT));
	read_at(fd, run_slot_text_at(header.capacity, 0), text, sizeof(text));
	CHECK_STRING(text, TEXT);
	CHECK(!run_slot_is_of_command());
	CHECK_EQUAL(close(fd), 0);
}

int main(void)
{
	const struct run_slot_header sound = {.magic = RUN_SLOT_MAGIC,
					      .capacity = RUN_SLOT_MAX_ENTRIES};
	struct run_slot_header other = sound;
	run_slot_open("");
	check_refused(sound, 1, F_SEAL_SHRINK);
	check_refused(sound, 0, F_SEAL_GROW);
	other.capacity++;
	check_refused(other, 0, F_SEAL_SHRINK);
	other = sound;
	other.magic++;
	check_refused(other, 0, F_SEAL_SHRINK);
	test_slot(sound);
	return 0;
}
