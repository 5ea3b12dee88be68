/*
 * look.c - the command's side of a snapshot; the shim's side is record/looks.c.
 */
#include "status/look.h"

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
	struct look_row look;
};

static uint32_t load(const uint32_t *word)
{
	/* Acquire: pairs with the shim's release stores, so that earlier stores are visible. */
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static bool is_sound(const struct asked_file *file)
{
	return file->header.magic == JOURNAL_MAGIC && file->header.kind == JOURNAL_LOOKS &&
	       file->header.header_size == sizeof(file->header) &&
	       file->header.row_size == sizeof(file->look);
}

static int open_file(int memory_fd)
{
	int fd = openat(memory_fd, journal_file_names[JOURNAL_LOOKS],
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
static bool is_answered(const struct look_row *look, uint32_t asked)
{
	uint32_t n_ended = load(&look->n_ended);
	return (int32_t)(load(&look->served) - asked) >= 0 && load(&look->n_begun) == n_ended;
}

static int await(struct look_row *look, uint32_t asked, uint64_t end_ns)
{
	for (;;) {
		uint32_t n_ended = load(&look->n_ended);
		uint64_t now = monotonic_ns();
		if (is_answered(look, asked))
			return 0;
		if (now >= end_ns)
			return load(&look->tid) ? -ETIMEDOUT : -ENOENT;
		struct timespec left = {.tv_sec = (time_t)((end_ns - now) / NS_PER_S),
					.tv_nsec = (long)((end_ns - now) % NS_PER_S)};
		/* The snapshot may have finished before the futex could be waited on. */
		if (left.tv_sec > 0 || left.tv_nsec > 50000000)
			left = (struct timespec){.tv_nsec = 50000000};
		(void)syscall(SYS_futex, &look->n_ended, FUTEX_WAIT, n_ended, &left, NULL, 0);
	}
}

/* Copy the newest snapshot's rows. Return -EAGAIN if another snapshot started meanwhile. */
static int copy(int fd, const struct look_row *look, struct look *out)
{
	uint32_t number = load(&look->n_ended);
	uint32_t n = load(&look->n_readings);
	struct reading_row *rows = calloc(n + (size_t)1, sizeof(*rows));
	size_t size = n * sizeof(*rows);
	if (!rows)
		return -ENOMEM;
	out->time_ns = look->time_ns;
	ssize_t n_read = pread(fd, rows, size, sizeof(struct asked_file));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (n_read < 0 || (size_t)n_read != size || load(&look->n_begun) != number) {
		free(rows);
		return -EAGAIN;
	}
	out->readings = rows;
	out->n = n;
	return 0;
}

static int ask(int fd, struct look_row *look, unsigned timeout_ms, struct look *out)
{
	uint64_t end_ns = monotonic_ns() + timeout_ms * (uint64_t)NS_PER_MS;
	/* Pairs with the acquire of the thread that takes the snapshot. */
	uint32_t asked = __atomic_add_fetch(&look->asked, 1, __ATOMIC_RELEASE);
	(void)syscall(SYS_futex, &look->asked, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	int result = 0;
	do {
		result = await(look, asked, end_ns);
		if (!result)
			result = copy(fd, look, out);
	} while (result == -EAGAIN && monotonic_ns() < end_ns);
	return result == -EAGAIN ? -ETIMEDOUT : result;
}

/* If the file shrinks while mapped, SIGBUS ends this command alone; only its owner can do that. */
int look_take(int memory_fd, unsigned timeout_ms, struct look *out)
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
		result = ask(fd, &file->look, timeout_ms, out);
	if (file != MAP_FAILED)
		munmap(file, sizeof(*file));
	close(fd);
	return result;
}

void look_free(struct look *look)
{
	free(look->readings);
	*look = (struct look){0};
}

uint64_t look_locked_ns(const struct look *look)
{
	for (size_t index = 0; index < look->n; index++)
		if (look->readings[index].kind == READING_LOCKED)
			return look->readings[index].value;
	return 0;
}
