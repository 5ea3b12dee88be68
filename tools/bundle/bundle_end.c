/*
 * bundle_end.c - reads how the process ended, from meta.json and from the process's memory, which
 * exists until an orderly end.
 */
#include "bundle/bundle_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "base/time_units.h"
#include "bundle/bundle_meta.h"
#include "bundle/live_memory.h"
#include "bundle/process.h"
#include "files/input.h"
#include "hardware/hardware_json.h"

#define NEW_META_NAME BUNDLE_META_NAME ".new"

enum { VERDICT_MAX = 1 << 20, FINDING_MAX = 1 << 16 };

/* Open the process's memory: the one that the bundle names, or the bundle itself. */
static bool find_memory(const struct bundle *bundle, int directory_fd,
			char out_name[BUNDLE_MEMORY_NAME_MAX])
{
	const char *slash = strrchr(bundle->path, '/');
	const char *name = slash ? slash + 1 : bundle->path;
	if (!live_memory_name(directory_fd, out_name))
		return true;
	if (strncmp(name, BUNDLE_MEMORY_PREFIX, strlen(BUNDLE_MEMORY_PREFIX)) != 0 ||
	    strlen(name) >= BUNDLE_MEMORY_NAME_MAX)
		return false;
	snprintf(out_name, BUNDLE_MEMORY_NAME_MAX, "%s", name);
	return true;
}

static void find_end(const struct bundle *bundle, int directory_fd, struct report_end *out)
{
	const json_t *end = json_object_get(bundle->meta, "end");
	const json_t *signal = json_object_get(end, "signal");
	char name[BUNDLE_MEMORY_NAME_MAX];
	if (json_is_integer(signal)) {
		out->kind = REPORT_KILLED;
		out->number = (int)json_integer_value(signal);
	} else if (find_memory(bundle, directory_fd, name)) {
		out->kind = live_memory_is_left(name) ? REPORT_GONE : REPORT_RUNS;
	} else {
		/* An orderly end lists the files. */
		bool is_orderly = json_object_get(bundle->meta, "files") || end;
		out->kind = is_orderly ? REPORT_EXITED : REPORT_GONE;
	}
}

static bool is_promised(const struct bundle *bundle, const char *name)
{
	const json_t *files = json_object_get(bundle->meta, "files");
	size_t index = 0;
	const json_t *file = NULL;
	json_array_foreach(files, index, file)
	{
		const char *promised = json_string_value(file);
		if (promised && !strcmp(promised, name))
			return true;
	}
	return false;
}

/* The journal's file exists from the start, and is empty until a failure. */
static bool is_failure_lost(const struct bundle *bundle, int directory_fd)
{
	const char *name = journal_file_names[JOURNAL_FAILURE];
	bool is_read = bundle->view.tables[JOURNAL_FAILURE].first;
	bool is_there = !faccessat(directory_fd, name, F_OK, AT_SYMLINK_NOFOLLOW);
	return !view_failure(&bundle->view) &&
	       (bundle->told || (!is_read && (is_there || is_promised(bundle, name))));
}

void bundle_set_printed(struct bundle *bundle, char *bytes, size_t size)
{
	free(bundle->told);
	bundle->told = bytes;
	bundle->told_size = text_make_harmless(bytes, size);
}

/*
 * Read the text without the zeros that follow it in memory. Return 0 or -errno.
 */
static int read_text(int directory_fd, char **out_bytes, size_t *out_size)
{
	int result = input_read_file(directory_fd, BUNDLE_VERDICT_NAME, VERDICT_MAX, out_bytes,
				     out_size);
	if (result)
		return result;
	*out_size = strnlen(*out_bytes, *out_size);
	if (*out_size)
		return 0;
	free(*out_bytes);
	return -ENOENT;
}

/* Read from the bundle, or from the memory that it names. */
static int read_verdict(int directory_fd, char **out_bytes, size_t *out_size)
{
	int result = read_text(directory_fd, out_bytes, out_size);
	char name[BUNDLE_MEMORY_NAME_MAX];
	struct stat status;
	if (!result || live_memory_name(directory_fd, name) || fstat(directory_fd, &status))
		return result;
	int fd = live_memory_open(name, status.st_uid);
	if (fd < 0)
		return fd;
	result = read_text(fd, out_bytes, out_size);
	close(fd);
	return result;
}

static json_t *read_finding(int directory_fd)
{
	char *bytes = NULL;
	size_t size = 0;
	if (input_read_file(directory_fd, BUNDLE_FINDING_NAME, FINDING_MAX, &bytes, &size))
		return NULL;
	json_t *finding = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, NULL);
	free(bytes);
	return finding;
}

void bundle_read_end(struct bundle *bundle, int directory_fd)
{
	bundle->finding = read_finding(directory_fd);
	bundle->hardware = hardware_read(directory_fd);
	find_end(bundle, directory_fd, &bundle->end);
	char *bytes = NULL;
	size_t size = 0;
	if (!read_verdict(directory_fd, &bytes, &size))
		bundle_set_printed(bundle, bytes, size);
	bundle->end.is_failure_lost = is_failure_lost(bundle, directory_fd);
}

static bool write_meta(int directory_fd, const json_t *meta)
{
	int fd = openat(directory_fd, NEW_META_NAME,
			O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool is_written = fd >= 0 && !json_dumpfd(meta, fd, JSON_INDENT(1));
	if (fd >= 0 && close(fd))
		is_written = false;
	return is_written && !renameat(directory_fd, NEW_META_NAME, directory_fd, BUNDLE_META_NAME);
}

static json_t *end_to_json(int status)
{
	struct timespec now = {0, 0};
	clock_gettime(CLOCK_REALTIME, &now);
	char formatted[PROCESS_TIME_SIZE];
	return json_pack("{s:i, s:s}", WIFSIGNALED(status) ? "signal" : "status",
			 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), "time",
			 process_time_text((uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec,
					   formatted));
}

void bundle_write_end(int directory_fd, int status)
{
	const char *reason = NULL;
	json_t *meta = bundle_meta_read(directory_fd, &reason);
	json_t *end = end_to_json(status);
	if (!meta || json_object_set_new(meta, "end", end) || !write_meta(directory_fd, meta))
		unlinkat(directory_fd, NEW_META_NAME, 0);
	json_decref(meta);
}

void bundle_note_end(struct bundle *bundle, int status)
{
	int directory_fd = bundle_open_to_write(bundle);
	json_t *end = bundle->meta ? end_to_json(status) : NULL;
	if (directory_fd >= 0) {
		bundle_write_end(directory_fd, status);
		close(directory_fd);
	}
	if (end)
		json_object_set_new(bundle->meta, "end", end);
	bundle->end.kind = WIFSIGNALED(status) ? REPORT_KILLED : REPORT_EXITED;
	bundle->end.number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}
