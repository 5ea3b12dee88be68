/*
 * memory_host.h - pointers into the program's own memory, which CUDA neither allocated nor
 * registered.
 */
#ifndef CULPRIT_VERDICT_MEMORY_HOST_H
#define CULPRIT_VERDICT_MEMORY_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "verdict/view/bundle_view.h"

/*
 * Adds what is known of an address that lies in no memory of CUDA's: that it is in memory of the
 * process which this context's device cannot access. False, and nothing is added, where it can, or
 * that is not known. Any thread.
 */
bool memory_add_host(const struct bundle_view *view, const struct context_row *context,
		     uint64_t address, struct text *out);

#endif
