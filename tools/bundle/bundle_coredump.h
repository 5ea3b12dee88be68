/*
 * bundle_coredump.h - the GPU core dump that goes with a bundle.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_COREDUMP_H
#define CULPRIT_TOOLS_BUNDLE_COREDUMP_H

#include "bundle/bundle_contents.h"
#include "command/exit_status.h"

/* Reads the bundle's own core dump, if it has one. Part of bundle_open. */
void bundle_add_coredump(struct bundle *bundle, int directory_fd);

/*
 * Has the bundle use the core dump at `path` instead of its own. EXIT_STATUS_OK, _DAMAGED: the dump
 * is older than the bundle's process, and not used; _BAD_BUNDLE: it is none. Told in a line.
 */
enum exit_status bundle_use_coredump(struct bundle *bundle, const char *path);

#endif
