/*
 * futures.c - loads that return a value which another thread stores later.
 */
#include "futures.h"

#include "checker.h"
#include "trace.h"
#include "views.h"

static bool has(const struct future *future)
{
	for (uint32_t i = 0; i < checker->n_futures; i++) {
		const struct future *known = &checker->futures[i];
		if (known->address == future->address && known->value == future->value &&
		    known->thread == future->thread && known->n == future->n)
			return true;
	}
	return false;
}

static void collect(const struct location *location, uint64_t value)
{
	const struct future added = {location->address, value, checker->thread,
				     location->n_stores[checker->thread]};
	if (checker->thread == 0 || has(&added))
		return;
	if (checker->n_futures == MAX_FUTURES)
		trace_fail("limit", "there are too many values");
	checker->futures[checker->n_futures++] = added;
}

/* The reader has seen this message, the location's newest, when it read the future. */
static void fulfil(struct thread *reader, const struct location *location)
{
	uint16_t time = (uint16_t)(location->n - 1);
	reader->has_future = false;
	if (reader->now.time[reader->future_of] < time)
		reader->now.time[reader->future_of] = time;
	views_join(&reader->acquired, &checker->messages[location->messages[time]].view);
}

void futures_store(struct location *location, uint64_t value)
{
	struct thread *self = current();
	if (!checker->may_see_futures)
		collect(location, value);
	location->n_stores[checker->thread]++;
	self->has_stored = true;
	for (uint32_t i = 1; i < checker->n_threads; i++) {
		struct thread *reader = &checker->threads[i];
		bool is_it = reader != self && reader->has_future && reader->future == value &&
			     &checker->locations[reader->future_of] == location;
		if (is_it)
			fulfil(reader, location);
	}
}

uint32_t futures_of(const struct location *location,
		    bool (*is_known)(const void *data, uint64_t value), const void *data,
		    uint64_t *out)
{
	uint32_t n = 0;
	bool may_see = checker->may_see_futures && checker->thread > 0 &&
		       checker->n_seen < checker->max_futures && !current()->has_future;
	for (uint32_t i = 0; i < checker->n_futures && may_see && n < MAX_TIMES; i++) {
		const struct future *future = &checker->futures[i];
		bool is_new = future->address == location->address &&
			      future->thread != checker->thread &&
			      future->n >= location->n_stores[future->thread] &&
			      !is_known(data, future->value);
		for (uint32_t j = 0; j < n && is_new; j++)
			is_new = out[j] != future->value;
		if (is_new)
			out[n++] = future->value;
	}
	return n;
}

void futures_read(const struct location *location, uint64_t value)
{
	struct thread *thread = current();
	checker->n_seen++;
	thread->has_future = true;
	thread->has_stored = false;
	thread->future_of = (uint16_t)(location - checker->locations);
	thread->future = value;
}

bool futures_is_waiting_for(const void *address, size_t size)
{
	const unsigned char *from = address;
	const struct location *location = &checker->locations[current()->future_of];
	return current()->has_future && from < location->address + location->size &&
	       location->address < from + size;
}
