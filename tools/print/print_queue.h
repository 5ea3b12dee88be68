/*
 * print_queue.h - records on their way from the thread that reads journals to the one that prints:
 * reading keeps pace with the processes although a name may take seconds to find.
 */
#ifndef CULPRIT_TOOLS_PRINT_QUEUE_H
#define CULPRIT_TOOLS_PRINT_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/journal_format.h"

struct printed_ring;

struct print_entry {
	struct printed_ring *ring; /* that the record is from, which lasts */
	uint64_t n_lost;           /* not 0: in place of a record, so many were overwritten */
	struct journal_record record;
};

/* Guarded by its lock, but for what is not shared. */
struct print_queue {
	pthread_mutex_t lock;
	pthread_cond_t has_entries;
	pthread_cond_t has_room;
	struct print_entry *entries; /* PRINT_QUEUE_SIZE places */
	size_t n_put, n_taken;       /* counts, which begin anew when all is taken */
	bool is_ended;               /* no more will be put */
};

/* 0 or -ENOMEM. */
int print_queue_open(struct print_queue *queue);

/*
 * So many at once: each turn of the lock, and each waking of who prints, costs more than an entry.
 * Waits while there is no room: what is behind then waits in its ring.
 */
void print_queue_put(struct print_queue *queue, const struct print_entry *entries, size_t n);
void print_queue_end(struct print_queue *queue);

/*
 * Up to `max` entries, the oldest first, once there are any; how many, 0 at the end. *out_is_last:
 * there were no more at that moment.
 */
size_t print_queue_take(struct print_queue *queue, struct print_entry *out, size_t max,
			bool *out_is_last);

#endif
