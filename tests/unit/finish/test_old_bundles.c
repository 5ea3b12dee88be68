/*
 * test_old_bundles.c - which bundles of a directory are too old or too large, the newest first. The
 * directory is real; memory of processes and removal are as the test says.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bundle/bundle_meta.h"
#include "bundle/live_memory.h"
#include "run/left_memory.h"
#include "run/run_parts.h"
#include "support/check.h"

enum { BLOCKS = 512 };

static time_t now;
static uid_t foreign;
static bool stays; /* a bundle that is removed */

/* The letters of a bundle's name say what it is. */
static bool is_of(int fd, char letter)
{
	char link[64];
	char path[256];
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, sizeof(path) - 1);
	CHECK(n > 0);
	path[n] = '\0';
	return strchr(strrchr(path, '-'), letter) != NULL;
}

int live_memory_name(int bundle_fd, char out_name[BUNDLE_MEMORY_NAME_MAX])
{
	(void)snprintf(out_name, BUNDLE_MEMORY_NAME_MAX, "%s",
		       is_of(bundle_fd, 'r') ? "running" : "left");
	return is_of(bundle_fd, 'm') ? -ENOENT : 0; /* no memory is named */
}

bool live_memory_is_left(const char *name)
{
	return !strcmp(name, "left");
}

json_t *bundle_meta_read(int bundle_fd, const char **out_reason)
{
	*out_reason = "none";
	return is_of(bundle_fd, 'n') ? NULL : json_pack("{s:b}", "a", is_of(bundle_fd, 'a'));
}

bool left_memory_is_awaited(const json_t *meta)
{
	return json_is_true(json_object_get(meta, "a"));
}

void left_memory_remove_bundle(int parent_fd, const char *name, const struct stat *judged)
{
	struct stat status;
	CHECK(!fstatat(parent_fd, name, &status, AT_SYMLINK_NOFOLLOW));
	CHECK(status.st_ino == judged->st_ino && status.st_dev == judged->st_dev);
	trace_add("remove %s\n", name);
	if (stays)
		return;
	char inner[256];
	(void)snprintf(inner, sizeof(inner), "%s/file", name);
	(void)unlinkat(parent_fd, inner, 0);
	(void)snprintf(inner, sizeof(inner), "%s/folder", name);
	(void)unlinkat(parent_fd, inner, AT_REMOVEDIR);
	CHECK(!unlinkat(parent_fd, name, AT_REMOVEDIR));
}

int options_number(const struct arguments *arguments, enum option option, unsigned first,
		   unsigned last, unsigned *out)
{
	CHECK(arguments && option == OPTION_run_dir_size && !*out);
	trace_add("number %u to %u\n", first, last);
	if (!arguments->values[option])
		return 0;
	*out = 3;
	return *arguments->values[option] == 'x' ? -EINVAL : 0;
}

/* All is another user's while `foreign` is 1. */
uid_t __wrap_geteuid(void);

uid_t __wrap_geteuid(void)
{
	return getuid() + foreign;
}

/* The clock stands still, and each file takes the disk space that the test says. */
time_t __wrap_time(time_t *out);
int __real_fstatat(int fd, const char *name, struct stat *out, int flags);
int __wrap_fstatat(int fd, const char *name, struct stat *out, int flags);

time_t __wrap_time(time_t *out)
{
	CHECK(!out);
	return now;
}

int __wrap_fstatat(int fd, const char *name, struct stat *out, int flags)
{
	CHECK_EQUAL(flags, AT_SYMLINK_NOFOLLOW);
	if (__real_fstatat(fd, name, out, flags))
		return -1;
	out->st_blocks = 2;
	return 0;
}

static void tell(const char *path)
{
	trace_add("told %s\n", path);
}

/* Make a bundle that changed some seconds and nanoseconds after `now`. */
static void make(const char *name, bool has_file, long seconds, long nanoseconds)
{
	char inner[256];
	CHECK(!mkdir(name, 0700));
	if (has_file) {
		(void)snprintf(inner, sizeof(inner), "%s/file", name);
		int fd = open(inner, O_CREAT | O_WRONLY, 0600);
		CHECK(fd >= 0 && !close(fd));
		(void)snprintf(inner, sizeof(inner), "%s/folder", name);
		CHECK(!mkdir(inner, 0700));
	}
	const struct timespec time = {now + seconds, nanoseconds};
	CHECK(!utimensat(AT_FDCWD, name, (const struct timespec[]){time, time}, 0));
}

static void make_all(void)
{
	make(BUNDLE_PREFIX "x-1", true, -20, 0);
	make(BUNDLE_PREFIX "x-2", true, -10, 5);
	make(BUNDLE_PREFIX "x-3", true, -10, 6);
	make(BUNDLE_PREFIX "x-4", false, 10, 0);
	make(BUNDLE_PREFIX "x-5", true, -30, 0);
	make(BUNDLE_PREFIX "x-r", true, -90, 0);
	make(BUNDLE_PREFIX "x-a", true, -90, 0);
	make(BUNDLE_PREFIX "x-mn", true, -90, 0);
	make(BUNDLE_PREFIX "x-ma", true, -40, 0);
	make(BUNDLE_PREFIX "x-n", true, -50, 0);
	make("other", true, -90, 0);
	CHECK(!symlink("other", BUNDLE_PREFIX "x-link"));
	int fd = open(BUNDLE_PREFIX "x-file", O_CREAT | O_WRONLY, 0600);
	CHECK(fd >= 0 && !close(fd));
}

static void look(uint64_t max_bytes, uint64_t max_seconds, bool is_dry)
{
	const struct old_bundles_limits limits = {max_bytes, max_seconds, is_dry};
	int result = old_bundles_remove(".", &limits, tell);
	trace_add("%d\n", result);
}

static void test_limits(void)
{
	static const uint64_t ages[] = {9, 10, 19, 20, 29, 30, 39, 40, 49, 50};
	look(UINT64_MAX, UINT64_MAX, true);
	for (size_t i = 0; i < sizeof(ages) / sizeof(ages[0]); i++)
		look(UINT64_MAX, ages[i], true);
	CHECK_TRACE("0\ntold ./culprit-x-3\ntold ./culprit-x-2\ntold ./culprit-x-1\n"
		    "told ./culprit-x-5\ntold ./culprit-x-ma\ntold ./culprit-x-n\n0\n"
		    "told ./culprit-x-1\ntold ./culprit-x-5\ntold ./culprit-x-ma\n"
		    "told ./culprit-x-n\n0\ntold ./culprit-x-1\ntold ./culprit-x-5\n"
		    "told ./culprit-x-ma\ntold ./culprit-x-n\n0\ntold ./culprit-x-5\n"
		    "told ./culprit-x-ma\ntold ./culprit-x-n\n0\ntold ./culprit-x-5\n"
		    "told ./culprit-x-ma\ntold ./culprit-x-n\n0\ntold ./culprit-x-ma\n"
		    "told ./culprit-x-n\n0\ntold ./culprit-x-ma\ntold ./culprit-x-n\n0\n"
		    "told ./culprit-x-n\n0\ntold ./culprit-x-n\n0\n0\n");
	for (uint64_t blocks = 0; blocks < 14; blocks += 2) {
		look(blocks * BLOCKS, UINT64_MAX, true);
		look(blocks * BLOCKS + 1, UINT64_MAX, true);
	}
	CHECK_TRACE("told ./culprit-x-4\ntold ./culprit-x-3\ntold ./culprit-x-2\n"
		    "told ./culprit-x-1\ntold ./culprit-x-5\ntold ./culprit-x-ma\n"
		    "told ./culprit-x-n\n0\ntold ./culprit-x-3\ntold ./culprit-x-2\n"
		    "told ./culprit-x-1\ntold ./culprit-x-5\ntold ./culprit-x-ma\n"
		    "told ./culprit-x-n\n0\ntold ./culprit-x-2\ntold ./culprit-x-1\n"
		    "told ./culprit-x-5\ntold ./culprit-x-ma\ntold ./culprit-x-n\n0\n"
		    "told ./culprit-x-2\ntold ./culprit-x-1\ntold ./culprit-x-5\n"
		    "told ./culprit-x-ma\ntold ./culprit-x-n\n0\ntold ./culprit-x-1\n"
		    "told ./culprit-x-5\ntold ./culprit-x-ma\ntold ./culprit-x-n\n0\n"
		    "told ./culprit-x-1\ntold ./culprit-x-5\ntold ./culprit-x-ma\n"
		    "told ./culprit-x-n\n0\ntold ./culprit-x-5\ntold ./culprit-x-ma\n"
		    "told ./culprit-x-n\n0\ntold ./culprit-x-5\ntold ./culprit-x-ma\n"
		    "told ./culprit-x-n\n0\ntold ./culprit-x-ma\ntold ./culprit-x-n\n0\n"
		    "told ./culprit-x-ma\ntold ./culprit-x-n\n0\ntold ./culprit-x-n\n0\n"
		    "told ./culprit-x-n\n0\n0\n0\n");
}

static void test_removal(void)
{
	stays = true;
	look(UINT64_MAX, 30, false);
	stays = false;
	look(UINT64_MAX, 20, false);
	foreign = 1;
	look(0, 0, false);
	foreign = 0;
	const struct old_bundles_limits limits = {0, UINT64_MAX, false};
	CHECK_EQUAL(old_bundles_remove(".", &limits, NULL), 0);
	CHECK_EQUAL(old_bundles_remove("missing", &limits, tell), -ENOENT);
	CHECK_TRACE("remove culprit-x-ma\nremove culprit-x-n\n0\nremove culprit-x-5\n"
		    "told ./culprit-x-5\nremove culprit-x-ma\ntold ./culprit-x-ma\n"
		    "remove culprit-x-n\ntold ./culprit-x-n\n0\n0\nremove culprit-x-4\n"
		    "remove culprit-x-3\nremove culprit-x-2\nremove culprit-x-1\n");
}

static void test_size(void)
{
	struct arguments arguments = {.help = false};
	uint64_t size = 7;
	CHECK_EQUAL(old_bundles_read_size(&arguments, OPTION_run_dir_size, &size), 0);
	CHECK_EQUAL(size, 7);
	arguments.values[OPTION_run_dir_size] = "x";
	CHECK_EQUAL(old_bundles_read_size(&arguments, OPTION_run_dir_size, &size), -EINVAL);
	CHECK_EQUAL(size, 7);
	arguments.values[OPTION_run_dir_size] = "3";
	CHECK_EQUAL(old_bundles_read_size(&arguments, OPTION_run_dir_size, &size), 0);
	CHECK_EQUAL(size, 3000000);
	CHECK_TRACE("number 0 to 1073741824\nnumber 0 to 1073741824\nnumber 0 to 1073741824\n");
}

/* Return the sum of the lowest free descriptors: it grows if one stays open. */
static int sum_of_free(void)
{
	int fds[4];
	int sum = 0;
	for (int i = 0; i < 4; i++)
		sum += fds[i] = dup(STDIN_FILENO);
	for (int i = 0; i < 4; i++)
		CHECK(!close(fds[i]));
	return sum;
}

int main(void)
{
	char directory[] = "/tmp/unit_old_bundles.XXXXXX";
	static const char *const kept[] = {BUNDLE_PREFIX "x-r", BUNDLE_PREFIX "x-a",
					   BUNDLE_PREFIX "x-mn", "other"};
	CHECK(mkdtemp(directory) && !chdir(directory));
	now = 1700000000;
	make_all();
	int before = sum_of_free();
	test_limits();
	test_removal();
	test_size();
	CHECK_EQUAL(sum_of_free(), before);
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		char inner[64];
		(void)snprintf(inner, sizeof(inner), "%s/file", kept[i]);
		CHECK(!unlink(inner));
		(void)snprintf(inner, sizeof(inner), "%s/folder", kept[i]);
		CHECK(!rmdir(inner) && !rmdir(kept[i]));
	}
	CHECK(!unlink(BUNDLE_PREFIX "x-link") && !unlink(BUNDLE_PREFIX "x-file"));
	CHECK(!chdir("/") && !rmdir(directory));
	return 0;
}
