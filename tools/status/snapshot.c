/*
 * snapshot.c - the command's side of a snapshot; the shim's side is record/snapshots.c.
 */
#include "status/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "analysis/readings.h"
#include "base/bundle_names.h"
#include "command/monotonic.h"

/* The part of the file that is mapped: its header and first row. */
struct asked_file {
	struct file_header header;
	struct snapshot_row snapshot;
};

static uint32_t load(const uint32_t *word)
{
	/* Acquire: pairs with the shim's release stores, so that earlier stores are visible. */
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static bool is_sound(const struct asked_file *file)
{
	return file->header.magic == JOURNAL_MAGIC && file->header.kind == JOURNAL_SNAPSHOTS &&
	       file->header.header_size == sizeof(file->header) &&
	       file->header.row_size == sizeof(file->snapshot);
}

static int open_file(int memory_fd)
{
	int fd = openat(memory_fd, journal_file_names[JOURNAL_SNAPSHOTS],
			O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	struct stat status;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) &&
	    status.st_size >= (off_t)sizeof(struct asked_file))
		return fd;
	close(fd);
	return -ENOENT;
}

/* True if a snapshot started after `asked` was raised has finished and no later one has started. */
static bool is_answered(const struct snapshot_row *snapshot, uint32_t asked)
{
	uint32_t n_finished = load(&snapshot->n_finished);
	return (int32_t)(load(&snapshot->served) - asked) >= 0 &&
	       load(&snapshot->n_started) == n_finished;
}

static int await(struct snapshot_row *snapshot, uint32_t asked, uint64_t end_ns)
{
	for (;;) {
		uint32_t n_finished = load(&snapshot->n_finished);
		uint64_t now = monotonic_ns();
		if (is_answered(snapshot, asked))
			return 0;
		if (now >= end_ns)
			return load(&snapshot->tid) ? -ETIMEDOUT : -ENOENT;
		struct timespec left = {.tv_sec = (time_t)((end_ns - now) / NS_PER_S),
					.tv_nsec = (long)((end_ns - now) % NS_PER_S)};
		/* The snapshot may have finished before the futex could be waited on. */
		if (left.tv_sec > 0 || left.tv_nsec > 50000000)
			left = (struct timespec){.tv_nsec = 50000000};
		(void)syscall(SYS_futex, &snapshot->n_finished, FUTEX_WAIT, n_finished, &left, NULL,
			      0);
	}
}

/* Copy the newest snapshot's rows. Return -EAGAIN if another snapshot started meanwhile. */
static int copy(int fd, const struct snapshot_row *snapshot, struct snapshot *out)
{
	uint32_t number = load(&snapshot->n_finished);
	uint32_t n = load(&snapshot->n_readings);
	struct reading_row *rows = calloc(n + (size_t)1, sizeof(*rows));
	size_t size = n * sizeof(*rows);
	if (!rows)
		return -ENOMEM;
	out->time_ns = snapshot->time_ns;
	ssize_t n_read = pread(fd, rows, size, sizeof(struct asked_file));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (n_read < 0 || (size_t)n_read != size || load(&snapshot->n_started) != number) {
		free(rows);
		return -EAGAIN;
	}
	out->readings = rows;
	out->n = n;
	return 0;
}

static int ask(int fd, struct snapshot_row *snapshot, unsigned timeout_ms, struct snapshot *out)
{
	uint64_t end_ns = monotonic_ns() + timeout_ms * (uint64_t)NS_PER_MS;
	/* Pairs with the acquire of the thread that takes the snapshot. */
	uint32_t asked = __atomic_add_fetch(&snapshot->asked, 1, __ATOMIC_RELEASE);
	(void)syscall(SYS_futex, &snapshot->asked, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	int result = 0;
	do {
		result = await(snapshot, asked, end_ns);
		if (!result)
			result = copy(fd, snapshot, out);
	} while (result == -EAGAIN && monotonic_ns() < end_ns);
	return result == -EAGAIN ? -ETIMEDOUT : result;
}

/* If the file shrinks while mapped, SIGBUS ends this command alone; only its owner can do that. */
int snapshot_take(int memory_fd, unsigned timeout_ms, struct snapshot *out)
{
	int fd = open_file(memory_fd);
	int result = -ENOENT;
	if (fd < 0)
		return fd;
	struct asked_file *file =
		mmap(NULL, sizeof(*file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (file == MAP_FAILED)
		result = -errno;
	else if (is_sound(file))
		result = ask(fd, &file->snapshot, timeout_ms, out);
	if (file != MAP_FAILED)
		munmap(file, sizeof(*file));
	close(fd);
	return result;
}

void snapshot_free(struct snapshot *snapshot)
{
	free(snapshot->readings);
	*snapshot = (struct snapshot){0};
}

uint64_t snapshot_locked_ns(const struct snapshot *snapshot)
{
	for (size_t index = 0; index < snapshot->n; index++)
		if (snapshot->readings[index].kind == READING_LOCKED)
			return snapshot->readings[index].value;
	return 0;
}
