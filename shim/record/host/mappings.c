/*
 * mappings.c - read /proc/self/maps without memory of its own.
 */
#include "record/host/mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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

int mappings_walk(char *piece, bool (*visit)(char *line, void *argument), void *argument)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	walk(fd, piece, visit, argument);
	(void)close(fd);
	return 0;
}

#define DEVICE "nvidiactl"

struct search {
	size_t min_size, max_size;
	struct mapping *out;
	int max, n_found;
};

/* A line: "START-END PERMISSIONS OFFSET DEVICE INODE PATH", the numbers hexadecimal. */
static bool is_wanted(const char *line, const struct search *search, struct mapping *out)
{
	char *rest = NULL;
	uintptr_t start = strtoul(line, &rest, 16);
	if (*rest != '-')
		return false;
	uintptr_t end = strtoul(rest + 1, &rest, 16);
	if (strncmp(rest, " rw-s ", 6) != 0 || !strstr(rest, DEVICE))
		return false;
	*out = (struct mapping){.start = start, .end = end};
	return end - start >= search->min_size && end - start <= search->max_size;
}

static bool visit(char *line, void *argument)
{
	struct search *search = argument;
	search->n_found += is_wanted(line, search, &search->out[search->n_found]);
	return search->n_found < search->max;
}

int mappings_of_device(size_t min_size, size_t max_size, struct mapping *out, int max)
{
	static char piece[MAPPING_PIECE_SIZE];
	struct search search = {min_size, max_size, out, max, 0};
	int error = max > 0 ? mappings_walk(piece, visit, &search) : 0;
	return error ? error : search.n_found;
}
