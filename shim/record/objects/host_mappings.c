/*
 * host_mappings.c - rows out of the lines of /proc/self/maps.
 */
#include "record/objects/host_mappings.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/journal_format.h"
#include "record/host/mapping_lines.h"
#include "record/journal/bundle.h"
#include "record/journal/strings.h"

enum { N_FIELDS_BEFORE_NAME = 4 }; /* behind the addresses */

/* The newest mapping, not written as long as the next one may go on with it. */
struct pending {
	struct host_mapping_row row;
	bool is_there;
};

/* Behind as many fields; the end of the line where there is no name. */
static const char *name_in(const char *line)
{
	for (int i = 0; i < N_FIELDS_BEFORE_NAME; i++) {
		line += strspn(line, " ");
		line += strcspn(line, " ");
	}
	return line + strspn(line, " ");
}

/* Devices map their own; of a driver's shared pages what they are is not known. */
static bool is_of_device(const char *name)
{
	return strncmp(name, "/dev/", 5) == 0 && strncmp(name, "/dev/shm/", 9) != 0;
}

static void write_pending(struct pending *pending)
{
	if (pending->is_there)
		(void)table_append(bundle_table(JOURNAL_HOST_MAPPINGS), &pending->row, 1);
	pending->is_there = false;
}

/* "START-END PERMISSIONS OFFSET DEVICE INODE NAME", the numbers hexadecimal. */
static bool visit(char *line, void *argument)
{
	struct pending *pending = argument;
	char *rest;
	uint64_t start = strtoul(line, &rest, 16);
	if (*rest != '-')
		return true;
	uint64_t end = strtoul(rest + 1, &rest, 16);
	const char *name = name_in(rest);
	if (strncmp(rest, " ---", 4) == 0 || is_of_device(name))
		return true;
	uint32_t id = *name ? strings_intern_z(name) : 0;
	if (pending->is_there && pending->row.end == start && pending->row.name == id) {
		pending->row.end = end;
		return true;
	}
	write_pending(pending);
	*pending = (struct pending){{.start = start, .end = end, .name = id}, true};
	return true;
}

void host_mappings_write(void)
{
	static char piece[MAPPING_PIECE_SIZE];
	struct pending pending = {.is_there = false};
	if (bundle_open_late(JOURNAL_HOST_MAPPINGS) != 0)
		return;
	(void)mapping_lines_walk(piece, visit, &pending);
	write_pending(&pending);
}
