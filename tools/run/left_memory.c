/*
 * left_memory.c - moves journals from memory into bundles. The memory may belong to another process
 * of the same user, but never to another user.
 */
#include "run/left_memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/run_slot_layout.h"
#include "bundle/bundle_meta.h"
#include "bundle/live_memory.h"
#include "command/message.h"
#include "command/monotonic.h"
#include "files/input.h"
#include "run/run_parts.h"
#include "view/bundle_view.h"

enum { FAILURE_FILE_MAX = 64 * 1024, DYING_SECONDS = 2 };

/* A directory in memory. */
struct memory {
	const char *name;
	int fd;
	json_t *meta;
	int bundle_fd; /* -1: its bundle is missing, or names other memory */
	bool has_failed;
	bool is_removable; /* as its process said at its end */
};

static const char *bundle_of(const struct memory *memory)
{
	return bundle_meta_text(memory->meta, "bundle");
}

static int open_bundle(const struct memory *memory)
{
	const char *path = bundle_of(memory);
	int fd = *path == '/' ? input_open_own_directory(path) : -1;
	char name[BUNDLE_MEMORY_NAME_MAX];
	if (fd >= 0 && !live_memory_name(fd, name) && !strcmp(name, memory->name))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool left_memory_failed(int directory_fd, uint64_t *out_ns)
{
	const struct failure_row *failure = NULL;
	size_t size = 0;
	char *bytes = NULL;
	if (input_read_file(directory_fd, journal_file_names[JOURNAL_FAILURE], FAILURE_FILE_MAX,
			    &bytes, &size))
		return false;
	struct bundle_view *view = calloc(1, sizeof(*view));
	if (view && !bundle_view_add(view, bytes, size, NULL))
		failure = view_failure(view);
	if (failure)
		*out_ns = failure->time_ns;
	free(view);
	free(bytes);
	return failure != NULL;
}

/* The file is made before there is a verdict, and is zero until then. */
static bool has_verdict(int fd)
{
	int file = input_open_file(fd, BUNDLE_VERDICT_NAME);
	char first = '\0';
	bool has_text = file >= 0 && pread(file, &first, 1, 0) == 1 && first;
	if (file >= 0)
		close(file);
	return has_text;
}

/* True if there is a failure, a verdict or a core dump. Some may be missing for lack of space. */
static bool tells_of_failure(int fd)
{
	uint64_t time_ns = 0;
	return fd >= 0 && (left_memory_failed(fd, &time_ns) || has_verdict(fd) ||
			   !faccessat(fd, BUNDLE_COREDUMP_NAME, F_OK, AT_SYMLINK_NOFOLLOW));
}

static bool is_marked_removable(int fd)
{
	struct file_header header;
	int file = input_open_file(fd, journal_file_names[JOURNAL_FAILURE]);
	bool is_marked = file >= 0 && pread(file, &header, sizeof(header), 0) == sizeof(header) &&
			 header.magic == JOURNAL_MAGIC &&
			 header.compatible_flags & JOURNAL_REMOVABLE;
	if (file >= 0)
		close(file);
	return is_marked;
}

static int open_memory(const char *name, struct memory *out)
{
	out->name = name;
	out->fd = live_memory_open(name, geteuid());
	if (out->fd < 0)
		return out->fd;
	const char *reason = NULL;
	out->meta = bundle_meta_read(out->fd, &reason);
	out->bundle_fd = open_bundle(out);
	out->has_failed = tells_of_failure(out->fd) || tells_of_failure(out->bundle_fd);
	out->is_removable = !out->has_failed && is_marked_removable(out->fd);
	return 0;
}

static void close_memory(struct memory *memory)
{
	close(memory->fd);
	if (memory->bundle_fd >= 0)
		close(memory->bundle_fd);
	json_decref(memory->meta);
}

void left_memory_remove_bundle(int parent_fd, const char *name, const struct stat *judged)
{
	int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;
	bool is_same = fd >= 0 && !fstat(fd, &status) && status.st_dev == judged->st_dev &&
		       status.st_ino == judged->st_ino && input_is_own_directory(fd);
	if (is_same)
		journal_remove_files(fd);
	if (fd >= 0)
		close(fd);
	if (is_same)
		unlinkat(parent_fd, name, AT_REMOVEDIR);
}

static bool is_of_run(const struct memory *memory, const struct left_run *run)
{
	return run && !strcmp(bundle_meta_text(memory->meta, "run"), run->id);
}

/* The name of the run contains the process ID of the `culprit run`. */
bool left_memory_is_awaited(const json_t *meta)
{
	long pid = run_slot_runner(bundle_meta_text(meta, "run"));
	return pid > 0 && pid <= INT_MAX && (!kill((pid_t)pid, 0) || errno == EPERM);
}

static bool keeps_all(const struct memory *memory)
{
	json_t *settings = json_object_get(memory->meta, "settings");
	return !strcmp(bundle_meta_text(settings, "CULPRIT_KEEP"), "always");
}

static void add_left(struct left_memory *left, const struct memory *memory, char *bundle, int error,
		     bool is_homeless)
{
	struct left_journal *rows = realloc(left->rows, (left->n + 1) * sizeof(left->rows[0]));
	char *name = strdup(memory->name);
	if (rows)
		left->rows = rows;
	if (!rows || !name || !bundle) {
		free(name);
		free(bundle);
		return;
	}
	rows[left->n++] = (struct left_journal){name, bundle, error, is_homeless};
}

/* The path may lead to another directory by now, so compare it with the one that was read. */
static void remove_bundle_of(const struct memory *memory)
{
	char parent[PATH_MAX];
	struct stat judged;
	const char *path = bundle_of(memory);
	const char *slash = strrchr(path, '/');
	if (!slash || slash == path || (size_t)(slash - path) >= sizeof(parent) ||
	    fstat(memory->bundle_fd, &judged))
		return;
	memcpy(parent, path, (size_t)(slash - path));
	parent[slash - path] = '\0';
	int parent_fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (parent_fd < 0)
		return;
	left_memory_remove_bundle(parent_fd, slash + 1, &judged);
	close(parent_fd);
}

/*
 * Remove the memory of a process whose bundle did not exist. If it was killed, the process that
 * works aside for it may make the bundle only now, without a journal. If the memory no longer
 * exists after that, it removes the bundle. Otherwise the bundle already exists here.
 */
static void remove_unbundled(struct memory *memory)
{
	journal_remove_memory(memory->name);
	memory->bundle_fd = open_bundle(memory);
	if (memory->bundle_fd >= 0 &&
	    faccessat(memory->bundle_fd, journal_file_names[JOURNAL_STRINGS], F_OK,
		      AT_SYMLINK_NOFOLLOW))
		remove_bundle_of(memory);
}

/* Moves the journal to TMPDIR: its bundle could not be made, or was removed. */
static void find_home(struct memory *memory, struct left_memory *left)
{
	char *path = NULL;
	const char *name = strrchr(bundle_of(memory), '/');
	int error = journal_copy_home(memory->fd, name ? name + 1 : memory->name, &path);
	if (error) {
		if (asprintf(&path, BUNDLE_MEMORY_PARENT "/%s", memory->name) < 0)
			path = NULL;
	} else {
		remove_unbundled(memory);
	}
	add_left(left, memory, path, error, true);
}

static void move(const struct memory *memory, bool is_ours, struct left_memory *left)
{
	int error = journal_copy_files(memory->fd, memory->bundle_fd, false);
	if (error && is_ours)
		add_left(left, memory, strdup(bundle_of(memory)), error, false);
	if (error)
		return;
	unlinkat(memory->bundle_fd, BUNDLE_LIVE_NAME, 0);
	journal_remove_memory(memory->name);
}

static void remove_sound(struct memory *memory)
{
	if (memory->bundle_fd < 0) {
		remove_unbundled(memory);
		return;
	}
	remove_bundle_of(memory);
	journal_remove_memory(memory->name);
}

static void add_sound(struct left_memory *left, const struct memory *memory, bool is_kept)
{
	struct sound_journal *rows =
		realloc(left->sound, (left->n_sound + 1) * sizeof(left->sound[0]));
	char *name = strdup(memory->name);
	char *path = memory->bundle_fd >= 0 ? strdup(bundle_of(memory)) : NULL;
	if (memory->bundle_fd < 0 && asprintf(&path, BUNDLE_MEMORY_PARENT "/%s", memory->name) < 0)
		path = NULL;
	if (rows)
		left->sound = rows;
	if (!rows || !name || !path) {
		free(name);
		free(path);
		return;
	}
	rows[left->n_sound++] = (struct sound_journal){name, path, is_kept};
}

/* True if the directory is the bundle that this memory was saved into. */
static bool is_saved_in(const struct memory *memory, int bundle_fd)
{
	const char *reason = NULL;
	json_t *saved = bundle_meta_read_saved(bundle_fd, &reason);
	bool is_same = json_equal(json_object_get(saved, "realtime_ns"),
				  json_object_get(memory->meta, "realtime_ns"));
	json_decref(saved);
	return is_same;
}

/*
 * A missing bundle was usually deleted by its user. It was not if its disk has not answered yet, or
 * if another file has its name: then the memory is the only copy.
 */
static bool is_only_copy(const struct memory *memory)
{
	if (!memory->has_failed)
		return false;
	if (json_is_false(json_object_get(memory->meta, "bundle_made")))
		return true;
	int fd = input_open_own_directory(bundle_of(memory));
	if (fd < 0)
		return fd == -ELOOP || fd == -EPERM || fd == -ENOTDIR;
	bool is_saved = is_saved_in(memory, fd);
	close(fd);
	return !is_saved;
}

static void place(struct memory *memory, bool is_ours, struct left_memory *left)
{
	if (memory->bundle_fd >= 0)
		move(memory, is_ours, left);
	else if (is_ours)
		find_home(memory, left);
	else if (!is_only_copy(memory))
		remove_unbundled(memory);
}

/* A process that reported its end was sound, even if it crashed after that. */
static bool has_reported_end(const struct memory *memory, const struct left_run *run)
{
	json_int_t pid = json_integer_value(json_object_get(memory->meta, "pid"));
	return run_reported_process(run->told, (long)pid);
}

static bool is_wanted(const struct memory *memory, const struct left_run *run)
{
	return keeps_all(memory) || (run->keeps_sound && !has_reported_end(memory, run));
}

static void collect(struct memory *memory, const struct left_run *run, struct left_memory *left)
{
	bool is_ours = is_of_run(memory, run);
	if (!is_ours && left_memory_is_awaited(memory->meta))
		return; /* another `culprit run` is about to do this */
	if (is_ours && !memory->has_failed)
		add_sound(left, memory, is_wanted(memory, run));
	else if (memory->is_removable)
		remove_sound(memory);
	else
		place(memory, is_ours, left);
}

void left_memory_settle(struct left_memory *left)
{
	for (size_t index = 0; index < left->n_sound; index++) {
		struct sound_journal *row = &left->sound[index];
		struct memory memory;
		if (!open_memory(row->name, &memory)) {
			if (row->is_kept)
				place(&memory, true, left);
			else
				remove_sound(&memory);
			close_memory(&memory);
		}
		free(row->name);
		free(row->path);
	}
	free(left->sound);
	left->sound = NULL;
	left->n_sound = 0;
}

static bool is_memory_of_run(const char *name, const struct left_run *run)
{
	int fd = live_memory_open(name, geteuid());
	if (fd < 0)
		return false;
	const char *reason = NULL;
	json_t *meta = bundle_meta_read(fd, &reason);
	bool is_ours = !strcmp(bundle_meta_text(meta, "run"), run->id);
	json_decref(meta);
	close(fd);
	return is_ours;
}

static void look_at(const char *name, const struct left_run *run, uint64_t until_ns,
		    struct left_memory *left)
{
	struct memory memory;
	if (strncmp(name, BUNDLE_MEMORY_PREFIX, strlen(BUNDLE_MEMORY_PREFIX)) != 0 ||
	    (run && !is_memory_of_run(name, run)) || !live_memory_await_left(name, until_ns) ||
	    open_memory(name, &memory))
		return;
	collect(&memory, run, left);
	close_memory(&memory);
}

void left_memory_collect(const struct left_run *run, struct left_memory *out_left)
{
	DIR *list = opendir(BUNDLE_MEMORY_PARENT);
	/* Children that were killed with the command may exit after it. */
	uint64_t until_ns = run ? monotonic_ns() + DYING_SECONDS * (uint64_t)NS_PER_S : 0;
	*out_left = (struct left_memory){0};
	struct dirent *entry = NULL;
	while (list && (entry = readdir(list)))
		look_at(entry->d_name, run, until_ns, out_left);
	if (list)
		closedir(list);
}

void left_memory_end(struct left_memory *left, bool is_quiet)
{
	for (size_t index = 0; index < left->n; index++) {
		struct left_journal *row = &left->rows[index];
		if (row->error && !is_quiet)
			message("%s: journal lost: %s", row->bundle, strerror(-row->error));
		if (row->error)
			journal_remove_memory(row->name);
		free(row->name);
		free(row->bundle);
	}
	free(left->rows);
	*left = (struct left_memory){0};
}
