/*
 * run_slot.c - map the slot and store into it.
 */
#include "record/journal/run_slot.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/run_slot_layout.h"
#include "record/host/clock.h"

static struct run_slot_header *header; /* NULL: there is no slot */
static struct run_slot_entry *entry;
static char *text;
static long runner = -1; /* the `culprit run` that reads the slot */
static bool is_command;  /* this process is the command that it started */

static void *map(int fd, size_t at, size_t size)
{
	void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)at);
	/* A forked child must not write to its parent's entry. */
	if (base != MAP_FAILED)
		(void)madvise(base, size, MADV_DONTFORK);
	return base == MAP_FAILED ? NULL : base;
}

/* Return the capacity of a slot that cannot shrink under its mappings; 0 if it is not a slot. */
static size_t read_capacity(int fd)
{
	struct run_slot_header found;
	bool is_slot = pread(fd, &found, sizeof(found), 0) == sizeof(found) &&
		       found.magic == RUN_SLOT_MAGIC && found.capacity <= RUN_SLOT_MAX_ENTRIES;
	struct stat status;
	bool is_whole = is_slot && fstat(fd, &status) == 0 &&
			status.st_size >= (off_t)run_slot_size(found.capacity) &&
			(fcntl(fd, F_GET_SEALS) & F_SEAL_SHRINK);
	return is_whole ? found.capacity : 0;
}

static void take_entry(int fd, struct run_slot_header *slot, size_t capacity)
{
	uint32_t index = __atomic_fetch_add(&slot->n_entries, 1, __ATOMIC_RELAXED);
	if (index >= capacity)
		return;
	text = map(fd, run_slot_text_at(capacity, index), RUN_SLOT_TEXT_SIZE);
	if (!text)
		return;
	entry = (struct run_slot_entry *)(void *)((char *)slot + run_slot_entry_at(index));
	is_command = slot->command == (uint32_t)getpid();
	__atomic_store_n(&entry->pid, (uint32_t)getpid(), __ATOMIC_RELEASE);
	header = slot;
}

void run_slot_open(const char *run)
{
	char path[64];
	if (run_slot_path(run, path, sizeof(path)) != 0)
		return;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	size_t capacity = read_capacity(fd);
	struct run_slot_header *slot = capacity ? map(fd, 0, run_slot_text_at(capacity, 0)) : NULL;
	if (slot)
		take_entry(fd, slot, capacity);
	(void)close(fd);
	if (header)
		runner = run_slot_runner(run);
}

bool run_slot_is_of_command(void)
{
	return is_command && getppid() == runner;
}

static void ring_bell(void)
{
	__atomic_fetch_add(&header->bell, 1, __ATOMIC_RELEASE);
	(void)syscall(SYS_futex, &header->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool run_slot_publish_verdict(const char *bytes, size_t size)
{
	if (!header)
		return false;
	size = size < RUN_SLOT_TEXT_SIZE ? size : RUN_SLOT_TEXT_SIZE;
	/* A reader in between finds no text, and is woken again below. */
	__atomic_store_n(&entry->text_size, 0, __ATOMIC_RELEASE);
	memcpy(text, bytes, size);
	entry->published_ns = clock_kernel_ns();
	/* This and the bell's pair with the acquire load in the tools' run_early.c. */
	__atomic_store_n(&entry->text_size, (uint32_t)size, __ATOMIC_RELEASE);
	ring_bell();
	return true;
}

bool run_slot_publish_end(uint64_t n_submissions)
{
	if (!header)
		return false;
	entry->n_submissions = n_submissions;
	__atomic_fetch_or(&entry->flags, RUN_SLOT_FINISHED, __ATOMIC_RELEASE);
	return true;
}

void run_slot_publish_fatal(void)
{
	if (!header)
		return;
	/* Pairs with the acquire load in the tools' run_early.c. */
	__atomic_fetch_or(&entry->flags, RUN_SLOT_FATAL, __ATOMIC_RELEASE);
	ring_bell();
}
