/*
 * thread_index.h - a journal's threads sorted by tid, for naming many of them quickly.
 */
#ifndef CULPRIT_TOOLS_THREAD_INDEX_H
#define CULPRIT_TOOLS_THREAD_INDEX_H

#include <stddef.h>

#include "base/text.h"
#include "view/bundle_view.h"

struct thread_index {
	const struct bundle_view *view;
	struct thread_row *rows; /* by tid; a reused tid's newest thread is last */
	size_t n;
};

/* Fill *out, which the caller releases in any case. Return 0 or -ENOMEM. `view` must outlive it. */
int thread_index_make(const struct bundle_view *view, struct thread_index *out);
void thread_index_free(struct thread_index *index);

/* Append 'thread 12 "name"', as in reports. */
void thread_index_label(const struct thread_index *index, uint32_t tid, struct text *out);

#endif
