/*
 * print_queue.h - a queue of records from the thread that reads journals to the thread that prints.
 * Reading keeps pace with the processes even if finding a name takes seconds.
 */
#ifndef CULPRIT_TOOLS_PRINT_QUEUE_H
#define CULPRIT_TOOLS_PRINT_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/journal_format.h"

struct printed_ring;

struct print_entry {
	struct printed_ring *ring; /* the record's ring; never freed */
	uint64_t n_lost;           /* if not 0: no record, but the number of those overwritten */
	struct journal_record record;
};

/* All members are guarded by `lock`. */
struct print_queue {
	pthread_mutex_t lock;
	pthread_cond_t has_entries;
	pthread_cond_t has_room;
	struct print_entry *entries; /* PRINT_QUEUE_SIZE slots */
	size_t n_put, n_taken;       /* counts, reset to 0 when the queue is empty */
	bool is_ended;               /* nothing more will be put */
};

/* Return 0 or -ENOMEM. */
int print_queue_open(struct print_queue *queue);

/*
 * Put entries in batches: taking the lock and waking the printer cost more than an entry. Wait
 * while the queue is full; meanwhile further records wait in their rings.
 */
void print_queue_put(struct print_queue *queue, const struct print_entry *entries, size_t n);
/* End the queue: print_queue_take() returns 0 once it is empty. */
void print_queue_end(struct print_queue *queue);

/*
 * Wait for entries and take up to `max` of them, oldest first. Return their number; 0 at the end.
 * *out_is_last is true if the queue is empty afterwards.
 */
size_t print_queue_take(struct print_queue *queue, struct print_entry *out, size_t max,
			bool *out_is_last);

#endif
