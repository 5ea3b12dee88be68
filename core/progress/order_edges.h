/*
 * order_edges.h - order between streams: event waits, and the legacy stream's barrier. Private to
 * this folder.
 */
#ifndef CULPRIT_PROGRESS_ORDER_EDGES_H
#define CULPRIT_PROGRESS_ORDER_EDGES_H

#include "progress/progress.h"

/* Add the edge of one RECORD_EVENT_WAIT, if it can still prove something. */
void edges_add_wait(struct progress *progress, const struct journal_record *record);

/*
 * Add the edges that the legacy barrier puts between this submission and earlier ones of the same
 * thread. Pass submissions in the order of their ring; `run` changes with the thread.
 */
void edges_add_barrier(struct progress *progress, const struct journal_record *record,
		       uint32_t run);

/* Sort the edges, and give each stream the edges in which it waits, or is waited for. */
void edges_sort_by_waiter(struct progress *progress);
void edges_sort_by_source(struct progress *progress);

/* Give each stream its edges again, as the last sort did, and put it into the queue. */
void edges_restart(struct progress *progress);

/* The queue of streams whose edges must be checked. Pop returns 0 if it is empty. */
void edges_push(struct progress *progress, uint32_t stream);
uint32_t edges_pop(struct progress *progress);

#endif
