/*
 * host_mappings.c - make rows from the lines of /proc/self/maps.
 */
#include "record/objects/host_mappings.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/journal_format.h"
#include "record/host/mappings.h"
#include "record/journal/bundle.h"
#include "record/journal/strings.h"

enum { N_FIELDS_BEFORE_NAME = 4 }; /* after the addresses */

/* The newest mapping, not written yet because the next line may continue it. */
struct pending {
	struct host_mapping_row row;
	bool is_there;
};

/* Skip the fields before the name; returns the line's end if there is no name. */
static const char *name_in(const char *line)
{
	for (int i = 0; i < N_FIELDS_BEFORE_NAME; i++) {
		line += strspn(line, " ");
		line += strcspn(line, " ");
	}
	return line + strspn(line, " ");
}

/* True for a device's own mappings: it is unknown what a driver's shared pages are. */
static bool is_of_device(const char *name)
{
	return strncmp(name, "/dev/", 5) == 0 && strncmp(name, "/dev/shm/", 9) != 0;
}

static void write_pending(const struct pending *pending)
{
	if (pending->is_there)
		(void)table_append(bundle_table(JOURNAL_HOST_MAPPINGS), &pending->row, 1);
}

/* Read "START-END PERMISSIONS OFFSET DEVICE INODE NAME", with hexadecimal numbers. */
static bool visit(char *line, void *argument)
{
	struct pending *pending = argument;
	char *rest = NULL;
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
	(void)mappings_walk(piece, visit, &pending);
	write_pending(&pending);
}
