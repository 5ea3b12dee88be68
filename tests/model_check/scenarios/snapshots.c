/*
 * snapshots.c - a command asks a process for a snapshot of its progress. The process has a thread
 * that takes it. Both sides are the real ones; the command's system calls are the scenario's.
 *
 * Variants: "one" command; "two", of which the second does not wait. The first may find that a
 * snapshot for the second has started.
 */
#include "record/snapshots.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "model.h"
#include "record/host/clock.h"
#include "record/journal/bundle.h"
#include "record/journal/table.h"
#include "record/streams/contexts.h"
#include "record/streams/markers.h"
#include "scenarios/stub_store.h"
#include "status/snapshot.h"

enum { FD = 100, N_ROWS = 2 };

static struct table table;
static void *(*server)(void *);
static uint64_t number;   /* of the snapshot: its time, and a part of what it reads */
static uint64_t progress; /* atomic: the other part */

struct table *bundle_table(enum journal_file kind)
{
	MODEL_CHECK(kind == JOURNAL_SNAPSHOTS);
	return &table;
}

const char *bundle_memory_path(void)
{
	return "/dev/shm/culprit";
}

uint64_t clock_kernel_ns(void)
{
	return ++number;
}

void contexts_for_each(void (*visit)(struct context *context, void *data), void *data)
{
	visit(NULL, data);
}

void streams_for_each(struct context *context, void (*visit)(struct stream *stream, void *data),
		      void *data)
{
	static const struct stream stream;
	(void)context;
	visit((struct stream *)(uintptr_t)&stream, data);
}

uint64_t markers_landed(const struct stream *stream)
{
	(void)stream;
	return number * 16 + __atomic_load_n(&progress, __ATOMIC_RELAXED);
}

static void serve(void)
{
	(void)server(NULL);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
		   void *argument)
{
	(void)thread;
	(void)attributes;
	(void)argument;
	server = run;
	model_server(serve);
	return 0;
}

/* The command waits for events, so no time passes. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	*now = (struct timespec){.tv_sec = 1};
	return 0;
}

int openat(int directory, const char *name, int flags, ...)
{
	(void)directory;
	(void)name;
	(void)flags;
	return FD;
}

int fstat(int fd, struct stat *status)
{
	MODEL_CHECK(fd == FD);
	*status = (struct stat){.st_mode = S_IFREG, .st_size = sizeof(stub_store)};
	return 0;
}

int close(int fd)
{
	MODEL_CHECK(fd == FD);
	return 0;
}

void *look_mmap(void *place, size_t size, int protection, int flags, int fd, off_t at)
{
	(void)place;
	(void)protection;
	(void)flags;
	MODEL_CHECK(fd == FD && size <= sizeof(stub_store) && at == 0);
	return stub_store;
}

int look_munmap(void *place, size_t size)
{
	(void)place;
	(void)size;
	return 0;
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
	MODEL_CHECK(fd == FD);
	memcpy(bytes, stub_store + at, size);
	return (ssize_t)size;
}

static void take_snapshot(void)
{
	struct snapshot snapshot = {0};
	/* A snapshot is never older than what the command has seen before it asked. */
	uint64_t seen = __atomic_load_n(&progress, __ATOMIC_RELAXED);
	MODEL_CHECK(snapshot_take(FD, 1000, &snapshot) == 0);
	MODEL_CHECK(snapshot.n == 1 && snapshot.readings[0].kind == READING_MARKER);
	MODEL_CHECK(snapshot.readings[0].value / 16 == snapshot.time_ns);
	MODEL_CHECK(snapshot.readings[0].value % 16 >= seen);
	snapshot_free(&snapshot);
}

static void ask(void)
{
	struct snapshot_row *snapshot = table_row(&table, 1);
	__atomic_store_n(&progress, 1, __ATOMIC_RELAXED);
	(void)__atomic_add_fetch(&snapshot->asked, 1, __ATOMIC_RELAXED);
	(void)syscall(SYS_futex, &snapshot->asked, FUTEX_WAKE, 1);
}

void scenario_setup(const char *variant)
{
	const size_t header = sizeof(struct file_header);
	const size_t size = sizeof(struct snapshot_row);
	stub_store_rows(size, N_ROWS);
	model_words(stub_store + header, N_ROWS * size, 4);
	MODEL_CHECK(!table_open(&table, NULL, JOURNAL_SNAPSHOTS, size, N_ROWS));
	snapshots_ensure();
	model_thread(take_snapshot);
	if (strcmp(variant, "two") == 0)
		model_thread(ask);
}

void scenario_end(void)
{
}
