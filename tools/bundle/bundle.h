/*
 * bundle.h - a bundle read from disk into memory. The directory is foreign input: links, pipes,
 * devices, huge and broken files are refused one by one, and what is left is used.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_H
#define CULPRIT_TOOLS_BUNDLE_H

#include "bundle/bundle_contents.h"
#include "command/exit_status.h"

/*
 * EXIT_STATUS_OK: read whole. EXIT_STATUS_DAMAGED: some of it could not be read. Then *out_bundle
 * belongs to the caller. EXIT_STATUS_BAD_BUNDLE or _SYSTEM: there is no bundle, told in one line.
 */
enum exit_status bundle_open(const char *path, struct bundle **out_bundle);

void bundle_close(struct bundle *bundle);

#endif
