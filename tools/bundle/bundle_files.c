/*
 * bundle_files.c - reads the journal's files and hands them to the view, which interprets the rows.
 */
#include "bundle/bundle_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/settings.h"
#include "bundle/bundle_meta.h"
#include "bundle/live_memory.h"
#include "command/patience.h"
#include "files/input.h"

/* Limits against hostile sizes: the largest ring, and more than any real bundle takes. */
static const uint64_t max_file_bytes =
	sizeof(struct file_header) + (uint64_t)SETTINGS_RECORDS_MAX * sizeof(struct journal_record);
static const uint64_t max_bundle_bytes = 4ull << 30;

void bundle_note_bad_file(struct bundle *bundle, const char *name, const char *text)
{
	char path[PATH_MAX];
	(void)snprintf(path, sizeof(path), "%s/%s", bundle->path, name);
	bundle_note_problem(bundle, path, text);
}

static const char *view_error_text(int error)
{
	switch (error) {
	case -EBADMSG:
		return "is not a journal file, or is broken";
	case -EPROTONOSUPPORT:
		return "was written by an incompatible version of culprit";
	case -ENOSPC:
		return "has a ring number out of range";
	default:
		return strerror(-error);
	}
}

static bool is_kind(const char *bytes, size_t size, enum journal_file kind)
{
	struct file_header header;
	if (size < sizeof(header))
		return true; /* the view says which part is broken */
	memcpy(&header, bytes, sizeof(header));
	return header.magic != JOURNAL_MAGIC || header.kind == kind;
}

/*
 * True if the process was killed while it was making this ring. The magic is the last part of its
 * header, and no record is written before it. (After a failure such a ring is reported: the disk
 * may have lost its data.)
 */
static bool is_unbegun(const char *bytes, size_t size)
{
	const size_t magic_end = sizeof(((struct file_header *)NULL)->magic);
	for (size_t at = 0; at < size; at++) {
		bool is_header = at >= magic_end && at < sizeof(struct file_header);
		if (bytes[at] && !is_header)
			return false;
	}
	return true;
}

/* Takes ownership of `bytes`. */
static void add_content(struct bundle *bundle, const char *name, enum journal_file kind,
			char *bytes, size_t size)
{
	bool is_cut = false;
	if (kind == JOURNAL_RING && !view_failure(&bundle->view) && is_unbegun(bytes, size)) {
		free(bytes);
		return;
	}
	if (!is_kind(bytes, size, kind)) {
		bundle_note_bad_file(bundle, name, "holds another kind of file than its name says");
		free(bytes);
		return;
	}
	int result = bundle_view_add(&bundle->view, bytes, size, &is_cut);
	if (result) {
		bundle_note_bad_file(bundle, name, view_error_text(result));
		free(bytes);
		return;
	}
	bundle->contents[bundle->n_contents++] = bytes;
	bundle->n_bytes += size;
	if (is_cut)
		bundle_note_bad_file(bundle, name, "is cut short; its whole rows are used");
}

/* The places of a journal's files: memory and bundle, each a descriptor or -1. */
struct places {
	int memory_fd;
	int directory_fd;
};

static long long size_in(int directory_fd, const char *name)
{
	struct stat status;
	return directory_fd >= 0 && !fstatat(directory_fd, name, &status, AT_SYMLINK_NOFOLLOW)
		       ? (long long)status.st_size
		       : -1;
}

/* A file in memory may lack data that did not fit there, and so may its copy on disk. */
static int better_place(const struct places *places, const char *name)
{
	bool is_in_memory = places->memory_fd >= 0 &&
			    size_in(places->memory_fd, name) >= size_in(places->directory_fd, name);
	return is_in_memory ? places->memory_fd : places->directory_fd;
}

/* A missing file is not reported by itself. */
static void add_file(struct bundle *bundle, const struct places *places, const char *name,
		     enum journal_file kind)
{
	uint64_t room = max_bundle_bytes - bundle->n_bytes;
	uint64_t limit = room < max_file_bytes ? room : max_file_bytes;
	if (bundle->n_contents == BUNDLE_MAX_FILES) {
		bundle_note_bad_file(bundle, name, "is one file too many");
		return;
	}
	patience_print("reading", name);
	char *bytes = NULL;
	size_t size = 0;
	int result = input_read_file(better_place(places, name), name, limit, &bytes, &size);
	if (!result)
		add_content(bundle, name, kind, bytes, size);
	else if (result != -ENOENT)
		bundle_note_bad_file(bundle, name, input_error_text(result));
}

/* True for "ring-" and digits only: editors may leave similar names. */
static bool is_ring_name(const char *name)
{
	size_t prefix = strlen(BUNDLE_RING_PREFIX);
	return !strncmp(name, BUNDLE_RING_PREFIX, prefix) && name[prefix] &&
	       !name[prefix + strspn(name + prefix, "0123456789")];
}

/* Add the rings of one place, except those that the other place (if given) has, too. */
static void add_rings(struct bundle *bundle, const struct places *places, int listed_fd,
		      int other_fd)
{
	int fd = openat(listed_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	if (!directory) {
		if (fd >= 0)
			close(fd);
		bundle_note_bad_file(bundle, ".", strerror(errno));
		return;
	}
	struct dirent *entry = NULL;
	while ((entry = readdir(directory)))
		if (is_ring_name(entry->d_name) && size_in(other_fd, entry->d_name) < 0)
			add_file(bundle, places, entry->d_name, JOURNAL_RING);
	closedir(directory);
}

/* Report files that meta.json promises and that are missing, and a journal that was lost. */
static void check_promised(struct bundle *bundle, int directory_fd)
{
	json_t *files = json_object_get(bundle->meta, "files");
	size_t prefix = strlen(BUNDLE_JOURNAL_LOST);
	const char *journal = bundle_meta_text(bundle->meta, "journal");
	if (!strncmp(journal, BUNDLE_JOURNAL_LOST, prefix)) {
		char text[256];
		(void)snprintf(text, sizeof(text), "journal lost: %s", journal + prefix);
		bundle_note_problem(bundle, bundle->path, text);
	}
	json_t *file = NULL;
	size_t index = 0;
	json_array_foreach(files, index, file)
	{
		const char *name = json_string_value(file);
		if (name && !strchr(name, '/') &&
		    faccessat(directory_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) && errno == ENOENT)
			bundle_note_bad_file(bundle, name, "is missing");
	}
}

static void read_journal(struct bundle *bundle, const struct places *places)
{
	for (enum journal_file kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++)
		add_file(bundle, places, journal_file_names[kind], kind);
	if (places->memory_fd >= 0)
		add_rings(bundle, places, places->memory_fd, -1);
	add_rings(bundle, places, places->directory_fd, places->memory_fd);
	if (bundle->n_contents && !bundle->view.tables[JOURNAL_STRINGS].first)
		bundle_note_bad_file(bundle, journal_file_names[JOURNAL_STRINGS],
				     "is missing or unreadable; names are unknown");
}

/* Returns how often the process has reused rows, in all tables: see journal_uses.h. */
static uint64_t count_reuses(int memory_fd)
{
	uint64_t n_reused = 0;
	for (enum journal_file kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++) {
		int fd = openat(memory_fd, journal_file_names[kind],
				O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			continue;
		struct file_header header;
		if (pread(fd, &header, sizeof(header), 0) == (ssize_t)sizeof(header))
			n_reused += header.n_reused;
		close(fd);
	}
	return n_reused;
}

static void drop_contents(struct bundle *bundle)
{
	while (bundle->n_contents)
		free(bundle->contents[--bundle->n_contents]);
	bundle->n_bytes = 0;
	memset(&bundle->view, 0, sizeof(bundle->view));
}

/* Drop the tables whose rows were reused during the read: their rows may no longer match. */
static void drop_reused_tables(struct bundle *bundle)
{
	for (enum journal_file kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++) {
		if (bundle->view.tables[kind].n_reused || kind == JOURNAL_STRINGS)
			memset(&bundle->view.tables[kind], 0, sizeof(bundle->view.tables[kind]));
	}
	bundle_note_problem(bundle, bundle->path,
			    "its process used rows again while they were read; names are left out");
}

static bool names_memory(int directory_fd, const char *name)
{
	char now[BUNDLE_MEMORY_NAME_MAX];
	return !live_memory_name(directory_fd, now) && !strcmp(now, name);
}

/*
 * Read the journal in the memory `name`. If the process still records, read it again until no row
 * was reused meanwhile. Return false, with nothing read, if it has left the memory: the process at
 * its end, or `culprit run` after it, copies the journal, then removes the link, then the memory.
 */
static bool read_memory(struct bundle *bundle, const struct places *places, const char *name)
{
	enum { ATTEMPTS = 8 };
	for (int i = 1;; i++) {
		bundle_hold_problems(bundle);
		uint64_t before = count_reuses(places->memory_fd);
		read_journal(bundle, places);
		bool is_consistent = count_reuses(places->memory_fd) == before;
		bool is_there = names_memory(places->directory_fd, name);
		bool is_last = is_consistent || !is_there || i == ATTEMPTS;
		bundle_release_problems(bundle, is_last && is_there);
		if (!is_last || !is_there)
			drop_contents(bundle);
		else if (!is_consistent)
			drop_reused_tables(bundle);
		if (is_last)
			return is_there;
	}
}

/*
 * Open the memory that holds the journal meanwhile. Return a descriptor, -ENOENT if the bundle
 * names none, or -errno.
 */
static int open_memory(struct bundle *bundle, int directory_fd,
		       char out_name[BUNDLE_MEMORY_NAME_MAX])
{
	struct stat status;
	if (live_memory_name(directory_fd, out_name) || fstat(directory_fd, &status))
		return -ENOENT;
	int fd = live_memory_open(out_name, status.st_uid);
	if (fd < 0 && faccessat(directory_fd, journal_file_names[JOURNAL_STRINGS], F_OK, 0))
		bundle_note_problem(bundle, bundle->path,
				    "journal lost: it was in memory when its process ended");
	return fd;
}

/* The one in memory does not say how the process ended. */
static void read_meta_again(struct bundle *bundle, int directory_fd)
{
	const char *reason = NULL;
	json_t *saved = bundle_meta_read_saved(directory_fd, &reason);
	if (!saved)
		return;
	json_decref(bundle->meta);
	bundle->meta = saved;
}

void bundle_read_files(struct bundle *bundle, int directory_fd)
{
	char name[BUNDLE_MEMORY_NAME_MAX];
	struct places places = {open_memory(bundle, directory_fd, name), directory_fd};
	if (places.memory_fd >= 0) {
		bool is_read = read_memory(bundle, &places, name);
		close(places.memory_fd);
		if (is_read)
			return;
		places.memory_fd = -1;
		read_meta_again(bundle, directory_fd);
	}
	read_journal(bundle, &places);
	check_promised(bundle, directory_fd);
}
