/*
 * runtime_version.h - find the version of the CUDA runtime in a library or a program.
 *
 * The runtime reports its version by a call that writes a constant. The file is not trusted and
 * must not run, so the constant is searched for in its code.
 */
#ifndef CULPRIT_TOOLS_RUNTIME_VERSION_H
#define CULPRIT_TOOLS_RUNTIME_VERSION_H

#include "base/journal_format.h"

/*
 * Return the version as cudaRuntimeGetVersion() does: 12040 is 12.4. Return 0 if no version is
 * found, or if the file's build-id differs from that of `row`. Reads at most 64 MiB.
 */
int runtime_version_of(const char *path, const struct module_row *row);

#endif
