/*
 * bundle.c - reads the files of a bundle and hands them to the view. Decides what is a bundle; what
 * the rows mean is the view's business.
 */
#include "bundle.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "message.h"
#include "settings.h"

/* The largest ring, and more than any honest bundle takes altogether: hostile sizes stop here. */
static const uint64_t max_file_bytes =
	sizeof(struct file_header) + (uint64_t)SETTINGS_RECORDS_MAX * sizeof(struct journal_record);
static const uint64_t max_bundle_bytes = 4ull << 30;
static const uint64_t max_meta_bytes = 1 << 20;

static void add_problem(struct bundle *bundle, const char *name, const char *text)
{
	bundle->n_problems++;
	message("%s/%s: %s", bundle->path, name, text);
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
		return true; /* the view says what is wrong with it */
	memcpy(&header, bytes, sizeof(header));
	return header.magic != JOURNAL_MAGIC || header.kind == kind;
}

/*
 * Is this a ring that was just being made when the process was killed? Its magic is the last of its
 * header, and no record comes before that. (After a failure it is told of: the disk may have lost
 * what was in it.)
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

/* Takes over `bytes`. */
static void add_content(struct bundle *bundle, const char *name, enum journal_file kind,
			char *bytes, size_t size)
{
	bool is_cut = false;
	int result;

	if (kind == JOURNAL_RING && !view_failure(&bundle->view) && is_unbegun(bytes, size)) {
		free(bytes);
		return;
	}
	if (!is_kind(bytes, size, kind)) {
		add_problem(bundle, name, "holds another kind of file than its name says");
		free(bytes);
		return;
	}
	result = bundle_view_add(&bundle->view, bytes, size, &is_cut);
	if (result) {
		add_problem(bundle, name, view_error_text(result));
		free(bytes);
		return;
	}
	bundle->contents[bundle->n_contents++] = bytes;
	bundle->n_bytes += size;
	if (is_cut)
		add_problem(bundle, name, "is cut short; its whole rows are used");
}

/* A file that is not there is no problem of its own. */
static void add_file(struct bundle *bundle, int directory_fd, const char *name,
		     enum journal_file kind)
{
	uint64_t room = max_bundle_bytes - bundle->n_bytes;
	uint64_t limit = room < max_file_bytes ? room : max_file_bytes;
	char *bytes;
	size_t size;
	int result;

	if (bundle->n_contents == BUNDLE_MAX_FILES) {
		add_problem(bundle, name, "is one file too many");
		return;
	}
	result = input_read_file(directory_fd, name, limit, &bytes, &size);
	if (!result)
		add_content(bundle, name, kind, bytes, size);
	else if (result != -ENOENT)
		add_problem(bundle, name, input_error_text(result));
}

/* "ring-" and digits only: what an editor leaves behind is none. */
static bool is_ring_name(const char *name)
{
	size_t prefix = strlen(BUNDLE_RING_PREFIX);

	return !strncmp(name, BUNDLE_RING_PREFIX, prefix) && name[prefix] &&
	       !name[prefix + strspn(name + prefix, "0123456789")];
}

static void add_rings(struct bundle *bundle, int directory_fd)
{
	int fd = openat(directory_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!directory) {
		if (fd >= 0)
			close(fd);
		add_problem(bundle, ".", strerror(errno));
		return;
	}
	while ((entry = readdir(directory)))
		if (is_ring_name(entry->d_name))
			add_file(bundle, directory_fd, entry->d_name, JOURNAL_RING);
	closedir(directory);
}

static void add_files(struct bundle *bundle, int directory_fd)
{
	for (enum journal_file kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++)
		add_file(bundle, directory_fd, journal_file_names[kind], kind);
	add_rings(bundle, directory_fd);
	if (bundle->n_contents && !bundle->view.tables[JOURNAL_STRINGS].first)
		add_problem(bundle, journal_file_names[JOURNAL_STRINGS],
			    "is missing or unreadable; names are unknown");
}

json_t *bundle_read_meta(int directory_fd, const char **out_reason)
{
	char *bytes;
	size_t size;
	int result = input_read_file(directory_fd, BUNDLE_META_NAME, max_meta_bytes, &bytes, &size);
	json_t *meta;

	if (result) {
		*out_reason = result == -ENOENT ? "is missing" : input_error_text(result);
		return NULL;
	}
	meta = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, NULL);
	free(bytes);
	if (json_is_object(meta) && json_is_string(json_object_get(meta, "culprit")))
		return meta;
	*out_reason = meta ? "is not about a bundle" : "is not valid JSON";
	json_decref(meta);
	return NULL;
}

/* Is this a format that we read? Told in a line if not. */
static bool has_known_format(const struct bundle *bundle)
{
	json_t *format = json_object_get(bundle->meta, "format");

	if (json_is_integer(format) && json_integer_value(format) == BUNDLE_FORMAT)
		return true;
	message("%s: a bundle of format %lld, made by culprit %s; culprit %s reads format %d",
		bundle->path, (long long)json_integer_value(format),
		bundle_meta_text(bundle, "culprit"), CULPRIT_VERSION, BUNDLE_FORMAT);
	return false;
}

static enum exit_status read_bundle(struct bundle *bundle, int directory_fd)
{
	const char *reason = NULL;

	bundle->meta = bundle_read_meta(directory_fd, &reason);
	if (bundle->meta && !has_known_format(bundle))
		return EXIT_STATUS_BAD_BUNDLE;
	add_files(bundle, directory_fd);
	if (!bundle->n_contents && (!bundle->meta || bundle->n_problems)) {
		message("%s: not a bundle: " BUNDLE_META_NAME " %s, and no journal can be read",
			bundle->path, reason ? reason : "is there");
		return EXIT_STATUS_BAD_BUNDLE;
	}
	if (!bundle->meta)
		add_problem(bundle, BUNDLE_META_NAME, reason);
	bundle_add_coredump(bundle, directory_fd);
	return bundle->n_problems ? EXIT_STATUS_DAMAGED : EXIT_STATUS_OK;
}

static struct bundle *make_bundle(const char *path)
{
	struct bundle *bundle = calloc(1, sizeof(*bundle));

	if (bundle)
		bundle->path = strdup(path);
	if (bundle && bundle->path)
		return bundle;
	free(bundle);
	message("%s: %s", path, strerror(ENOMEM));
	return NULL;
}

enum exit_status bundle_open(const char *path, struct bundle **out_bundle)
{
	int directory_fd = input_open_directory(path);
	enum exit_status status = EXIT_STATUS_SYSTEM;
	struct bundle *bundle;

	if (directory_fd < 0) {
		message("%s: %s", path, input_error_text(directory_fd));
		return EXIT_STATUS_BAD_BUNDLE;
	}
	bundle = make_bundle(path);
	if (bundle)
		status = read_bundle(bundle, directory_fd);
	close(directory_fd);
	if (status == EXIT_STATUS_OK || status == EXIT_STATUS_DAMAGED)
		*out_bundle = bundle;
	else
		bundle_close(bundle);
	return status;
}

void bundle_close(struct bundle *bundle)
{
	if (!bundle)
		return;
	for (size_t index = 0; index < bundle->n_contents; index++)
		free(bundle->contents[index]);
	coredump_close(bundle->coredump);
	json_decref(bundle->meta);
	free(bundle->path);
	free(bundle);
}

const char *bundle_meta_text(const struct bundle *bundle, const char *key)
{
	const char *value = json_string_value(json_object_get(bundle->meta, key));

	return value ? value : "";
}
