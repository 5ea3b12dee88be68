/*
 * order_edges.h - order between streams: event waits, and the legacy stream's barrier. Private to
 * this folder.
 */
#ifndef CULPRIT_VERDICT_ORDER_EDGES_H
#define CULPRIT_VERDICT_ORDER_EDGES_H

#include "verdict/progress/progress.h"

/* Adds the edge of one RECORD_EVENT_WAIT, if it can still prove something. */
void edges_add_wait(struct progress *progress, const struct journal_record *record);

/*
 * Adds the edges that the legacy barrier puts between this submission and earlier ones of the same
 * thread. Submissions come in the order of their ring; `run` changes with the thread.
 */
void edges_add_barrier(struct progress *progress, const struct journal_record *record,
		       uint32_t run);

/* Sorts the edges and gives each stream its own: those in which it waits, or is waited for. */
void edges_sort_by_waiter(struct progress *progress);
void edges_sort_by_source(struct progress *progress);

/* Gives each stream its edges again, as the last sort did, and puts it into the queue. */
void edges_restart(struct progress *progress);

/* The queue of streams whose edges are to be looked at. Pop returns 0 when it is empty. */
void edges_push(struct progress *progress, uint32_t stream);
uint32_t edges_pop(struct progress *progress);

#endif
