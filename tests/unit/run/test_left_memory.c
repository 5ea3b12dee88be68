/*
 * test_left_memory.c - no folder without a journal is left, whatever happens while the journal of a
 * killed process without a bundle is moved or removed.
 */
#include "run/left_memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "support/check.h"

static char name[BUNDLE_MEMORY_NAME_MAX];
static char memory[sizeof(BUNDLE_MEMORY_PARENT) + BUNDLE_MEMORY_NAME_MAX];
static char parent[] = "/tmp/unit_left_memory.XXXXXX"; /* also of what has no other home */
static char bundle[sizeof(parent) + 32];
static char home[sizeof(parent) + 32];
static bool is_late; /* the bundle is made while the memory is removed */

static void write_file(const char *folder, const char *file, const char *text)
{
	char path[512];
	(void)snprintf(path, sizeof(path), "%s/%s", folder, file);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	CHECK_EQUAL(close(fd), 0);
}

static bool exists(const char *folder, const char *file)
{
	char path[512];
	(void)snprintf(path, sizeof(path), "%s/%s", folder, file);
	return access(path, F_OK) == 0;
}

static void make_bundle(void)
{
	char link[sizeof(bundle) + 32];
	CHECK_EQUAL(mkdir(bundle, 0700), 0);
	(void)snprintf(link, sizeof(link), "%s/" BUNDLE_LIVE_NAME, bundle);
	CHECK_EQUAL(symlink(memory, link), 0);
	write_file(bundle, BUNDLE_META_NAME, "{}");
}

/* Called where the memory is removed (--wrap). */
int __real_rmdir(const char *path);
int __wrap_rmdir(const char *path);
int __wrap_rmdir(const char *path)
{
	if (is_late && !strcmp(path, memory))
		make_bundle();
	return __real_rmdir(path);
}

static void make_memory(void)
{
	char meta[512];
	(void)snprintf(meta, sizeof(meta), "{\"culprit\": \"0\", \"bundle\": \"%s\"}", bundle);
	CHECK_EQUAL(mkdir(memory, 0700), 0);
	write_file(memory, BUNDLE_META_NAME, meta);
	write_file(memory, "strings", "text");
}

/* Settle it as `culprit run` does. Returns the error of its row, 1 without a row. */
static int settle(bool is_kept)
{
	struct left_memory left = {0};
	left.sound = malloc(sizeof(*left.sound));
	CHECK(left.sound);
	left.sound[left.n_sound++] = (struct sound_journal){strdup(name), strdup(memory), is_kept};
	left_memory_settle(&left);
	int error = left.n ? left.rows[0].error : 1;
	CHECK(!left.n || left.rows[0].is_homeless);
	left_memory_end(&left, true);
	CHECK(!exists(memory, ""));
	return error;
}

static void remove_home(void)
{
	CHECK(exists(home, "strings") && exists(home, BUNDLE_META_NAME));
	char path[sizeof(home) + 32];
	(void)snprintf(path, sizeof(path), "%s/strings", home);
	CHECK_EQUAL(unlink(path), 0);
	(void)snprintf(path, sizeof(path), "%s/" BUNDLE_META_NAME, home);
	CHECK_EQUAL(unlink(path), 0);
	CHECK_EQUAL(rmdir(home), 0);
}

/* The journal is whole in its other home, or nowhere. */
static void test_home(void)
{
	make_memory();
	CHECK_EQUAL(settle(true), 0);
	remove_home();
	make_memory();
	CHECK_EQUAL(settle(false), 1);
	CHECK(!exists(home, ""));
}

/* A file that cannot be copied: there is a row, and no folder. */
static void test_copy_fails(void)
{
	make_memory();
	char path[sizeof(memory) + 32];
	(void)snprintf(path, sizeof(path), "%s/ring-0", memory);
	CHECK_EQUAL(mkfifo(path, 0600), 0);
	CHECK(settle(true) < 0);
	CHECK(!exists(home, ""));
}

/* Somebody's folder of that name is left as it is. */
static void test_name_is_taken(void)
{
	CHECK_EQUAL(mkdir(home, 0700), 0);
	make_memory();
	CHECK_EQUAL(settle(true), -EEXIST);
	CHECK_EQUAL(rmdir(home), 0);
}

/* A bundle that is made too late has no journal, and is removed. */
static void test_late_bundle(void)
{
	is_late = true;
	make_memory();
	CHECK_EQUAL(settle(true), 0);
	CHECK(!exists(bundle, ""));
	remove_home();
	make_memory();
	CHECK_EQUAL(settle(false), 1);
	CHECK(!exists(bundle, ""));
	is_late = false;
}

int main(void)
{
	(void)snprintf(name, sizeof(name), BUNDLE_MEMORY_FORMAT, 1ul, getpid(), 1ull, 1ull);
	(void)snprintf(memory, sizeof(memory), BUNDLE_MEMORY_PARENT "/%s", name);
	CHECK(mkdtemp(parent));
	(void)snprintf(home, sizeof(home), "%s/culprit-host-1", parent);
	(void)snprintf(bundle, sizeof(bundle), "%s/bundles/culprit-host-1", parent);
	char bundles[sizeof(parent) + 32];
	(void)snprintf(bundles, sizeof(bundles), "%s/bundles", parent);
	CHECK_EQUAL(mkdir(bundles, 0700), 0);
	CHECK_EQUAL(setenv("TMPDIR", parent, 1), 0);
	test_home();
	test_copy_fails();
	test_name_is_taken();
	test_late_bundle();
	CHECK_EQUAL(rmdir(bundles), 0);
	CHECK_EQUAL(rmdir(parent), 0);
	return 0;
}
