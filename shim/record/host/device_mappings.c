/*
 * device_mappings.c - reads /proc/self/maps, without memory of its own.
 */
#include "record/host/device_mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEVICE "nvidiactl"

/* A line: "START-END PERMISSIONS OFFSET DEVICE INODE PATH", the numbers hexadecimal. */
static bool is_wanted(const char *line, size_t min_size, size_t max_size, struct mapping *out)
{
	char *rest;
	uintptr_t start = strtoul(line, &rest, 16);
	if (*rest != '-')
		return false;
	uintptr_t end = strtoul(rest + 1, &rest, 16);
	if (strncmp(rest, " rw-s ", 6) != 0 || !strstr(rest, DEVICE))
		return false;
	*out = (struct mapping){.start = start, .end = end};
	return end - start >= min_size && end - start <= max_size;
}

/* Reads on behind what is left over of the last piece, which lies at the front; its new length. */
static ssize_t refill(int fd, char *piece, size_t left, size_t size)
{
	ssize_t n;
	do
		n = read(fd, piece + left, size - left);
	while (n < 0 && errno == EINTR);
	return n;
}

static int read_lines(int fd, size_t min_size, size_t max_size, struct mapping *out, int max)
{
	/* Static: a host's thread may have a small stack. A path that is longer is not the
	 * device's. */
	static char piece[4096 + 1];
	size_t left = 0;
	int n_found = 0;
	for (ssize_t n; (n = refill(fd, piece, left, sizeof(piece) - 1)) > 0 && n_found < max;) {
		size_t length = left + (size_t)n;
		char *line = piece, *end;
		piece[length] = '\0';
		while (n_found < max &&
		       (end = memchr(line, '\n', (size_t)(piece + length - line)))) {
			*end = '\0';
			n_found += is_wanted(line, min_size, max_size, &out[n_found]);
			line = end + 1;
		}
		left = (size_t)(piece + length - line);
		if (left == sizeof(piece) - 1)
			left = 0;
		memmove(piece, line, left);
	}
	return n_found;
}

int device_mappings(size_t min_size, size_t max_size, struct mapping *out, int max)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int n = read_lines(fd, min_size, max_size, out, max);
	(void)close(fd);
	return n;
}
