/*
 * bundle_end.h - how the process of a bundle ended, and its own report of its failure. Both are
 * known even if parts of the journal are missing.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_END_H
#define CULPRIT_TOOLS_BUNDLE_END_H

#include "bundle/bundle_contents.h"

/* Fills `end`, `told`, `finding` and `hardware` of a bundle whose files have been read. */
void bundle_read_end(struct bundle *bundle, int directory_fd);

/*
 * Sets `told` to `bytes` from malloc(), which the bundle then owns: UTF-8 that is safe for a
 * terminal.
 */
void bundle_set_told(struct bundle *bundle, char *bytes, size_t size);

/* Writes the process's wait status into meta.json. Does nothing if there is no space for it. */
void bundle_write_end(int directory_fd, int status);

/* The same for an open bundle, which is updated as well. */
void bundle_note_end(struct bundle *bundle, int status);

#endif
