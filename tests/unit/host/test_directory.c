/*
 * test_directory.c - a directory of ours counts only if it is private and empty when it is opened:
 * another user may have put something else in its place since mkdir().
 */
#include "record/files/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"

static char top[] = "/tmp/culprit-unit-XXXXXX";
static struct directory directory;
static void (*meanwhile)(const char *path); /* what another user does after mkdir() */

/* The linker replaces calls of NAME by calls of __wrap_NAME. */
int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);

int __wrap_mkdir(const char *path, mode_t mode)
{
	int result = __real_mkdir(path, mode);
	if (result == 0 && meanwhile)
		meanwhile(path);
	return result;
}

static const char *path_of(const char *folder, const char *name)
{
	static char path[PATH_MAX];
	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void add_file(const char *path)
{
	int fd = open(path_of(path, "file"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	CHECK(fd >= 0);
	(void)close(fd);
}

static void open_to_all(const char *path)
{
	CHECK_EQUAL(chmod(path, 0755), 0);
}

static void replace_by_link(const char *path)
{
	CHECK_EQUAL(rmdir(path), 0);
	CHECK_EQUAL(symlink("/tmp", path), 0);
}

static int make(const char *name, void (*other)(const char *path))
{
	directory = (struct directory){.device = 0};
	(void)snprintf(directory.path, sizeof(directory.path), "%s/%s", top, name);
	meanwhile = other;
	return directory_make(&directory);
}

int main(void)
{
	CHECK(mkdtemp(top) != NULL);
	CHECK_EQUAL(make("ours", NULL), 0);
	int fd = directory_open(&directory);
	CHECK(fd >= 0);
	(void)close(fd);
	CHECK_EQUAL(make("ours", NULL), -EEXIST);
	CHECK_EQUAL(make("full", add_file), -ESTALE);
	CHECK_EQUAL(make("open", open_to_all), -ESTALE);
	CHECK_EQUAL(make("link", replace_by_link), -ESTALE);

	(void)unlink(path_of(top, "full/file"));
	(void)unlink(path_of(top, "link"));
	(void)rmdir(path_of(top, "full"));
	(void)rmdir(path_of(top, "open"));
	(void)rmdir(path_of(top, "ours"));
	CHECK_EQUAL(rmdir(top), 0);
	return 0;
}
