/*
 * thread_index.c - sort a copy of the threads' rows. A corrupt journal may have as many threads as
 * records, and the view would search all of them each time.
 */
#include "timeline/thread_index.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int compare_rows(const void *one, const void *other)
{
	const struct thread_row *a = one;
	const struct thread_row *b = other;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

int thread_index_make(const struct bundle_view *view, struct thread_index *out)
{
	const struct view_rows *threads = &view->tables[JOURNAL_THREADS];
	*out = (struct thread_index){.view = view,
				     .rows = calloc(threads->n_rows + 1, sizeof(out->rows[0])),
				     .n = threads->n_rows};
	if (!out->rows)
		return -ENOMEM;
	for (size_t i = 0; i < out->n; i++)
		memcpy(&out->rows[i], threads->first + i * threads->row_size, sizeof(out->rows[0]));
	qsort(out->rows, out->n, sizeof(out->rows[0]), compare_rows);
	return 0;
}

void thread_index_free(struct thread_index *index)
{
	free(index->rows);
}

/* Return the newest thread with this tid; NULL if it has no row. */
static const struct thread_row *find_newest(const struct thread_index *index, uint32_t tid)
{
	size_t low = 0;
	size_t high = index->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (index->rows[middle].tid <= tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && index->rows[low - 1].tid == tid ? &index->rows[low - 1] : NULL;
}

void thread_index_label(const struct thread_index *index, uint32_t tid, struct text *out)
{
	const struct thread_row *thread = find_newest(index, tid);
	size_t length = 0;
	const char *name = view_string(index->view, thread ? thread->name : 0, &length);
	text_addf(out, "thread %" PRIu32, tid);
	if (!length)
		return;
	text_add(out, " \"");
	text_add_foreign(out, name, length);
	text_add(out, "\"");
}
