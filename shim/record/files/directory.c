/*
 * directory.c - paths, writing and removing. It knows nothing of bundles.
 */
#include "record/files/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "record/files/store.h"
#include "record/host/arena.h"

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

static bool is_private(const struct stat *status)
{
	return status->st_uid == geteuid() && (status->st_mode & 07777) == 0700;
}

/* A directory made a moment ago has no entries but . and ..; a foreign one may have more. */
static bool is_empty(int fd)
{
	char entries[1024];
	long size = syscall(SYS_getdents64, fd, entries, sizeof(entries));
	enum { DOTS_SIZE = 2 * 24 };
	return size <= DOTS_SIZE;
}

static int open_path(const char *path, struct stat *out_status)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ELOOP || errno == ENOTDIR ? -ESTALE : -errno;
	if (fstat(fd, out_status) == 0)
		return fd;
	(void)close(fd);
	return -ESTALE;
}

/* Between mkdir and open, another user may have put something else in its place. */
int directory_make(struct directory *directory)
{
	struct stat status = {0};
	if (mkdir(directory->path, 0700) < 0)
		return -errno;
	int fd = open_path(directory->path, &status);
	if (fd < 0)
		return fd;
	bool is_ours = is_private(&status) && is_empty(fd);
	(void)close(fd);
	directory->device = status.st_dev;
	directory->inode = status.st_ino;
	return is_ours ? 0 : -ESTALE;
}

static int open_made(const struct directory *directory, const char *path)
{
	struct stat status = {0};
	int fd = open_path(path, &status);
	if (fd < 0)
		return fd;
	if (status.st_dev == directory->device && status.st_ino == directory->inode &&
	    is_private(&status))
		return fd;
	(void)close(fd);
	return -ESTALE;
}

int directory_open(const struct directory *directory)
{
	const char *path = directory_path(directory);
	return path[0] ? open_made(directory, path) : -ENOENT;
}

static void unlink_all(struct directory *directory, const char *path,
		       void (*unlink_files)(int directory_fd))
{
	int n_attempts = 100;
	int fd = open_made(directory, path);
	if (fd < 0)
		return;
	do {
		unlink_files(fd);
	} while (rmdir(path) < 0 && (errno == ENOTEMPTY || errno == EEXIST) && --n_attempts > 0);
	(void)close(fd);
}

/*
 * Rename it first: a thread that knows the path of a file in it, but has not made the file, then
 * cannot make it. A thread that the kernel has stopped between the two may still add one, so
 * removal is retried. A host that may open no file leaves the directory to the next `culprit run`.
 */
void directory_remove(struct directory *directory, void (*unlink_files)(int directory_fd))
{
	char *renamed = directory->renamed;
	const char *path = directory->path;
	if (__atomic_exchange_n(&directory->is_removed, true, __ATOMIC_RELAXED) || !path[0])
		return;
	int fd = open_made(directory, path);
	if (fd < 0)
		return; /* Do not rename a foreign directory either. */
	(void)close(fd);
	if ((size_t)snprintf(renamed, sizeof(directory->renamed), "%s" BUNDLE_REMOVED_SUFFIX,
			     path) < sizeof(directory->renamed) &&
	    rename(path, renamed) == 0)
		path = renamed;
	unlink_all(directory, path, unlink_files);
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

static int open_file(int directory_fd, const char *name, int more_flags)
{
	/* Without O_TRUNC: on a full disk the old text is better than none. */
	/* O_NONBLOCK: another user may have put a pipe there, which has no reader. */
	const int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int fd = openat(directory_fd, name, flags | more_flags, 0600);
	return fd < 0 ? -errno : fd;
}

int directory_open_file(int directory_fd, const char *name)
{
	return open_file(directory_fd, name, 0);
}

static int write_file(int directory_fd, const char *name, int more_flags, const char *bytes,
		      size_t size)
{
	if (store_is_over_limit(size))
		return -EFBIG;
	int fd = open_file(directory_fd, name, more_flags);
	if (fd < 0)
		return fd;
	int error = write_all(fd, bytes, size);
	if (!error && ftruncate(fd, (off_t)size) < 0)
		error = -errno;
	(void)close(fd);
	return error;
}

int directory_write(int directory_fd, const char *name, const char *bytes, size_t size)
{
	return write_file(directory_fd, name, 0, bytes, size);
}

int directory_write_new(int directory_fd, const char *name, const char *bytes, size_t size)
{
	return write_file(directory_fd, name, O_EXCL, bytes, size);
}
