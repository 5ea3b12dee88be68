/*
 * bundle.h - the directory of one process and its open files.
 *
 * Opened when the first thread starts to record. Where the directory or a file cannot be made the
 * same tables live in anonymous memory: the verdict can still be given, from memory, and one
 * warning says so.
 *
 * The one bundle is a static, written under a lock while it is opened; the tables in it have their
 * own locks.
 */
#ifndef CULPRIT_RECORD_BUNDLE_H
#define CULPRIT_RECORD_BUNDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "bundle_view.h"
#include "ring.h"
#include "settings.h"
#include "table.h"

/* Remembers what the user asked for; opens nothing yet. Start-up only. */
void bundle_start(const struct settings *wanted);

/* Makes the directory, its tables and meta.json, once; later calls return at once. Any thread. */
void bundle_ensure(void);

/* Writes meta.json again if there is a bundle: what it tells has changed. Any thread. */
void bundle_describe(void);

/* What bundle_start was given. Any thread. */
const struct settings *bundle_settings(void);

/* Where it is; "" when it lives in memory only. Any thread. */
const char *bundle_path(void);

/* One of the tables. Any thread. */
struct table *bundle_table(enum journal_file kind);

/* Opens the next free ring; later rings are shorter, so that all together stay bounded. Any thread.
 */
int bundle_open_ring(struct ring *ring);

/* Opens the failure table, whose file says that there was one. 0 or -errno. The failure only. */
int bundle_open_failure(void);

/* Writes a file of text (meta.json, verdict.txt) in one go. 0 or -errno. Any thread. */
int bundle_write_file(const char *name, const char *bytes, size_t size);

/* The live bundle as the verdict sees it: `out` points into the mapped files. Any thread. */
void bundle_view_live(struct bundle_view *out);

/* Removes the directory with what the shim wrote into it; the mappings stay. At exit only. */
void bundle_remove(void);

#endif
