/*
 * coredump_memory.h - copies and memsets that the driver did by a kernel of its own. Private to
 * this folder.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_MEMORY_H
#define CULPRIT_VERDICT_COREDUMP_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict/attribution/coredump_clues.h"

/* Is it as kernels of the driver's own are called? The application may have some of that name. */
bool coredump_is_drivers_name(const char *kernel);

/*
 * The driver's kernels among the grids, a bit for each, whose parameters have the addresses of a
 * copy or memset in the journal.
 */
uint32_t coredump_naming_grids(const struct bundle_view *view, const struct gpu_fault *fault);

/* Can this copy, memset or memory operation be what faulted, by its addresses? */
enum coredump_fit coredump_fit_memory(const struct coredump_clues *clues,
				      const struct journal_record *record);

#endif
