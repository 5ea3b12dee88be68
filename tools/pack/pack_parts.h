/*
 * pack_parts.h - the members of a pack, and how they are written and printed.
 *
 * pack.json: {"culprit": version that made the pack, "pack": PACK_FORMAT, "redacted": bool,
 * "failure": bool: the process failed, "damaged": bool: parts of the bundle could not be read}
 */
#ifndef CULPRIT_TOOLS_PACK_PARTS_H
#define CULPRIT_TOOLS_PACK_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "command/exit_status.h"
#include "files/archive.h"

#define PACK_META_NAME    "pack.json"
#define PACK_TEXT_NAME    "report.txt"
#define PACK_JSON_NAME    "report.json"
#define PACK_RECORDS_NAME "records.txt"
#define PACK_SOURCE_NAME  "source.txt"

/* If secrets are kept, the bundle's files are in this folder. */
#define PACK_BUNDLE_FOLDER "bundle/"

#define PACK_SUFFIX ".tar.gz"

enum { PACK_FORMAT = 1 };

/* pack_write.c: write the members of a pack. */

struct pack_wishes {
	bool keeps_secrets;
	bool has_source;
	bool is_damaged; /* parts of the bundle could not be read */
};

/*
 * Add all members to the archive and print a line about each to `list`. Unless secrets are kept,
 * this redacts `bundle` in memory. Return 0 or -errno.
 */
int pack_write(struct bundle *bundle, const struct pack_wishes *wishes, struct archive *archive,
	       FILE *list);

/*
 * Print the lines around each location, after the name of the file. `filter` masks both, unless
 * NULL. source_excerpt.h says which files are read.
 */
void pack_sources_print(const struct analysis *analysis, const struct analysis_filter *filter,
			FILE *out);

/* pack_read.c: print the report in a pack. */

/* True if `path` is a file and therefore not a bundle. */
bool pack_is_file(const char *path);

/* The full text is followed by the source lines. */
enum pack_view { PACK_AS_SHORT_TEXT, PACK_AS_TEXT, PACK_AS_JSON };

/*
 * Print the report of the pack at `path`. Return the status that `culprit report` would have for
 * the bundle, or EXIT_STATUS_BAD_BUNDLE after a message if the file is not a pack, is damaged or is
 * malicious.
 */
enum exit_status pack_print(const char *path, enum pack_view view, FILE *out);

#endif
