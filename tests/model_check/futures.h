/*
 * futures.h - loads that return a value which another thread stores later.
 *
 * aarch64 and C11 let a relaxed load take place after later relaxed stores of its thread (load
 * buffering). So a search has two passes. The first collects all values that threads store. In the
 * second, a relaxed load may return one of them that is not stored yet. The thread continues, until
 * an operation that may not overtake the load: then it waits for the store by another thread. If it
 * has stored nothing since the load, or no thread stores the value, the execution is abandoned. It
 * is one in which the load took place later, or one that is impossible.
 *
 * Values come from executions of the first pass, so no value justifies itself. A store may depend
 * on such a load all the same: dependencies are not seen, and so are not relied on.
 */
#ifndef CULPRIT_MODEL_FUTURES_H
#define CULPRIT_MODEL_FUTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct location;

/* The current thread stores a value. May fulfil what another thread has read. */
void futures_store(struct location *location, uint64_t value);

/*
 * Store in `out` the values that the current thread may read from the future, and that `is_known`
 * does not return true for. Return how many.
 */
uint32_t futures_of(const struct location *location,
		    bool (*is_known)(const void *data, uint64_t value), const void *data,
		    uint64_t *out);

/* The current thread has read a value from the future. */
void futures_read(const struct location *location, uint64_t value);

/* True if the current thread has read the future of these bytes, which is not stored yet. */
bool futures_is_waiting_for(const void *address, size_t size);

#endif
