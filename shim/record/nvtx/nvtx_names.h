/*
 * nvtx_names.h - domains and strings: names that applications register with NVTX once and then use
 * by a handle. A name keeps its handle until the process exits, so a handle is still valid after
 * its domain was destroyed. If many libraries create the same domain, it is one domain.
 *
 * Concurrency: a bounded hash table without a lock. A thread claims a slot by a compare-and-swap,
 * fills it alone, and publishes it by a release store. After that only its use counts change.
 */
#ifndef CULPRIT_RECORD_NVTX_NAMES_H
#define CULPRIT_RECORD_NVTX_NAMES_H

#include <stdbool.h>

#include "record/nvtx/nvtx_text.h"

struct nvtx_name; /* its address is the handle that the application gets */

/* Make room for names. Once in a process. False if memory is short: then never ask for a name. */
bool nvtx_names_start(void);

/*
 * Return the name for a string, always the same for the same string; NULL if there is no room. Any
 * thread.
 */
const struct nvtx_name *nvtx_name_of(const char *string);
const struct nvtx_name *nvtx_name_of_wide(const wchar_t *string);

/*
 * Count a domain of that name as created or as destroyed; release() returns true for the last one.
 * nvtx_name_ends() returns how often the last one was destroyed. Ranges belong to the domain of
 * their time. Signal-safe. Any thread.
 */
void nvtx_name_use(const struct nvtx_name *name);
bool nvtx_name_release(const struct nvtx_name *name);
uint32_t nvtx_name_ends(const struct nvtx_name *name);

/* True if this is the handle of a name. The application may pass any value. */
bool nvtx_is_name(const void *handle);

const struct nvtx_text *nvtx_name_text(const struct nvtx_name *name);

/* Return the name's id in the bundle's strings, 0 for NULL. Needs the bundle. Any thread. */
uint32_t nvtx_name_string(const struct nvtx_name *name);

#endif
