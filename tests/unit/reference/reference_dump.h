/*
 * reference_dump.h - rule 10 of attribution.h, for the reference: a core dump without parameters,
 * in a journal that knows no nodes of graphs.
 */
#ifndef CULPRIT_TESTS_REFERENCE_DUMP_H
#define CULPRIT_TESTS_REFERENCE_DUMP_H

#include "coredump/gpu_fault.h"
#include "reference/reference.h"

/* Fill *out, with a dump whose exceptions lead to the failure's code. One thread. */
void reference_attribute_dump(const struct bundle_view *view, const struct gpu_fault *fault,
			      struct reference_verdict *out);

#endif
