/*
 * old_bundles.c - finds the finished bundles of a directory, their age and their size.
 */
#include "run/run_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bundle/bundle_meta.h"
#include "bundle/live_memory.h"
#include "run/left_memory.h"

enum { MAX_MB = 1 << 30, BYTES_PER_MB = 1000000 };

struct old_bundle {
	char *name;
	struct stat status; /* of the directory: it changed when its newest file was made */
	uint64_t bytes;
};

struct old_bundles {
	struct old_bundle *rows;
	size_t n;
};

/* True if this is our own bundle, its process has exited, and no `culprit run` waits to read it. */
static bool is_over(int fd)
{
	char name[BUNDLE_MEMORY_NAME_MAX];
	bool is_live = !live_memory_name(fd, name);
	const char *reason = NULL;
	json_t *meta = bundle_meta_read(fd, &reason);
	struct stat status;
	bool is_ours = (meta || is_live) && !fstat(fd, &status) && status.st_uid == geteuid();
	bool is_needed = is_live && (!live_memory_is_left(name) || left_memory_is_awaited(meta));
	json_decref(meta);
	return is_ours && !is_needed;
}

/* Returns the disk space that the directory's files take, in bytes. */
static uint64_t size_of(int directory_fd)
{
	int fd = openat(directory_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	uint64_t bytes = 0;
	if (!list && fd >= 0)
		close(fd);
	struct dirent *entry = NULL;
	struct stat status;
	while (list && (entry = readdir(list)))
		if (!fstatat(directory_fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) &&
		    !S_ISDIR(status.st_mode))
			bytes += (uint64_t)status.st_blocks * 512;
	if (list)
		closedir(list);
	return bytes;
}

static void add(struct old_bundles *bundles, const char *name, const struct stat *status,
		uint64_t bytes)
{
	struct old_bundle *rows =
		realloc(bundles->rows, (bundles->n + 1) * sizeof(bundles->rows[0]));
	char *copy = strdup(name);
	if (rows)
		bundles->rows = rows;
	if (!rows || !copy) {
		free(copy);
		return;
	}
	rows[bundles->n++] = (struct old_bundle){.name = copy, .status = *status, .bytes = bytes};
}

static void look_at(struct old_bundles *bundles, int parent_fd, const char *name)
{
	if (strncmp(name, BUNDLE_PREFIX, strlen(BUNDLE_PREFIX)) != 0)
		return;
	int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	struct stat status;
	if (!fstat(fd, &status) && is_over(fd))
		add(bundles, name, &status, size_of(fd));
	close(fd);
}

/* The newest first. */
static int compare_ages(const void *left, const void *right)
{
	const struct timespec *a = &((const struct old_bundle *)left)->status.st_mtim;
	const struct timespec *b = &((const struct old_bundle *)right)->status.st_mtim;
	if (a->tv_sec != b->tv_sec)
		return a->tv_sec < b->tv_sec ? 1 : -1;
	return a->tv_nsec < b->tv_nsec ? 1 : a->tv_nsec > b->tv_nsec ? -1 : 0;
}

static void remove_one(int parent_fd, const char *directory, const struct old_bundle *bundle,
		       bool is_dry, void (*tell)(const char *path))
{
	const char *name = bundle->name;
	if (!is_dry)
		left_memory_remove_bundle(parent_fd, name, &bundle->status);
	char *path = NULL;
	bool is_removed = is_dry || faccessat(parent_fd, name, F_OK, AT_SYMLINK_NOFOLLOW);
	if (!tell || !is_removed || asprintf(&path, "%s/%s", directory, name) < 0)
		return;
	tell(path);
	free(path);
}

/* A size of 0 removes even a bundle that takes no space. */
static bool exceeds(const struct old_bundles_limits *limits, const struct old_bundle *bundle,
		    uint64_t bytes)
{
	time_t age = time(NULL) - bundle->status.st_mtim.tv_sec;
	return bytes > limits->max_bytes || !limits->max_bytes ||
	       (age > 0 && (uint64_t)age > limits->max_seconds);
}

int old_bundles_remove(const char *directory, const struct old_bundles_limits *limits,
		       void (*tell)(const char *path))
{
	struct old_bundles bundles = {0};
	DIR *list = opendir(directory);
	uint64_t bytes = 0;
	if (!list)
		return -errno;
	struct dirent *entry = NULL;
	while ((entry = readdir(list)))
		look_at(&bundles, dirfd(list), entry->d_name);
	if (bundles.n)
		qsort(bundles.rows, bundles.n, sizeof(bundles.rows[0]), compare_ages);
	for (size_t index = 0; index < bundles.n; index++) {
		bytes += bundles.rows[index].bytes;
		if (exceeds(limits, &bundles.rows[index], bytes))
			remove_one(dirfd(list), directory, &bundles.rows[index], limits->is_dry,
				   tell);
		free(bundles.rows[index].name);
	}
	free(bundles.rows);
	closedir(list);
	return 0;
}

int old_bundles_read_size(const struct arguments *arguments, enum option option, uint64_t *out)
{
	unsigned megabytes = 0;
	if (options_number(arguments, option, 0, MAX_MB, &megabytes))
		return -EINVAL;
	if (arguments->values[option])
		*out = (uint64_t)megabytes * BYTES_PER_MB;
	return 0;
}
