/*
 * bundle_disk.h - the bundle on its disk. All work is done aside, since the disk may not answer. A
 * thread of the host waits for a bounded time; if a wait is in vain, a second in all until the late
 * work has returned. Work wanted meanwhile is done later, even if the host exits.
 *
 * Results of work done aside are read after it has returned. Before the start, calls do nothing.
 */
#ifndef CULPRIT_RECORD_BUNDLE_DISK_H
#define CULPRIT_RECORD_BUNDLE_DISK_H

#include <stddef.h>

#include "base/settings.h"
#include "record/files/journal_copy.h"

/* The journal's work on an open directory. All are called aside. */
struct bundle_disk_files {
	int (*copy)(struct journal_copy *copy, int directory_fd); /* 0 or -errno */
	void (*unlink)(int directory_fd);
	void (*unlink_texts)(int directory_fd); /* for a bundle into which nothing was saved */
};

/* Both arguments stay the caller's. Start-up only. */
void bundle_disk_start(const struct settings *wanted, const struct bundle_disk_files *of_journal);

/*
 * Make the directory, with meta.json. Return 0 or -errno, and print why there is none; -ETIMEDOUT
 * while it is still being made. Wait at most a tenth of a second, with core dumps a second. Once.
 */
int bundle_disk_make(void);

/* Set the verdict's text, which stays valid; every later save includes it. Once. */
void bundle_disk_keep_verdict(const char *text, size_t size);

/*
 * Copy the journal into the bundle's directory, over an earlier copy. meta.json then names its
 * files, or says why copying failed. Wait at most a second, and print what went wrong: also that
 * there is no directory, if the disk said so too late for bundle_disk_make(). Any thread, after the
 * failure.
 */
void bundle_disk_save(void);

/*
 * Save the journal, and free its memory if it was saved whole. Wait at most three seconds. At exit
 * only.
 */
void bundle_disk_finish(void);

/*
 * Remove the directory, into which nothing was saved, and the memory. Wait at most three seconds,
 * and not at all for a disk that was too slow. At exit only.
 */
void bundle_disk_remove(void);

/* Others remove both later. A directory that is still being made is removed when it is there. */
void bundle_disk_remove_later(void);

/*
 * Make the directory again for a failure after its removal; otherwise do nothing. Wait at most a
 * tenth of a second. Only the thread that attributes the failure calls this, once.
 */
void bundle_disk_restore(void);

#endif
