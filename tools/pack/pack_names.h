/*
 * pack_names.h - what a pack's members are called, and what its pack.json says.
 *
 * pack.json: {"culprit": version that made it, "pack": PACK_FORMAT, "redacted": bool, "failure":
 * bool: the process failed, "damaged": bool: not all of the bundle could be read}
 */
#ifndef CULPRIT_TOOLS_PACK_NAMES_H
#define CULPRIT_TOOLS_PACK_NAMES_H

#define PACK_META_NAME    "pack.json"
#define PACK_TEXT_NAME    "report.txt"
#define PACK_JSON_NAME    "report.json"
#define PACK_RECORDS_NAME "records.txt"
#define PACK_SOURCE_NAME  "source.txt"

/* The bundle's own files are in this folder, where they are kept. */
#define PACK_BUNDLE_FOLDER "bundle/"

#define PACK_SUFFIX ".tar.gz"

enum { PACK_FORMAT = 1 };

#endif
