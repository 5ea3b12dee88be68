/*
 * progress_read.h - read the journal into a struct progress.
 */
#ifndef CULPRIT_VERDICT_PROGRESS_READ_H
#define CULPRIT_VERDICT_PROGRESS_READ_H

#include "progress/progress.h"

/* Return the scratch that progress_read() needs, in bytes. */
size_t progress_read_scratch(const struct bundle_view *view, const struct moment *moment);

/*
 * Read the journal for that moment: done, submitted, open work and edges. If `with_words` is true,
 * also read the driver's counters, which must be usable. Returns 0, or -ENOMEM if the scratch is
 * not aligned to 8 or too small for the tables. Records that appeared since progress_read_scratch()
 * and do not fit count as unplaced.
 */
int progress_read(const struct bundle_view *view, const struct moment *moment, bool with_words,
		  void *scratch, size_t scratch_size, struct progress *out);

#endif
