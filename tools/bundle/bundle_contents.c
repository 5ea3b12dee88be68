/*
 * bundle_contents.c - counts the problems of a bundle, and finds its directory again.
 */
#include "bundle/bundle_contents.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/message.h"
#include "files/input.h"

static void print_problem(struct bundle *bundle, const char *line)
{
	bundle->n_problems++;
	message("%s", line);
}

void bundle_note_problem(struct bundle *bundle, const char *path, const char *text)
{
	char line[PATH_MAX + 256];
	(void)snprintf(line, sizeof(line), "%s: %s", path, text);
	if (bundle->held)
		(void)fwrite(line, 1, strlen(line) + 1, bundle->held);
	else
		print_problem(bundle, line);
}

void bundle_hold_problems(struct bundle *bundle)
{
	bundle->held = open_memstream(&bundle->held_lines, &bundle->held_size);
}

void bundle_release_problems(struct bundle *bundle, bool are_printed)
{
	if (!bundle->held)
		return;
	bool is_whole = !fclose(bundle->held);
	const char *end = bundle->held_lines + bundle->held_size;
	bundle->held = NULL;
	for (const char *line = bundle->held_lines; is_whole && are_printed && line < end;
	     line += strlen(line) + 1)
		print_problem(bundle, line);
	free(bundle->held_lines);
}

int bundle_open_to_write(const struct bundle *bundle)
{
	int fd = input_open_own_directory(bundle->path);
	if (fd < 0)
		return fd;
	struct stat status;
	if (!fstat(fd, &status) && status.st_dev == bundle->device &&
	    status.st_ino == bundle->inode)
		return fd;
	close(fd);
	return -ESTALE;
}
