/*
 * nvtx_names.h - the names that applications register with NVTX once and then use by a handle:
 * domains and strings. A name keeps its handle until the process ends, so a handle that is used
 * after its domain was destroyed still means something, and the same domain created by each of
 * many libraries is one domain.
 *
 * Concurrency: a bounded hash table without a lock. A slot is claimed by a compare-and-swap, filled
 * by the claimer alone, and published by a release store; then only its counts of users change.
 */
#ifndef CULPRIT_RECORD_NVTX_NAMES_H
#define CULPRIT_RECORD_NVTX_NAMES_H

#include <stdbool.h>

#include "record/nvtx/nvtx_text.h"

struct nvtx_name; /* its address is the handle that the application gets */

/* Makes room for names. Once in a process. False: no memory, then nobody is to ask for any. */
bool nvtx_names_start(void);

/*
 * The name for a string, the same each time for the same string; NULL when there is no room. Any
 * thread.
 */
const struct nvtx_name *nvtx_name_of(const char *string);
const struct nvtx_name *nvtx_name_of_wide(const wchar_t *string);

/*
 * A domain of that name is made, and one is destroyed; true: it was the last. Ranges belong to the
 * domain of their time: nvtx_name_ends() is how often its last one was destroyed. Signal-safe. Any
 * thread.
 */
void nvtx_name_use(const struct nvtx_name *name);
bool nvtx_name_release(const struct nvtx_name *name);
uint32_t nvtx_name_ends(const struct nvtx_name *name);

/* Is this the handle of a name? It comes from the application, which may give anything. */
bool nvtx_is_name(const void *handle);

const struct nvtx_text *nvtx_name_text(const struct nvtx_name *name);

/* The name's id in the bundle's strings, 0 for none. Needs the bundle. Any thread. */
uint32_t nvtx_name_string(const struct nvtx_name *name);

#endif
