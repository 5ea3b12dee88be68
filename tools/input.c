/*
 * input.c - opens and reads files that somebody else may have prepared.
 */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int input_open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int error = errno;
	struct stat status;

	if (fd >= 0)
		return fd;
	if (error == ENOTDIR && !lstat(path, &status) && S_ISLNK(status.st_mode))
		return -ELOOP;
	return -error;
}

bool input_is_regular(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISREG(status.st_mode);
}

int input_open_file(int directory_fd, const char *name)
{
	int fd = openat(directory_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return errno == ENXIO ? -EINVAL : -errno; /* ENXIO: a socket */
	if (input_is_regular(fd))
		return fd;
	close(fd);
	return -EINVAL;
}

/* Reads until `size` bytes are there or the file ends. How many, or -errno. */
static ssize_t read_all(int fd, char *bytes, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = read(fd, bytes + done, size - done);

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
	ssize_t size;
	char *bytes;

	if (fstat(fd, &status))
		return -errno;
	if ((uint64_t)status.st_size > max_size)
		return -EFBIG;
	bytes = malloc((size_t)status.st_size + 1);
	if (!bytes)
		return -ENOMEM;
	size = read_all(fd, bytes, (size_t)status.st_size);
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
	int result;

	if (fd < 0)
		return fd;
	result = read_open_file(fd, max_size, out_bytes, out_size);
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
