/*
 * bundle.h - a bundle read from disk into memory. The directory is untrusted input: links, pipes,
 * devices, huge and broken files are refused one by one, and the other files are used.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_H
#define CULPRIT_TOOLS_BUNDLE_H

#include "bundle/bundle_contents.h"
#include "command/exit_status.h"

/*
 * EXIT_STATUS_OK: read whole. EXIT_STATUS_DAMAGED: some of it could not be read. In both cases the
 * caller owns *out_bundle. EXIT_STATUS_BAD_BUNDLE or _SYSTEM: there is no bundle, after one line on
 * standard error.
 */
enum exit_status bundle_open(const char *path, struct bundle **out_bundle);

void bundle_close(struct bundle *bundle);

#endif
