/*
 * device_mappings.c - looks for the device's name in the lines of /proc/self/maps.
 */
#include "record/host/device_mappings.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "record/host/mapping_lines.h"

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

int device_mappings(size_t min_size, size_t max_size, struct mapping *out, int max)
{
	static char piece[MAPPING_PIECE_SIZE];
	struct search search = {min_size, max_size, out, max, 0};
	int error = max > 0 ? mapping_lines_walk(piece, visit, &search) : 0;
	return error ? error : search.n_found;
}
