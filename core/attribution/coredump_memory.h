/*
 * coredump_memory.h - copies and memsets that the driver did with a kernel of its own. Private to
 * this folder.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_MEMORY_H
#define CULPRIT_VERDICT_COREDUMP_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "attribution/coredump_clues.h"

/* True for a name of the driver's own kernels. The application may have kernels of that name. */
bool coredump_is_drivers_name(const char *kernel);

/*
 * Return the grids, a bit for each, that are kernels of the driver's and whose parameters have the
 * addresses of a copy or memset in the journal.
 */
uint32_t coredump_naming_grids(const struct bundle_view *view, const struct gpu_fault *fault);

/* Return whether this copy, memset or memory operation can be what faulted, by its addresses. */
enum coredump_fit coredump_fit_memory(const struct coredump_clues *clues,
				      const struct journal_record *record);

#endif
