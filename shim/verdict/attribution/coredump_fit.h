/*
 * coredump_fit.h - compares one submission with what a core dump says has faulted. Private to this
 * folder.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_FIT_H
#define CULPRIT_VERDICT_COREDUMP_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict/attribution/coredump_clues.h"

/* Is all that faulted code of kernels in the journal? The driver's own do copies and memsets. */
bool coredump_is_application(const struct bundle_view *view, const struct gpu_fault *fault);

/* Can this submission, in ring `slot`, be what faulted? */
enum coredump_fit coredump_fit(const struct coredump_clues *clues, uint32_t slot,
			       const struct journal_record *record);

/* The place on the device where this submission faulted, NULL if the dump does not say. */
const struct gpu_place *coredump_place(const struct coredump_clues *clues, uint32_t slot,
				       const struct journal_record *record);

#endif
