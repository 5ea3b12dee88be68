/*
 * run_slot.c - adds to the slot, but to nothing else.
 */
#include "record/journal/run_slot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/run_slot_path.h"
#include "record/journal/store.h"

static int open_slot(const char *run)
{
	char path[64];
	int error = run_slot_path(run, path, sizeof(path));
	if (error)
		return error;
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* One call, so that what several processes tell does not mix. */
static int append(int fd, const char *word, const char *text, size_t size)
{
	char header[64];
	int length = snprintf(header, sizeof(header), RUN_SLOT_HEADER, word, getpid(), size);
	struct iovec parts[] = {{.iov_base = header, .iov_len = (size_t)length},
				{.iov_base = (void *)(uintptr_t)text, .iov_len = size}};
	struct stat status;
	if (fstat(fd, &status) < 0)
		return -errno;
	if (store_is_over_limit((size_t)status.st_size + (size_t)length + size))
		return -EFBIG;
	ssize_t n = writev(fd, parts, 2);
	if (n < 0)
		return -errno;
	return (size_t)n == (size_t)length + size ? 0 : -EIO;
}

int run_slot_tell(const char *run, const char *word, const char *text, size_t size)
{
	int fd = open_slot(run);
	if (fd < 0)
		return fd;
	int error = append(fd, word, text, size);
	(void)close(fd);
	return error;
}
