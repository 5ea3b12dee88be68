/*
 * pack_names.h - the names of a pack's members, and the format of its pack.json.
 *
 * pack.json: {"culprit": version that made the pack, "pack": PACK_FORMAT, "redacted": bool,
 * "failure": bool: the process failed, "damaged": bool: parts of the bundle could not be read}
 */
#ifndef CULPRIT_TOOLS_PACK_NAMES_H
#define CULPRIT_TOOLS_PACK_NAMES_H

#define PACK_META_NAME    "pack.json"
#define PACK_TEXT_NAME    "report.txt"
#define PACK_JSON_NAME    "report.json"
#define PACK_RECORDS_NAME "records.txt"
#define PACK_SOURCE_NAME  "source.txt"

/* If secrets are kept, the bundle's files are in this folder. */
#define PACK_BUNDLE_FOLDER "bundle/"

#define PACK_SUFFIX ".tar.gz"

enum { PACK_FORMAT = 1 };

#endif
