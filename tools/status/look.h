/*
 * look.h - asks a running process how far the GPU is: by a word of its journal, which it wakes for
 * (base/journal_live.h). Nothing of it is stopped, traced or signalled.
 */
#ifndef CULPRIT_TOOLS_LOOK_H
#define CULPRIT_TOOLS_LOOK_H

#include <stddef.h>
#include <stdint.h>

#include "base/journal_format.h"
#include "bundle/bundle_contents.h"

struct look {
	uint64_t time_ns; /* CLOCK_MONOTONIC of this machine */
	struct reading_row *readings;
	size_t n;
};

/*
 * Asks the process whose journal lies in this directory of memory, and waits `timeout_ms` at most
 * for the answer. 0: *out is the caller's to free; -ENOENT: it has no thread that answers;
 * -ETIMEDOUT: it did not; or -errno of its file.
 */
int look_take(int memory_fd, unsigned timeout_ms, struct look *out);
void look_free(struct look *look);

/* CLOCK_MONOTONIC when the process was locked for a checkpoint; 0: it is not locked. */
uint64_t look_locked_ns(const struct look *look);

/* Puts the readings into the rows of the bundle, which was read before the look was taken. */
void look_apply(const struct look *look, struct bundle *bundle);

#endif
