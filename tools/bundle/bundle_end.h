/*
 * bundle_end.h - how the process of a bundle ended, and what it itself said of its failure: both
 * are known where the journal lacks the rest.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_END_H
#define CULPRIT_TOOLS_BUNDLE_END_H

#include "bundle/bundle_contents.h"

/* Fills `end` and `told` of a bundle whose files are read. */
void bundle_read_end(struct bundle *bundle, int directory_fd);

/*
 * `told` becomes `bytes`, from malloc, which are the bundle's from then on: UTF-8 made harmless for
 * a terminal.
 */
void bundle_set_told(struct bundle *bundle, char *bytes, size_t size);

/*
 * Writes into meta.json with what wait status the process ended; nothing happens where there is no
 * room for it.
 */
void bundle_write_end(int directory_fd, int status);

/* The same for a bundle that was opened, which knows it from then on. */
void bundle_note_end(struct bundle *bundle, int status);

#endif
