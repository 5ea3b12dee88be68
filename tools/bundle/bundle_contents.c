/*
 * bundle_contents.c - counts the problems of a bundle, and finds its directory again.
 */
#include "bundle/bundle_contents.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/message.h"
#include "files/input.h"

void bundle_note_problem(struct bundle *bundle, const char *path, const char *text)
{
	bundle->n_problems++;
	message("%s: %s", path, text);
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
