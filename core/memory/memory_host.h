/*
 * memory_host.h - pointers into the program's own memory, which CUDA has neither allocated nor
 * registered.
 */
#ifndef CULPRIT_MEMORY_MEMORY_HOST_H
#define CULPRIT_MEMORY_MEMORY_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "view/bundle_view.h"

/*
 * True if the address is in host memory that CUDA has neither allocated nor registered. False if
 * that is not known: such memory is recorded only where some device cannot access it, or accesses
 * it by the process's page tables. Any thread.
 */
bool memory_is_host(const struct bundle_view *view, uint64_t address);

/*
 * Append a note about an address outside CUDA's memory: it is in host memory that this context's
 * device cannot access. False, and nothing is appended, if the device can access it or that is not
 * known. Any thread.
 */
bool memory_add_host(const struct bundle_view *view, const struct context_row *context,
		     uint64_t address, struct text *out);

/*
 * True if this context's device uses the process's page tables, and the process had not mapped the
 * address at the failure. False if that is not known. Any thread.
 */
bool memory_is_unmapped(const struct bundle_view *view, const struct context_row *context,
			uint64_t address);

/*
 * Append a note about a fault at an address outside CUDA's memory, where the device uses the
 * process's page tables: the process has mapped it or not. False, and nothing is appended, if the
 * device does not use them or that is not known. Any thread.
 */
bool memory_add_tables(const struct bundle_view *view, const struct context_row *context,
		       uint64_t address, struct text *out);

#endif
