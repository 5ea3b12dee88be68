/*
 * bundle_meta.h - meta.json of a bundle: the process in words, among them the bundle's format.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_META_H
#define CULPRIT_TOOLS_BUNDLE_META_H

#include <jansson.h>
#include <stdbool.h>

/*
 * meta.json of the bundle in directory `directory_fd`: a new reference, or NULL with *out_reason
 * one phrase. While the process records it is read from its memory. Refuses links and anything but
 * a small regular file.
 */
json_t *bundle_meta_read(int directory_fd, const char **out_reason);

/* The same, but always the file in the directory itself. */
json_t *bundle_meta_read_saved(int directory_fd, const char **out_reason);

/* The string under `key`, or "". `meta` may be NULL. */
const char *bundle_meta_text(const json_t *meta, const char *key);

/* Is this a format that we read? Told in a line about the bundle at `path` if not. */
bool bundle_meta_is_readable(const json_t *meta, const char *path);

#endif
