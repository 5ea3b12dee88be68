/*
 * dump_fault.h - print what the driver said of the fault.
 */
#ifndef CULPRIT_TOOLS_DUMP_FAULT_H
#define CULPRIT_TOOLS_DUMP_FAULT_H

#include <stdio.h>

#include "view/bundle_view.h"

/* Print row `id` of the table "faults", without its ID and newline. */
void dump_fault(FILE *out, const struct bundle_view *view, uint32_t id);

/* The same for the table "code-addresses". */
void dump_code_address(FILE *out, const struct bundle_view *view, uint32_t id);

#endif
