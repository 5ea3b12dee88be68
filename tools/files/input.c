/*
 * input.c - open and read files that an attacker may have prepared.
 */
#include "files/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int input_open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int error = errno;
	if (fd >= 0)
		return fd;
	struct stat status;
	if (error == ENOTDIR && !lstat(path, &status) && S_ISLNK(status.st_mode))
		return -ELOOP;
	return -error;
}

bool input_is_own_directory(int directory_fd)
{
	struct stat status;
	return !fstat(directory_fd, &status) && status.st_uid == geteuid() &&
	       !(status.st_mode & 077);
}

int input_open_own_directory(const char *path)
{
	int fd = input_open_directory(path);
	if (fd < 0 || input_is_own_directory(fd))
		return fd;
	close(fd);
	return -EPERM;
}

static bool is_regular(int fd)
{
	struct stat status;
	return !fstat(fd, &status) && S_ISREG(status.st_mode);
}

/* Reopen for reading the same file that `place_fd` (O_PATH) refers to. */
static int reopen(int path_fd)
{
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", path_fd);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/*
 * Opening a device can have side effects (a tape rewinds), and opening a pipe unblocks its writer.
 * So check the type first, with an O_PATH descriptor that does not open the file itself.
 */
static int open_regular(int directory_fd, const char *name, int flags)
{
	int path_fd = openat(directory_fd, name, O_PATH | O_CLOEXEC | flags);
	int fd = -EINVAL;
	if (path_fd < 0)
		return -errno;
	struct stat status;
	if (fstat(path_fd, &status))
		fd = -errno;
	else if (S_ISLNK(status.st_mode))
		fd = -ELOOP;
	else if (S_ISREG(status.st_mode))
		fd = reopen(path_fd);
	close(path_fd);
	if (fd != -ENOENT || !S_ISREG(status.st_mode))
		return fd;
	/* Without /proc, open it again by name. A file swapped in the meantime is checked below. */
	fd = openat(directory_fd, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
	if (fd < 0 || is_regular(fd))
		return fd < 0 ? -errno : fd;
	close(fd);
	return -EINVAL;
}

int input_open_file(int directory_fd, const char *name)
{
	return open_regular(directory_fd, name, O_NOFOLLOW);
}

int input_open_linked_file(const char *path)
{
	return open_regular(AT_FDCWD, path, 0);
}

ssize_t input_read_at(int fd, void *bytes, size_t size, uint64_t at)
{
	size_t done = 0;
	while (done < size) {
		ssize_t n = pread(fd, (char *)bytes + done, size - done, (off_t)(at + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

static int read_open_file(int fd, uint64_t max_size, char **out_bytes, size_t *out_size)
{
	struct stat status;
	if (fstat(fd, &status))
		return -errno;
	if ((uint64_t)status.st_size > max_size)
		return -EFBIG;
	char *bytes = malloc((size_t)status.st_size + 1);
	if (!bytes)
		return -ENOMEM;
	ssize_t size = input_read_at(fd, bytes, (size_t)status.st_size, 0);
	if (size < 0) {
		free(bytes);
		return (int)size;
	}
	bytes[size] = '\0';
	*out_bytes = bytes;
	*out_size = (size_t)size;
	return 0;
}

int input_read_file(int directory_fd, const char *name, uint64_t max_size, char **out_bytes,
		    size_t *out_size)
{
	int fd = input_open_file(directory_fd, name);
	if (fd < 0)
		return fd;
	int result = read_open_file(fd, max_size, out_bytes, out_size);
	close(fd);
	return result;
}

const char *input_error_text(int error)
{
	switch (error) {
	case -ELOOP:
		return "is a symbolic link, which culprit does not follow";
	case -EINVAL:
		return "is not a regular file";
	case -ENOTDIR:
		return "is not a directory";
	case -EFBIG:
		return "is larger than a bundle can be";
	default:
		return strerror(-error);
	}
}
