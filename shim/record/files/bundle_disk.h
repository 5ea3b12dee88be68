/*
 * bundle_disk.h - the bundle on its disk. All of it is done aside, since the disk may not answer: a
 * thread of the host waits for a bounded time, and not again for a disk that was too slow.
 *
 * What `aside` writes is read after it has returned. The functions do nothing before the start.
 */
#ifndef CULPRIT_RECORD_BUNDLE_DISK_H
#define CULPRIT_RECORD_BUNDLE_DISK_H

#include <stddef.h>

#include "base/settings.h"
#include "record/files/journal_copy.h"

/* What the journal has to do with an open directory. All are called aside. */
struct bundle_disk_files {
	int (*copy)(struct journal_copy *copy, int directory_fd); /* 0 or -errno */
	void (*unlink)(int directory_fd);
	void (*unlink_texts)(int directory_fd); /* of a bundle into which nothing was saved */
};

/* Both stay the caller's. Start-up only. */
void bundle_disk_start(const struct settings *settings, const struct bundle_disk_files *files);

/*
 * Makes the directory, with meta.json. 0, or -errno; -ETIMEDOUT: it is still being made. Waits a
 * tenth of a second at most, with core dumps a second. Once.
 */
int bundle_disk_make(void);

/* The text of the verdict, which stays valid: what is saved from now on has it. Once. */
void bundle_disk_keep_verdict(const char *text, size_t size);

/* Saves the journal. Waits a second at most, and says what went wrong. Any thread. */
void bundle_disk_save(void);

/*
 * The same, and then gives back the memory of a journal that was saved whole. Waits three seconds
 * at most. At exit only.
 */
void bundle_disk_finish(void);

/*
 * Removes the directory, into which nothing was saved, and the memory. Waits three seconds at most.
 * At exit only.
 */
void bundle_disk_remove(void);

/*
 * Makes the directory again, for a failure that follows its removal; else does nothing. Waits a
 * tenth of a second at most. By the thread that attributes the failure, once.
 */
void bundle_disk_restore(void);

#endif
