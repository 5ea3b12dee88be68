/*
 * entry.h - what the exported functions share.
 *
 * Calls reach us through the linker (PLT), through dlsym and dlvsym on a handle, and through
 * cuGetProcAddress. Not seen are, but noticed at the failure (failure/bypass.h):
 *   - linked calls of a library opened with RTLD_DEEPBIND; its look-ups are seen
 *   - calls by addresses from the driver's own symbol table
 * Not seen are:
 *   - a driver in another link namespace (dlmopen), or a second copy opened by its path
 *   - linked calls of entry points newer than driver_calls.def: there is no one to count them
 *   - functions of the private tables of cuGetExportTable; none of them is known to launch
 *   - programs that are linked statically or drop LD_PRELOAD
 * Another preloaded tool belongs in front of us in LD_PRELOAD: it then sees every linked call and
 * hands it on to us. Behind us it would be passed by, since our wrappers call the driver itself.
 */
#ifndef CULPRIT_ENTRY_ENTRY_H
#define CULPRIT_ENTRY_ENTRY_H

#include "base/driver_calls.h"

/* Everything else is hidden by the compiler's option; exports.map names these once more. */
#define EXPORT __attribute__((visibility("default")))

/*
 * Our wrapper of each call, for those who ask by address. Filled by the linker with our own
 * functions even where another preloaded library defines the same name before us.
 */
extern const void *const entry_points[N_DRIVER_CALLS];

/* The wrapper for ADDRESS if an entry point of the real driver lives there, or NULL. Any thread. */
const void *entry_point_for(const void *address);

#endif
