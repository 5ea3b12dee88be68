/*
 * coredump_context.h - which context of the journal a core dump means. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_CONTEXT_H
#define CULPRIT_VERDICT_COREDUMP_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "progress/moment.h"
#include "view/bundle_view.h"

/*
 * True if a dump of the moment means this context by `handle`. A dump shows a green context's work
 * in the primary context.
 */
bool coredump_is_context(const struct bundle_view *view, const struct moment *moment,
			 const struct context_row *context, uint64_t handle);

/* True if the submission was made in that context, and it still existed then. False: not known. */
bool coredump_is_in_context(const struct bundle_view *view, const struct moment *moment,
			    const struct journal_record *record, uint64_t handle);

#endif
