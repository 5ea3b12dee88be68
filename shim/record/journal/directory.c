/*
 * directory.c - paths, writing and removing. Knows nothing of bundles.
 */
#include "record/journal/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "record/host/arena.h"
#include "record/journal/store.h"

const char *directory_path(const struct directory *directory)
{
	return __atomic_load_n(&directory->is_removed, __ATOMIC_RELAXED) ? "" : directory->path;
}

const char *directory_file(const struct directory *directory, const char *name)
{
	const char *top = directory_path(directory);
	size_t size = strlen(top) + strlen("/") + strlen(name) + 1;
	char *path = top[0] ? arena_alloc_aside(size) : NULL;
	if (path)
		(void)snprintf(path, size, "%s/%s", top, name);
	return path;
}

void directory_unlink(const char *path, const char *name)
{
	char file[PATH_MAX];
	if ((size_t)snprintf(file, sizeof(file), "%s/%s", path, name) < sizeof(file))
		(void)unlink(file);
}

/*
 * Renamed first: a thread that has the path of a file in it, but has not made the file, then
 * cannot. What is left to chance is a thread that the kernel has stopped between the two, so it
 * tries again.
 */
void directory_remove(struct directory *directory, void (*unlink_files)(const char *path))
{
	char *renamed = directory->renamed;
	const char *path = directory->path;
	int n_attempts = 100;
	if (__atomic_exchange_n(&directory->is_removed, true, __ATOMIC_RELAXED) || !path[0])
		return;
	if ((size_t)snprintf(renamed, sizeof(directory->renamed), "%s" BUNDLE_REMOVED_SUFFIX,
			     path) < sizeof(directory->renamed) &&
	    rename(path, renamed) == 0)
		path = renamed;
	do {
		unlink_files(path);
	} while (rmdir(path) < 0 && errno == ENOTEMPTY && --n_attempts > 0);
}

static int write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, bytes, size);
		if (n > 0) {
			bytes += n;
			size -= (size_t)n;
		} else if (n == 0 || errno != EINTR) {
			return n == 0 ? -EIO : -errno;
		}
	}
	return 0;
}

int directory_write(const struct directory *directory, const char *name, const char *bytes,
		    size_t size)
{
	const char *path = directory_file(directory, name);
	if (!path)
		return -ENOENT;
	if (store_is_over_limit(size))
		return -EFBIG;
	/* Not O_TRUNC: on a full disk the old text is better than none. */
	/* Not waiting, whatever somebody has put there: a pipe has no reader. */
	int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	int error = write_all(fd, bytes, size);
	if (!error && ftruncate(fd, (off_t)size) < 0)
		error = -errno;
	(void)close(fd);
	return error;
}
