/*
 * own_line.c - reads the last byte of a file that is being written.
 */
/* The rest of the floor is plain C. NOLINTNEXTLINE(readability-identifier-naming) */
#define _POSIX_C_SOURCE 200809L
#include "base/own_line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read the byte before this offset. False if it cannot be read. */
static bool read_before(int fd, off_t place, char *out)
{
	char path[32];
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	int reader = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (reader < 0)
		return false;
	bool is_read = pread(reader, out, 1, place - 1) == 1;
	(void)close(reader);
	return is_read;
}

static bool is_needed(int fd)
{
	struct stat status;
	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		return true;
	off_t place = fcntl(fd, F_GETFL) & O_APPEND ? status.st_size : lseek(fd, 0, SEEK_CUR);
	char last = 0;
	return place > 0 && (!read_before(fd, place, &last) || last != '\n');
}

bool own_line_is_needed(int fd)
{
	int saved_errno = errno;
	bool result = is_needed(fd);
	errno = saved_errno;
	return result;
}
