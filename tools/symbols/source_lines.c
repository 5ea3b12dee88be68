/*
 * source_lines.c - cuts a few lines out of a file.
 */
#include "symbols/source_lines.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/time_units.h"
#include "files/input.h"

enum { MAX_FILE = 32 << 20 };

static bool is_of_then(const char *path, uint64_t newest)
{
	int fd = input_open_linked_file(path);
	struct stat status;
	bool is_old =
		fd >= 0 && !fstat(fd, &status) &&
		(uint64_t)status.st_mtim.tv_sec * NS_PER_S + (uint64_t)status.st_mtim.tv_nsec <=
			newest;
	if (fd >= 0)
		close(fd);
	return is_old;
}

void source_lines_read(struct source_lines *lines, const char *path, uint32_t line, uint64_t newest)
{
	uint32_t number = 1;
	lines->n = 0;
	lines->first = line > SOURCE_LINES_AROUND ? line - SOURCE_LINES_AROUND : 1;
	char *bytes = NULL;
	size_t size = 0;
	if (*path != '/' || !is_of_then(path, newest) ||
	    input_read_file(AT_FDCWD, path, MAX_FILE, &bytes, &size))
		return;
	for (const char *at = bytes; at < bytes + size && lines->n < SOURCE_MAX_LINES; number++) {
		size_t length = strcspn(at, "\n");
		if (number >= lines->first && number <= line + SOURCE_LINES_AROUND)
			snprintf(lines->texts[lines->n++], SOURCE_WIDTH, "%.*s",
				 (int)(length < SOURCE_WIDTH ? length : SOURCE_WIDTH - 1), at);
		at += length + 1;
	}
	if (lines->first + lines->n <= line)
		lines->n = 0;
	free(bytes);
}
