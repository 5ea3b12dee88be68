/*
 * progress_read.h - reads the journal into a struct progress.
 */
#ifndef CULPRIT_VERDICT_PROGRESS_READ_H
#define CULPRIT_VERDICT_PROGRESS_READ_H

#include "verdict/progress/progress.h"

/* Scratch for progress_read, in bytes. */
size_t progress_read_scratch(const struct bundle_view *view, const struct moment *moment);

/*
 * Reads the journal for that moment: done, submitted, open work and edges; with what the driver's
 * words say of it, if they are usable and `with_words` says so. -ENOMEM: the scratch is
 * too small for the tables. Records that appeared since progress_read_scratch and find no room
 * count as unplaced.
 */
int progress_read(const struct bundle_view *view, const struct moment *moment, bool with_words,
		  void *scratch, size_t scratch_size, struct progress *out);

#endif
