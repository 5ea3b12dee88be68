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
	unsigned n_problems; /* each told in one line on standard error */
};

/*
 * EXIT_STATUS_OK: read whole. EXIT_STATUS_DAMAGED: some of it could not be read. Then *out_bundle
 * belongs to the caller. EXIT_STATUS_BAD_BUNDLE or _SYSTEM: there is no bundle, told in one line.
 */
enum exit_status bundle_open(const char *path, struct bundle **out_bundle);

void bundle_close(struct bundle *bundle);

/* The string of meta.json under `key`, or "". */
const char *bundle_meta_text(const struct bundle *bundle, const char *key);

/*
 * meta.json of the bundle in directory `directory_fd`: a new reference, or NULL with *out_reason
 * one phrase. Refuses links and anything but a small regular file.
 */
json_t *bundle_read_meta(int directory_fd, const char **out_reason);

#endif
