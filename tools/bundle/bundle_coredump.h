/*
 * bundle_coredump.h - the GPU core dump of a bundle.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_COREDUMP_H
#define CULPRIT_TOOLS_BUNDLE_COREDUMP_H

#include "bundle/bundle_contents.h"
#include "command/exit_status.h"

/* Reads the bundle's own core dump, if it has one. Part of bundle_open. */
void bundle_add_coredump(struct bundle *bundle, int directory_fd);

/*
 * Makes the bundle use the core dump at `path` instead of its own. Returns EXIT_STATUS_OK, _DAMAGED
 * if the dump is truncated, or is older than the bundle's process and not used, or _BAD_BUNDLE if
 * it is not a dump. Prints a line about a dump that is not used.
 */
enum exit_status bundle_use_coredump(struct bundle *bundle, const char *path);

#endif
