/*
 * print_queue.c - a ring of entries under one lock, with a condition for each side to wait on.
 */
#include "print/print_queue.h"

#include <errno.h>
#include <stdlib.h>

enum { PRINT_QUEUE_SIZE = 1 << 20 }; /* 144 MiB of address space; only used slots are touched */

int print_queue_open(struct print_queue *queue)
{
	*queue = (struct print_queue){.lock = PTHREAD_MUTEX_INITIALIZER,
				      .has_entries = PTHREAD_COND_INITIALIZER,
				      .has_room = PTHREAD_COND_INITIALIZER};
	queue->entries = calloc(PRINT_QUEUE_SIZE, sizeof(*queue->entries));
	return queue->entries ? 0 : -ENOMEM;
}

void print_queue_put(struct print_queue *queue, const struct print_entry *entries, size_t n)
{
	pthread_mutex_lock(&queue->lock);
	for (size_t i = 0; i < n; i++) {
		while (queue->n_put - queue->n_taken == PRINT_QUEUE_SIZE) {
			pthread_cond_signal(&queue->has_entries);
			pthread_cond_wait(&queue->has_room, &queue->lock);
		}
		queue->entries[queue->n_put++ % PRINT_QUEUE_SIZE] = entries[i];
	}
	pthread_cond_signal(&queue->has_entries);
	pthread_mutex_unlock(&queue->lock);
}

void print_queue_end(struct print_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->is_ended = true;
	pthread_cond_signal(&queue->has_entries);
	pthread_mutex_unlock(&queue->lock);
}

size_t print_queue_take(struct print_queue *queue, struct print_entry *out, size_t max,
			bool *out_is_last)
{
	size_t n = 0;
	pthread_mutex_lock(&queue->lock);
	while (queue->n_put == queue->n_taken && !queue->is_ended)
		pthread_cond_wait(&queue->has_entries, &queue->lock);
	for (; n < max && queue->n_taken != queue->n_put; n++)
		out[n] = queue->entries[queue->n_taken++ % PRINT_QUEUE_SIZE];
	*out_is_last = queue->n_put == queue->n_taken;
	if (*out_is_last) /* start over, so that usually the same few slots are used, in cache */
		queue->n_put = queue->n_taken = 0;
	pthread_cond_signal(&queue->has_room);
	pthread_mutex_unlock(&queue->lock);
	return n;
}
