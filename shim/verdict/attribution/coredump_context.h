/*
 * coredump_context.h - which of the journal's contexts a core dump speaks of. Private to this
 * folder.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_CONTEXT_H
#define CULPRIT_VERDICT_COREDUMP_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict/progress/moment.h"
#include "verdict/view/bundle_view.h"

/*
 * Is it the context of that handle in a dump of the moment, which has a green context's work in its
 * primary one?
 */
bool coredump_is_context(const struct bundle_view *view, const struct moment *moment,
			 const struct context_row *context, uint64_t handle);

/* Was the submission made in that context, which still lived then? False: not known. */
bool coredump_is_in_context(const struct bundle_view *view, const struct moment *moment,
			    const struct journal_record *record, uint64_t handle);

#endif
