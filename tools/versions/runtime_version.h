/*
 * runtime_version.h - which CUDA runtime a file is, or has linked in. The runtime tells its version
 * by one call, which writes a constant; nothing of a foreign file is run here, so the constant is
 * sought in its code.
 */
#ifndef CULPRIT_TOOLS_RUNTIME_VERSION_H
#define CULPRIT_TOOLS_RUNTIME_VERSION_H

#include "base/journal_format.h"

/*
 * The version as cudaRuntimeGetVersion says it: 12040 is 12.4. 0: no runtime, one whose code does
 * not say, or not the file of `row` (by its build-id). Reads 64 MiB of code at most.
 */
int runtime_version_of(const char *path, const struct module_row *row);

#endif
