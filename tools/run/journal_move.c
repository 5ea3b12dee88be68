/*
 * journal_move.c - copies and removes the files of a bundle, one by one, without looking at their
 * contents.
 */
#include "run/run_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/inspection.h"
#include "bundle/bundle_meta.h"
#include "bundle/live_memory.h"
#include "files/input.h"
#include "report/report_page.h"

enum { BLOCK = 4096, PIECE = 64 * BLOCK };

static bool is_journal_name(const char *name)
{
	size_t prefix = strlen(BUNDLE_RING_PREFIX);
	for (enum journal_file kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++)
		if (!strcmp(name, journal_file_names[kind]))
			return true;
	return !strncmp(name, BUNDLE_RING_PREFIX, prefix) && name[prefix] &&
	       !name[prefix + strspn(name + prefix, "0123456789")];
}

static bool is_text_name(const char *name)
{
	return !strcmp(name, BUNDLE_META_NAME) || !strcmp(name, BUNDLE_VERDICT_NAME) ||
	       !strcmp(name, BUNDLE_REPORT_TEXT_NAME) || !strcmp(name, BUNDLE_REPORT_JSON_NAME) ||
	       !strcmp(name, BUNDLE_HUNG_NAME) || !strcmp(name, BUNDLE_FINDING_NAME) ||
	       !strcmp(name, BUNDLE_HARDWARE_NAME) || !strcmp(name, BUNDLE_BLOCKS_NAME);
}

static bool is_zero(const char *bytes, size_t size)
{
	return bytes[0] == 0 && !memcmp(bytes, bytes + 1, size - 1);
}

/* 0 or -errno. */
static int write_block(int fd, const char *bytes, size_t size, off_t at)
{
	while (size) {
		ssize_t n = pwrite(fd, bytes, size, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		bytes += n;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

static int write_piece(int fd, const char *bytes, size_t size, off_t at)
{
	int result = 0;
	for (size_t done = 0; done < size && !result; done += BLOCK) {
		size_t n = size - done < BLOCK ? size - done : BLOCK;
		if (!is_zero(bytes + done, n))
			result = write_block(fd, bytes + done, n, at + (off_t)done);
	}
	return result;
}

static int copy_bytes(int from, int to)
{
	char *piece = malloc(PIECE);
	off_t at = 0;
	int result = piece ? 0 : -ENOMEM;
	while (!result) {
		ssize_t n = pread(from, piece, PIECE, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			result = n ? -errno : 0;
			break;
		}
		result = write_piece(to, piece, (size_t)n, at);
		at += n;
	}
	free(piece);
	return !result && ftruncate(to, at) ? -errno : result;
}

/* True if the file was copied before, with data that did not fit in memory. */
static bool is_better(int to_fd, const char *name, int from)
{
	struct stat here;
	struct stat there;
	return !fstatat(to_fd, name, &there, AT_SYMLINK_NOFOLLOW) && !fstat(from, &here) &&
	       there.st_size > here.st_size;
}

/* Open without waiting: the file may have been replaced by a pipe that has no reader. */
static int open_copy(int directory_fd, const char *name)
{
	return openat(directory_fd, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
		      0600);
}

/* The text ends where the rest of the file in memory is zero. It is empty without a failure. */
static int copy_verdict(int from_fd, int to_fd)
{
	size_t size = 0;
	char *bytes = NULL;
	int result = input_read_file(from_fd, BUNDLE_VERDICT_NAME, REPORT_TEXT_SIZE, &bytes, &size);
	if (result)
		return result;
	size = strnlen(bytes, size);
	struct stat there;
	if (size && (fstatat(to_fd, BUNDLE_VERDICT_NAME, &there, AT_SYMLINK_NOFOLLOW) ||
		     (size_t)there.st_size < size)) {
		int to = open_copy(to_fd, BUNDLE_VERDICT_NAME);
		result = to < 0 ? -errno : write_block(to, bytes, size, 0);
		if (to >= 0 && close(to) && !result)
			result = -errno;
	}
	free(bytes);
	return result;
}

static int copy_file(int from_fd, int to_fd, const char *name)
{
	int from = input_open_file(from_fd, name);
	if (from < 0)
		return from;
	if (strcmp(name, BUNDLE_META_NAME) != 0 && is_better(to_fd, name, from)) {
		close(from);
		return 0;
	}
	int to = open_copy(to_fd, name);
	int result = to < 0 ? -errno : copy_bytes(from, to);
	if (to >= 0 && close(to) && !result)
		result = -errno;
	close(from);
	return result;
}

/*
 * True if the process's own file is the better one. It is not if `culprit run` added how it ended.
 */
static bool is_newer_meta(int from_fd, int to_fd)
{
	const char *reason = NULL;
	json_t *here = bundle_meta_read_saved(from_fd, &reason);
	json_t *there = bundle_meta_read_saved(to_fd, &reason);
	bool is_newer = here && !json_object_get(there, "end");
	json_decref(here);
	json_decref(there);
	return is_newer;
}

/* Without `is_all`, copy no text that another program than the process may have written. */
static bool is_wanted(int from_fd, int to_fd, const char *name, bool is_all)
{
	if (is_journal_name(name) || is_all)
		return is_journal_name(name) || is_text_name(name);
	return !strcmp(name, BUNDLE_META_NAME) && is_newer_meta(from_fd, to_fd);
}

static DIR *open_list(int directory_fd)
{
	int fd = openat(directory_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	if (!list && fd >= 0)
		close(fd);
	return list;
}

int journal_copy_files(int from_fd, int to_fd, bool is_all)
{
	DIR *list = open_list(from_fd);
	int result = 0;
	if (!list)
		return -errno;
	struct dirent *entry = NULL;
	while ((entry = readdir(list))) {
		const char *name = entry->d_name;
		int error = 0;
		if (!strcmp(name, BUNDLE_VERDICT_NAME))
			error = copy_verdict(from_fd, to_fd);
		else if (is_wanted(from_fd, to_fd, name, is_all))
			error = copy_file(from_fd, to_fd, name);
		result = result ? result : error;
	}
	closedir(list);
	return result;
}

void journal_remove_files(int directory_fd)
{
	DIR *list = open_list(directory_fd);
	struct dirent *entry = NULL;
	while (list && (entry = readdir(list))) {
		const char *name = entry->d_name;
		if (is_journal_name(name) || is_text_name(name) ||
		    !strcmp(name, BUNDLE_LIVE_NAME) || !strcmp(name, BUNDLE_COREDUMP_NAME) ||
		    !strcmp(name, BUNDLE_HUNG_DUMP_NAME) || !strcmp(name, INSPECTIONS_NAME) ||
		    !strcmp(name, KERNEL_CHOICES_NAME))
			unlinkat(directory_fd, name, 0);
	}
	if (list)
		closedir(list);
}

void journal_remove_memory(const char *name)
{
	int fd = live_memory_open(name, geteuid());
	if (fd < 0)
		return;
	journal_remove_files(fd);
	close(fd);
	char path[sizeof(BUNDLE_MEMORY_PARENT) + BUNDLE_MEMORY_NAME_MAX];
	snprintf(path, sizeof(path), BUNDLE_MEMORY_PARENT "/%s", name);
	rmdir(path);
}

/* Return a descriptor of the new directory, or -errno. */
static int make_home(const char *name, char **out_path)
{
	const char *parent = getenv("TMPDIR");
	if (asprintf(out_path, "%s/%s", parent && *parent ? parent : "/tmp", name) < 0) {
		*out_path = NULL;
		return -ENOMEM;
	}
	return mkdir(*out_path, 0700) ? -errno : input_open_own_directory(*out_path);
}

int journal_copy_home(int from_fd, const char *name, char **out_path)
{
	char *path = NULL;
	int fd = make_home(name, &path);
	int error = fd < 0 ? fd : journal_copy_files(from_fd, fd, true);
	if (fd >= 0 && error) {
		journal_remove_files(fd);
		rmdir(path);
	}
	if (fd >= 0)
		close(fd);
	if (error)
		free(path);
	else
		*out_path = path;
	return error;
}
