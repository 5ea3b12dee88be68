/*
 * bundle.h - the journal of one process, and the directory that it becomes.
 *
 * Opened when the first thread starts to record. While the process lives the journal lies in
 * memory: in files of memory, which outlive the process and which `culprit` reads, or where there
 * are none in anonymous memory. It is copied into the directory of the bundle at the failure and at
 * the end; a process without a failure leaves nothing.
 *
 * The one bundle is a static, written under a lock while it is opened; the tables in it have their
 * own locks.
 */
#ifndef CULPRIT_RECORD_BUNDLE_H
#define CULPRIT_RECORD_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/settings.h"
#include "record/files/bundle_directory.h"
#include "record/journal/ring.h"
#include "record/journal/table.h"
#include "verdict/view/bundle_view.h"

/* Remembers what the user asked for; opens nothing yet. Start-up only. */
void bundle_start(const struct settings *wanted);

/* Makes the directory, its tables and meta.json, once; later calls return at once. Any thread. */
void bundle_ensure(void);

/* One of the tables. Any thread. */
struct table *bundle_table(enum journal_file kind);

/* Opens the next free ring; later rings are shorter, so that all together stay bounded. Any thread.
 */
int bundle_open_ring(struct ring *ring);

/* Opens a table that few processes need. 0 or -errno. Once for each, by one thread. */
int bundle_open_late(enum journal_file kind);

/* The live bundle as the verdict sees it: `out` points into the mapped files. Any thread. */
void bundle_view_live(struct bundle_view *out);

/*
 * Keeps the text of the verdict in the bundle, and tells it to `culprit run`. Does that have it
 * now? The failure only.
 */
bool bundle_tell_verdict(const char *text, size_t size);

/*
 * Copies the journal into the directory of the bundle, over what an earlier copy left there, and
 * says in meta.json which files there are, or why not. Not for longer than seconds; where another
 * thread is just copying, it returns at once. Any thread, after the failure.
 */
void bundle_save(void);

/*
 * Tell `culprit run` that a process which recorded ends. What is submitted later is not counted.
 * False if nobody is told. At exit only.
 */
bool bundle_tell_end(uint64_t n_submissions);

/* True if the journal is in memory that outlives the process. Any thread. */
bool bundle_is_shared(void);

/*
 * The end of a process whose bundle stays: copies the journal, and gives its memory back where all
 * of it was copied. Else the memory stays, for `culprit run` or `culprit report`. At exit only.
 */
void bundle_finish(void);

/*
 * The end of a process whose journal `culprit run` still reads: it stays in memory; of one that has
 * failed it is in the bundle too. At exit only.
 */
void bundle_leave(bool has_failed);

/* Removes all that was written; the mappings stay. At exit of a process without a failure only. */
void bundle_remove(void);

/*
 * Makes a directory again for a failure that follows bundle_remove(); else does nothing. By the
 * thread that attributes the failure, once.
 */
void bundle_restore(void);

#endif
