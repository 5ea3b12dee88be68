/*
 * coredump_fit.h - compare one submission with what faulted by a core dump. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_FIT_H
#define CULPRIT_VERDICT_COREDUMP_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "attribution/coredump_clues.h"

/*
 * True if all code that faulted belongs to kernels in the journal. The driver's own kernels do
 * copies and memsets.
 */
bool coredump_is_application(const struct bundle_view *view, const struct gpu_fault *fault);

/* Return whether this submission, in ring `slot`, can be what faulted. */
enum coredump_fit coredump_fit(const struct coredump_clues *clues, uint32_t slot,
			       const struct journal_record *record);

/* Return where on the device this submission faulted, NULL if the dump does not say. */
const struct gpu_place *coredump_place(const struct coredump_clues *clues, uint32_t slot,
				       const struct journal_record *record);

#endif
