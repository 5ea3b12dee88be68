/*
 * journal_copy.c - a thread writes the journal, and another one copies it to a file, as a snapshot
 * of the process. The file system is the scenario's; a page has 64 bytes.
 *
 * Variants: "table" and "ring"; "grow" and "anonymous", where a count in the journal is damaged,
 * and the copy stops where the memory ends that may be touched.
 */
#include "record/files/journal_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "model.h"
#include "record/files/directory.h"
#include "record/host/cancellation.h"
#include "record/host/clock.h"
#include "record/host/reserve.h"
#include "record/journal/ring.h"
#include "record/journal/table.h"
#include "view/bundle_view.h"

enum { PAGE = 64, SIZE = 8 * PAGE, FD = 100 };

static _Alignas(PAGE) unsigned char memory[SIZE];
static bool has_page[SIZE / PAGE]; /* may be touched */
static bool is_disk_full;
static _Alignas(8) unsigned char file[SIZE];
static size_t file_size;
static struct journal_copy copy;
static struct bundle_view view;
static struct table table;
static struct ring ring;
static struct store store;

long sysconf(int name)
{
	(void)name;
	return PAGE;
}

int open(const char *path, int flags, ...)
{
	(void)path;
	(void)flags;
	return FD;
}

int directory_open_file(int directory_fd, const char *name)
{
	(void)directory_fd;
	(void)name;
	return FD;
}

int close(int fd)
{
	MODEL_CHECK(fd == FD);
	return 0;
}

int fstatfs(int fd, struct statfs *status)
{
	(void)fd;
	(void)status;
	return -1;
}

static bool add_pages(size_t from, size_t size)
{
	for (size_t at = from; at < from + size; at += PAGE)
		has_page[at / PAGE] = true;
	return true;
}

int fallocate(int fd, int mode, off_t from, off_t size)
{
	(void)fd;
	(void)mode;
	errno = ENOSPC;
	return !is_disk_full && add_pages((size_t)from, (size_t)size) ? 0 : -1;
}

void *reserve_file(int fd, size_t size)
{
	(void)fd;
	return size <= SIZE ? memory : NULL;
}

void *reserve_memory(size_t size)
{
	(void)add_pages(0, size);
	return memory;
}

bool reserve_memory_at(void *place, size_t size)
{
	return add_pages((size_t)((unsigned char *)place - memory), size);
}

int madvise(void *start, size_t size, int advice)
{
	(void)start;
	(void)size;
	(void)advice;
	return 0;
}

int getrlimit(__rlimit_resource_t resource, struct rlimit *out)
{
	(void)resource;
	*out = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
	return 0;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	MODEL_CHECK(fd == FD && (size_t)at + size <= sizeof(file));
	for (size_t i = (size_t)at / PAGE; i * PAGE < (size_t)at + size; i++)
		MODEL_CHECK(has_page[i]);
	memcpy(file + at, bytes, size);
	return (ssize_t)size;
}

int ftruncate(int fd, off_t size)
{
	MODEL_CHECK(fd == FD);
	file_size = (size_t)size;
	return 0;
}

int cancellation_hold(void)
{
	return 0;
}

void cancellation_restore(int state)
{
	(void)state;
}

uint64_t clock_kernel_ns(void)
{
	return 1;
}

static void append_rows(void)
{
	for (uint32_t i = 1; i <= 2; i++) {
		const struct parameter_row row = {.offset = i, .size = i};
		MODEL_CHECK(table_append(&table, &row, 1) == i);
	}
}

static void append_records(void)
{
	for (uint64_t i = 1; i <= 2; i++) {
		const struct journal_record record = {.sequence = i, .ordinal = i};
		MODEL_CHECK(ring_append(&ring, &record));
	}
}

static void grow(void)
{
	MODEL_CHECK(store_back(&store, 2 * PAGE));
}

static void add_copy(const struct store *from)
{
	MODEL_CHECK(journal_copy_add(&copy, FD, "name", from) == 0);
	MODEL_CHECK(bundle_view_add(&view, file, file_size, NULL) == 0);
}

static void copy_table(void)
{
	add_copy(&table.store);
	for (uint32_t i = 1; i <= view.tables[JOURNAL_PARAMETERS].n_rows; i++)
		MODEL_CHECK(view_parameter(&view, i)->size == i);
}

static void copy_ring(void)
{
	add_copy(&ring.store);
	for (uint64_t i = 0; i < 2; i++) {
		struct journal_record record;
		if (view_record(&view, 0, i, &record))
			MODEL_CHECK(record.sequence == i + 1 && record.ordinal == i + 1);
	}
}

static void copy_damaged(void)
{
	MODEL_CHECK(journal_copy_add(&copy, FD, "name", &store) == 0);
	MODEL_CHECK(file_size >= PAGE && file_size <= SIZE);
}

static void open_damaged(void)
{
	const struct file_header damaged = {.n_rows = SIZE, .row_size = 1};
	MODEL_CHECK(store_open(&store, "name", SIZE, PAGE) == 0);
	memcpy(store.base, &damaged, sizeof(damaged));
}

void scenario_setup(const char *variant)
{
	journal_copy_begin(&copy);
	if (strcmp(variant, "table") == 0) {
		const size_t size = sizeof(struct parameter_row);
		MODEL_CHECK(table_open(&table, "name", JOURNAL_PARAMETERS, size, 2) == 0);
		model_thread(append_rows);
		model_thread(copy_table);
	} else if (strcmp(variant, "ring") == 0) {
		const size_t header = sizeof(struct file_header);
		model_words(memory + header, SIZE - header, 8);
		MODEL_CHECK(ring_open(&ring, "name", 0, 2) == 0);
		model_thread(append_records);
		model_thread(copy_ring);
	} else {
		open_damaged();
		is_disk_full = strcmp(variant, "anonymous") == 0;
		model_thread(grow);
		model_thread(copy_damaged);
	}
}

void scenario_end(void)
{
}
