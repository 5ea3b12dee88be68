/*
 * bundle_meta.h - meta.json of a bundle: the description of the process, with the bundle's format.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_META_H
#define CULPRIT_TOOLS_BUNDLE_META_H

#include <jansson.h>
#include <stdbool.h>

/*
 * Reads meta.json of the bundle in directory `directory_fd`. Returns a new reference, or NULL and
 * one phrase in *out_reason. While the process records, the file in its memory is read. Refuses
 * links, and all but small regular files.
 */
json_t *bundle_meta_read(int directory_fd, const char **out_reason);

/* The same, but always reads the file in the directory itself. */
json_t *bundle_meta_read_saved(int directory_fd, const char **out_reason);

/* Returns the string under `key`, or "". `meta` may be NULL. */
const char *bundle_meta_text(const json_t *meta, const char *key);

/* True if we read this format. If not, prints a line about the bundle at `path`. */
bool bundle_meta_is_readable(const json_t *meta, const char *path);

#endif
