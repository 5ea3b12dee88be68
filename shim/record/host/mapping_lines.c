/*
 * mapping_lines.c - read /proc/self/maps without memory of its own.
 */
#include "record/host/mapping_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Read more after the last piece's rest, which is at the front; return the bytes read. */
static ssize_t refill(int fd, char *piece, size_t left)
{
	ssize_t n = 0;
	do
		n = read(fd, piece + left, MAPPING_PIECE_SIZE - 1 - left);
	while (n < 0 && errno == EINTR);
	return n;
}

static void walk(int fd, char *piece, bool (*visit)(char *line, void *argument), void *argument)
{
	size_t left = 0;
	bool goes_on = true;
	for (ssize_t n = 0; goes_on && (n = refill(fd, piece, left)) > 0;) {
		size_t length = left + (size_t)n;
		char *line = piece;
		char *end = NULL;
		piece[length] = '\0';
		while (goes_on && (end = memchr(line, '\n', (size_t)(piece + length - line)))) {
			*end = '\0';
			goes_on = visit(line, argument);
			line = end + 1;
		}
		left = (size_t)(piece + length - line);
		if (left == MAPPING_PIECE_SIZE - 1)
			left = 0;
		memmove(piece, line, left);
	}
}

int mapping_lines_walk(char *piece, bool (*visit)(char *line, void *argument), void *argument)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	walk(fd, piece, visit, argument);
	(void)close(fd);
	return 0;
}
