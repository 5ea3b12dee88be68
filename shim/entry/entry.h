/*
 * entry.h - declarations that the exported functions share.
 *
 * Calls reach us through the linker (PLT), through dlsym and dlvsym on a handle, and through
 * cuGetProcAddress. Some calls are missed, but noticed at the failure (failure/bypass.h):
 *   - linked calls of a library opened with RTLD_DEEPBIND; its look-ups are seen
 *   - calls by addresses from the driver's own symbol table
 * Others are missed without a notice:
 *   - a driver in another link namespace (dlmopen), or a second copy opened by its path
 *   - linked calls of entry points newer than driver_calls.def, which have no wrapper
 *   - functions of the private tables of cuGetExportTable; none of them is known to launch
 *   - programs that are linked statically or drop LD_PRELOAD
 * Another preloaded tool belongs before us in LD_PRELOAD: it then sees every linked call and passes
 * it on to us. After us it would see none, since our wrappers call the driver itself.
 */
#ifndef CULPRIT_ENTRY_ENTRY_H
#define CULPRIT_ENTRY_ENTRY_H

#include "base/driver_calls.h"

/* The compiler hides all other functions; exports.map lists these once more. */
#define EXPORT __attribute__((visibility("default")))

/*
 * Our wrapper of each call, for look-ups by address. The linker fills in our own functions, even if
 * another preloaded library defines the same name before us.
 */
extern const void *const entry_points[N_DRIVER_CALLS];

/* Return the wrapper for the real driver's entry point at ADDRESS, or NULL. Any thread. */
const void *entry_point_for(const void *address);

#endif
