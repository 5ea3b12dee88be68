/*
 * run_bundles.c - looks at every bundle of a directory, and at the journals that were moved
 * elsewhere.
 */
#include "run/left_memory.h"
#include "run/run_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/settings.h"
#include "bundle/bundle_contents.h"
#include "bundle/bundle_meta.h"
#include "bundle/live_memory.h"
#include "files/input.h"

/* True if the meta.json in the directory names this run. */
static bool is_of_run(int bundle_fd, const char *run_id)
{
	const char *reason = NULL;
	json_t *meta = bundle_meta_read(bundle_fd, &reason);
	const char *run = json_string_value(json_object_get(meta, "run"));
	bool is_ours = run && !strcmp(run, run_id);
	json_decref(meta);
	return is_ours;
}

static bool read_memory_failure_time(int bundle_fd, uint64_t *out_ns)
{
	char name[BUNDLE_MEMORY_NAME_MAX];
	int fd = live_memory_name(bundle_fd, name) ? -1 : live_memory_open(name, geteuid());
	bool has_failed = fd >= 0 && left_memory_failed(fd, out_ns);
	if (fd >= 0)
		close(fd);
	return has_failed;
}

/* A lost journal holds no failure; the process's own report is better. */
static bool has_reported(int bundle_fd, struct run_reported *told)
{
	const char *reason = NULL;
	json_t *meta = bundle_meta_read(bundle_fd, &reason);
	long pid = (long)json_integer_value(json_object_get(meta, "pid"));
	json_decref(meta);
	return run_reported_find(told, pid) != NULL;
}

/*
 * True if the bundle has a failure. A process that died before it saw its failure left only a core
 * dump; its bundle comes last.
 */
static bool has_failed(int bundle_fd, uint64_t *out_ns)
{
	*out_ns = UINT64_MAX;
	return left_memory_failed(bundle_fd, out_ns) ||
	       read_memory_failure_time(bundle_fd, out_ns) ||
	       faccessat(bundle_fd, BUNDLE_COREDUMP_NAME, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Takes ownership of `path`. */
static int add_failed(struct failed_bundles *bundles, char *path, uint64_t failed_ns, bool is_hung)
{
	struct failed_bundle *rows =
		realloc(bundles->rows, (bundles->n + 1) * sizeof(bundles->rows[0]));
	if (rows)
		bundles->rows = rows;
	if (!rows || !path) {
		free(path);
		return -ENOMEM;
	}
	rows[bundles->n++] = (struct failed_bundle){path, failed_ns, is_hung};
	return 0;
}

static bool has_memory(const char *name)
{
	int fd = live_memory_open(name, geteuid());
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/*
 * True for a bundle whose process has exited and that no setting keeps. The run has removed the
 * memory of each process that it looked at. If there is memory, the process exited after that and
 * may have unfinished work: leave its bundle to the next run.
 */
static bool is_of_no_use(int bundle_fd, const struct run_end *end)
{
	const char *reason = NULL;
	json_t *meta = bundle_meta_read(bundle_fd, &reason);
	const char *keep = bundle_meta_text(json_object_get(meta, "settings"),
					    setting_facts[SETTING_keep].environment);
	bool is_wanted = end->keeps_sound || strcmp(keep, "failure") != 0;
	json_decref(meta);
	char name[BUNDLE_MEMORY_NAME_MAX];
	return !is_wanted && !live_memory_name(bundle_fd, name) && live_memory_is_left(name) &&
	       !has_memory(name);
}

/* True if the run has stored a finding on a process without a failure. */
static bool has_finding(int bundle_fd)
{
	return !faccessat(bundle_fd, BUNDLE_FINDING_NAME, F_OK, AT_SYMLINK_NOFOLLOW);
}

static bool is_running(int bundle_fd)
{
	char name[BUNDLE_MEMORY_NAME_MAX];
	return !live_memory_name(bundle_fd, name) && !live_memory_is_left(name);
}

static char *path_in(const char *directory, const char *name)
{
	char *path = NULL;
	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

static int look_at(struct failed_bundles *bundles, int directory_fd, const struct run_end *end,
		   struct run_reported *told, const char *name)
{
	int result = 0;
	if (strncmp(name, BUNDLE_PREFIX, strlen(BUNDLE_PREFIX)) != 0)
		return 0;
	int fd = openat(directory_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return 0; /* another user's, or removed by now */
	uint64_t failed_ns = 0;
	if (!is_of_run(fd, end->run_id))
		result = 0;
	else if (has_failed(fd, &failed_ns) || has_reported(fd, told))
		result = add_failed(bundles, path_in(end->directory, name), failed_ns, false);
	else if (has_finding(fd))
		result = add_failed(bundles, path_in(end->directory, name), UINT64_MAX, true);
	else if (is_running(fd))
		bundles->has_running = true;
	close(fd);
	return result;
}

static int compare_times(const void *left, const void *right)
{
	const struct failed_bundle *a = left;
	const struct failed_bundle *b = right;
	return a->failed_ns < b->failed_ns ? -1 : a->failed_ns > b->failed_ns;
}

static int find_in_directory(const struct run_end *end, struct run_reported *told,
			     struct failed_bundles *out)
{
	DIR *directory = opendir(end->directory);
	int result = 0;
	if (!directory)
		return -errno;
	struct dirent *entry = NULL;
	while (!result && (entry = readdir(directory)))
		result = look_at(out, dirfd(directory), end, told, entry->d_name);
	closedir(directory);
	return result;
}

/* Add the failed journals that were moved to another directory. */
static int find_homeless(const struct left_memory *left, struct failed_bundles *out)
{
	int result = 0;
	for (size_t index = 0; index < left->n && !result; index++) {
		const struct left_journal *row = &left->rows[index];
		int fd = row->is_homeless ? input_open_directory(row->bundle) : -1;
		if (fd < 0)
			continue;
		uint64_t failed_ns = 0;
		if (has_failed(fd, &failed_ns))
			result = add_failed(out, strdup(row->bundle), failed_ns, false);
		close(fd);
	}
	return result;
}

static void sweep(const struct run_end *end, int directory_fd, const char *name)
{
	int fd = -1;
	if (!strncmp(name, BUNDLE_PREFIX, strlen(BUNDLE_PREFIX)))
		fd = openat(directory_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	struct stat status;
	uint64_t failed_ns = 0;
	if (!fstat(fd, &status) && is_of_run(fd, end->run_id) && !has_failed(fd, &failed_ns) &&
	    !has_finding(fd) && is_of_no_use(fd, end))
		left_memory_remove_bundle(directory_fd, name, &status);
	close(fd);
}

void run_bundles_sweep(const struct run_end *end)
{
	DIR *directory = opendir(end->directory);
	struct dirent *entry = NULL;
	while (directory && (entry = readdir(directory)))
		sweep(end, dirfd(directory), entry->d_name);
	if (directory)
		closedir(directory);
}

int run_bundles_find(const struct run_end *end, struct run_reported *told,
		     const struct left_memory *left, struct failed_bundles *out)
{
	int result = find_in_directory(end, told, out);
	int homeless_result = find_homeless(left, out);
	if (out->n)
		qsort(out->rows, out->n, sizeof(out->rows[0]), compare_times);
	return result ? result : homeless_result;
}

void run_bundles_free(struct failed_bundles *bundles)
{
	for (size_t index = 0; index < bundles->n; index++)
		free(bundles->rows[index].path);
	free(bundles->rows);
}
