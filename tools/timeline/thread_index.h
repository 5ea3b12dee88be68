/*
 * thread_index.h - the threads of a journal by their tid: for who names many of them.
 */
#ifndef CULPRIT_TOOLS_THREAD_INDEX_H
#define CULPRIT_TOOLS_THREAD_INDEX_H

#include <stddef.h>

#include "base/text.h"
#include "verdict/view/bundle_view.h"

struct thread_index {
	const struct bundle_view *view;
	struct thread_row *rows; /* by tid, of one tid the newest last */
	size_t n;
};

/* 0 or -ENOMEM; `view` must outlive it. */
int thread_index_make(const struct bundle_view *view, struct thread_index *out);
void thread_index_free(struct thread_index *index);

/* "thread 12 \"name\"", as reports have it. */
void thread_index_label(const struct thread_index *index, uint32_t tid, struct text *out);

#endif
