/*
 * snapshot.h - take a snapshot of a running process's GPU progress. A word in the process's journal
 * (base/journal_live.h) wakes a thread of the shim, which copies the progress there. The process
 * is not stopped, traced or signalled.
 */
#ifndef CULPRIT_TOOLS_SNAPSHOT_H
#define CULPRIT_TOOLS_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

#include "base/journal_format.h"
#include "bundle/bundle_contents.h"

struct snapshot {
	uint64_t time_ns; /* CLOCK_MONOTONIC when the snapshot was taken */
	struct reading_row *readings;
	size_t n;
};

/*
 * Take a snapshot of the process whose journal is in the directory `memory_fd`, waiting at most
 * `timeout_ms` for the process to answer. Return 0, and the caller releases *out with
 * snapshot_free(); -ENOENT if the process has no thread that answers or no valid file for it;
 * -ETIMEDOUT if it did not answer in time; or -errno of opening or mapping the file.
 */
int snapshot_take(int memory_fd, unsigned timeout_ms, struct snapshot *out);
void snapshot_free(struct snapshot *snapshot);

/* Return when the process was locked for a checkpoint (CLOCK_MONOTONIC); 0 if it is not locked. */
uint64_t snapshot_locked_ns(const struct snapshot *snapshot);

#endif
