/*
 * bundle.h - a bundle read from disk into memory. The directory is foreign input: links, pipes,
 * devices, huge and broken files are refused one by one, and what is left is used.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_H
#define CULPRIT_TOOLS_BUNDLE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "bundle_names.h"
#include "bundle_view.h"
#include "coredump.h"
#include "exit_status.h"

enum { BUNDLE_MAX_FILES = N_JOURNAL_FILES + VIEW_MAX_RINGS };

/* Owner of all bytes that the view points into. Invariant: sum of sizes = n_bytes. */
struct bundle {
	struct bundle_view view;
	char *path;
	json_t *meta; /* object; NULL: missing or broken */
	void *contents[BUNDLE_MAX_FILES];
	size_t n_contents;
	uint64_t n_bytes;
	struct coredump *coredump; /* NULL: none, or unfit */
	unsigned n_problems;       /* each told in one line on standard error */
};

/*
 * EXIT_STATUS_OK: read whole. EXIT_STATUS_DAMAGED: some of it could not be read. Then *out_bundle
 * belongs to the caller. EXIT_STATUS_BAD_BUNDLE or _SYSTEM: there is no bundle, told in one line.
 */
enum exit_status bundle_open(const char *path, struct bundle **out_bundle);

void bundle_close(struct bundle *bundle);

/*
 * Gives a bundle without a failure the one that its core dump tells of, and says so in a line:
 * nothing else is known of it but when the journal ends. Not if the dump tells of none, or has none
 * of the bundle's contexts. Part of the two below.
 */
void bundle_assume_failure(struct bundle *bundle);

/* Reads the bundle's own core dump, if it has one. Part of bundle_open. */
void bundle_add_coredump(struct bundle *bundle, int directory_fd);

/*
 * Has the bundle use the core dump at `path` instead of its own. EXIT_STATUS_OK, _DAMAGED: the dump
 * is older than the bundle's process, and not used; _BAD_BUNDLE: it is none. Told in a line.
 */
enum exit_status bundle_use_coredump(struct bundle *bundle, const char *path);

/* The string of meta.json under `key`, or "". */
const char *bundle_meta_text(const struct bundle *bundle, const char *key);

/*
 * meta.json of the bundle in directory `directory_fd`: a new reference, or NULL with *out_reason
 * one phrase. Refuses links and anything but a small regular file.
 */
json_t *bundle_read_meta(int directory_fd, const char **out_reason);

#endif
