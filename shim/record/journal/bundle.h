/*
 * bundle.h - the journal of one process, and the bundle that it becomes.
 *
 * The journal is opened when the first thread starts to record. While the process lives, the
 * journal is in files of memory, which outlive the process and which `culprit` reads. If there are
 * none, it is in anonymous memory. It is copied into the bundle's directory at the failure and at
 * exit; a process without a failure leaves nothing.
 *
 * The only bundle is a static, written under a lock while it is opened. Its tables have locks of
 * their own.
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
#include "view/bundle_view.h"

/* Store the user's settings; open nothing yet. Start-up only. */
void bundle_start(const struct settings *wanted);

/* Make the directory, its tables and meta.json, once; later calls return at once. Any thread. */
void bundle_ensure(void);

/* Return one of the tables. Any thread. */
struct table *bundle_table(enum journal_file kind);

/* Open the next free ring. Later rings are shorter, so that their sum stays bounded. Any thread. */
int bundle_open_ring(struct ring *ring);

/* Open a table that few processes need. Return 0 or -errno. Once for each, by one thread. */
int bundle_open_late(enum journal_file kind);

/* Fill `out` with the live bundle for the verdict; it points into the mapped files. Any thread. */
void bundle_view_live(struct bundle_view *out);

/*
 * Keep the verdict's full text in the bundle, and publish the text that is shown to `culprit run`.
 * Return true if `culprit run` can read it. At the failure only.
 */
bool bundle_publish_verdict(const char *text, size_t size, const char *shown, size_t shown_size);

/* True if the journal is in memory that outlives the process. Any thread. */
bool bundle_is_shared(void);

/*
 * Finish a process whose bundle stays: copy the journal, and free its memory if all of it was
 * copied. Otherwise the memory stays, for `culprit run` or `culprit report`. At exit only.
 */
void bundle_finish(void);

/*
 * Finish a process whose journal `culprit run` still reads: it stays in memory. After a failure it
 * is copied into the bundle, too. At exit only.
 */
void bundle_leave(bool has_failed);

/* Remove all files; the mappings stay. At exit of a process without a failure only. */
void bundle_remove(void);

/*
 * Leave that to `culprit run`, which does it after the process has exited. At exit of a process
 * without a failure only, and only if run_slot_is_of_command().
 */
void bundle_remove_later(void);

#endif
