/*
 * selection.c - finds bundles in folders. It looks only at their names and the times at which they
 * were created. The caller reads their contents when it opens them.
 */
#include "bundle/selection.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/settings.h"
#include "base/time_units.h"
#include "bundle/bundle_meta.h"
#include "command/message.h"
#include "files/input.h"
#include "files/read_ahead.h"

struct found {
	char *path;
	int64_t started_ns;
};

struct folder {
	struct found *rows;
	size_t n;
};

/* Returns the start time from its meta.json, or else the time when the directory was changed. */
static int64_t started_at(int bundle_fd)
{
	const char *reason = NULL;
	json_t *meta = bundle_meta_read(bundle_fd, &reason);
	int64_t started_ns = json_integer_value(json_object_get(meta, "realtime_ns"));
	json_decref(meta);
	struct stat status;
	if (started_ns <= 0 && !fstat(bundle_fd, &status))
		started_ns = (int64_t)status.st_mtim.tv_sec * NS_PER_S + status.st_mtim.tv_nsec;
	return started_ns;
}

static int compare_times(const void *left, const void *right)
{
	const struct found *a = left;
	const struct found *b = right;
	if (a->started_ns != b->started_ns)
		return a->started_ns < b->started_ns ? -1 : 1;
	return strcmp(a->path, b->path);
}

static void folder_free(struct folder *folder)
{
	for (size_t index = 0; index < folder->n; index++)
		free(folder->rows[index].path);
	free(folder->rows);
}

/* Takes ownership of `path`. */
static int add_path(struct selection *selection, char *path)
{
	char **paths = reallocarray(selection->paths, selection->n + 1, sizeof(paths[0]));
	if (paths)
		selection->paths = paths;
	if (!paths || !path) {
		free(path);
		return -ENOMEM;
	}
	paths[selection->n++] = path;
	return 0;
}

/* Collect the names in a directory that bundles may have. Return 0 or -ENOMEM. */
static int read_names(const char *path, struct selection *out)
{
	DIR *directory = opendir(path);
	int result = 0;
	struct dirent *entry = NULL;
	while (directory && !result && (entry = readdir(directory))) {
		char *name = NULL;
		if (strncmp(entry->d_name, BUNDLE_PREFIX, strlen(BUNDLE_PREFIX)) != 0)
			continue;
		if (asprintf(&name, "%s/%s", path, entry->d_name) < 0)
			name = NULL;
		result = add_path(out, name);
	}
	if (directory)
		closedir(directory);
	return result;
}

/* Collect the bundles in a directory, the oldest first; none if it cannot be read. 0 or -ENOMEM. */
static int read_folder(const char *path, struct folder *out)
{
	static const char *const files[] = {BUNDLE_META_NAME, NULL};
	struct selection names = {NULL, 0};
	int result = read_names(path, &names);
	*out = (struct folder){calloc(names.n + 1, sizeof(out->rows[0])), 0};
	result = out->rows ? result : -ENOMEM;
	struct read_ahead *ahead = result ? NULL : read_ahead_begin(names.paths, names.n, files);
	for (size_t index = 0; index < names.n && !result; index++) {
		read_ahead_reach(ahead, index);
		int fd = input_open_directory(names.paths[index]);
		if (fd < 0)
			continue;
		out->rows[out->n++] = (struct found){names.paths[index], started_at(fd)};
		names.paths[index] = NULL;
		close(fd);
	}
	read_ahead_end(ahead);
	selection_free(&names);
	if (out->n)
		qsort(out->rows, out->n, sizeof(out->rows[0]), compare_times);
	return result;
}

char *selection_default_folder(void)
{
	static struct settings settings;
	settings_read(&settings, NULL, NULL);
	return settings.dir;
}

static int add_newest(struct selection *selection)
{
	const char *directory = selection_default_folder();
	struct folder folder;
	int result = read_folder(directory, &folder);
	if (!result && !folder.n) {
		message("no bundle in '%s'", directory);
		result = -ENOENT;
	}
	if (!result)
		result = add_path(selection, strdup(folder.rows[folder.n - 1].path));
	folder_free(&folder);
	return result;
}

/* Return the target of a link, if it is a directory of ours, or else the path itself. */
static char *follow(const char *path)
{
	char *target = NULL;
	struct stat status;
	if (!lstat(path, &status) && S_ISLNK(status.st_mode) && !stat(path, &status) &&
	    S_ISDIR(status.st_mode) && status.st_uid == geteuid())
		target = realpath(path, NULL);
	return target ? target : strdup(path);
}

static bool has_meta(const char *path)
{
	char name[PATH_MAX];
	return snprintf(name, sizeof(name), "%s/" BUNDLE_META_NAME, path) < (int)sizeof(name) &&
	       !faccessat(AT_FDCWD, name, F_OK, AT_SYMLINK_NOFOLLOW);
}

static int add_operand(struct selection *selection, const char *operand)
{
	char *path = follow(operand);
	struct folder folder = {NULL, 0};
	int result = path ? 0 : -ENOMEM;
	if (path && !has_meta(path))
		result = read_folder(path, &folder);
	for (size_t index = 0; index < folder.n && !result; index++)
		result = add_path(selection, strdup(folder.rows[index].path));
	if (folder.n || result)
		free(path);
	else
		result = add_path(selection, path);
	folder_free(&folder);
	return result;
}

int selection_make(char **operands, int n_operands, struct selection *out)
{
	struct selection selection = {NULL, 0};
	int result = n_operands ? 0 : add_newest(&selection);
	for (int index = 0; index < n_operands && !result; index++) {
		bool is_latest = !strcmp(operands[index], "latest") &&
				 faccessat(AT_FDCWD, "latest", F_OK, AT_SYMLINK_NOFOLLOW);
		result = is_latest ? add_newest(&selection)
				   : add_operand(&selection, operands[index]);
	}
	if (result)
		selection_free(&selection);
	else
		*out = selection;
	return result;
}

void selection_free(struct selection *selection)
{
	for (size_t index = 0; index < selection->n; index++)
		free(selection->paths[index]);
	free(selection->paths);
}
