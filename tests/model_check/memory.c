/*
 * memory.c - atomic operations: which stores a load may return, and what it learns from them.
 */
#include "memory.h"

#include <string.h>

#include "checker.h"
#include "choices.h"
#include "futures.h"
#include "shadow.h"
#include "trace.h"
#include "views.h"

/* The part of a location that an operation uses. */
struct part {
	struct location *location;
	uint32_t index; /* of the location */
	uint32_t shift;
	uint64_t mask;
};

static bool is_acquire(int order)
{
	return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

static uint64_t value_in_memory(const struct location *location)
{
	uint64_t value = 0;
	memcpy(&value, location->address, location->size);
	return value;
}

static struct message *message(const struct location *location, uint32_t time)
{
	return &checker->messages[location->messages[time]];
}

static struct message *newest(const struct location *location)
{
	return message(location, location->n - 1);
}

static struct message *append(struct location *location, uint64_t value)
{
	if (location->n == MAX_TIMES || checker->n_messages == MAX_MESSAGES)
		trace_fail("limit", "there are too many stores");
	struct message *added = &checker->messages[checker->n_messages];
	location->messages[location->n++] = (uint16_t)checker->n_messages++;
	added->value = value;
	return added;
}

static struct location *make_location(struct byte *byte, unsigned char *address, uint32_t size)
{
	if (checker->n_locations == MAX_LOCATIONS)
		trace_fail("limit", "there are too many atomic locations");
	struct location *location = &checker->locations[checker->n_locations++];
	*location = (struct location){.address = address, .size = size};
	byte->location = (uint16_t)checker->n_locations;
	append(location, value_in_memory(location))->view = (struct view){0};
	return location;
}

/* Locations in declared memory are whole words; elsewhere they have the size of their operations.
 */
static struct part part_of(const void *address, uint32_t size)
{
	uint32_t unit = shadow_word_size(address);
	uint32_t location_size = unit ? unit : size;
	uintptr_t start = (uintptr_t)address;
	start -= unit ? start % unit : 0;
	struct byte *byte = shadow_of((const void *)start);
	struct location *location = byte->location ? &checker->locations[byte->location - 1] : NULL;
	if (!location)
		location = make_location(byte, (unsigned char *)start, location_size);
	if (location->size != location_size || size > location_size)
		trace_fail("limit", "atomic operations of two sizes use %p", address);
	return (struct part){
		.location = location,
		.index = (uint32_t)(location - checker->locations),
		.shift = (uint32_t)((uintptr_t)address - start) * 8,
		.mask = size == 8 ? UINT64_MAX : ((uint64_t)1 << size * 8) - 1,
	};
}

static uint64_t part_value(const struct part *part, const struct message *from)
{
	return from->value >> part->shift & part->mask;
}

/* Return the oldest message that the current thread may read. */
static uint32_t oldest(const struct part *part, int order)
{
	struct thread *thread = current();
	uint32_t from = thread->now.time[part->index];
	if (order == __ATOMIC_SEQ_CST && checker->sequential.time[part->index] > from)
		from = checker->sequential.time[part->index];
	if (thread->must_be_newer && thread->loaded == part->index + 1) {
		thread->must_be_newer = false;
		if (from <= thread->loaded_time)
			from = thread->loaded_time + 1u;
	}
	return from;
}

/*
 * Choose a message from `from` on. One of two equal values is enough: the older one allows all that
 * the newer one does, if its view is smaller. With `except`, only the newest may have that value.
 */
static uint32_t pick(const struct part *part, uint32_t from, const uint64_t *except)
{
	const struct location *location = part->location;
	uint16_t found[MAX_TIMES];
	uint32_t n = 0;
	for (uint32_t time = from; time < location->n; time++) {
		const struct message *candidate = message(location, time);
		uint64_t value = part_value(part, candidate);
		bool is_needed = !except || *except != value || time == location->n - 1;
		for (uint32_t i = 0; i < n && is_needed; i++) {
			const struct message *other = message(location, found[i]);
			is_needed = part_value(part, other) != value ||
				    !views_are_within(&other->view, &candidate->view);
		}
		if (is_needed)
			found[n++] = (uint16_t)time;
	}
	return found[n - 1 - choices_pick(n)];
}

struct known {
	const struct part *part;
	uint32_t from;
};

/* True if a message has the value that the thread may read: the future has nothing to add. */
static bool is_there(const void *data, uint64_t value)
{
	const struct known *known = data;
	for (uint32_t time = known->from; time < known->part->location->n; time++)
		if (message(known->part->location, time)->value == value)
			return true;
	return false;
}

/* Choose a value that will be stored later; return false if none is chosen. */
static bool read_future(const struct part *part, uint32_t from, uint64_t *out)
{
	const struct known known = {part, from};
	uint64_t values[MAX_TIMES];
	uint32_t n = futures_of(part->location, is_there, &known, values);
	uint32_t chosen = choices_pick(n + 1);
	if (!chosen)
		return false;
	*out = values[chosen - 1];
	futures_read(part->location, *out);
	return true;
}

/* The current thread has read a message. */
static void see(const struct part *part, uint32_t time, int order)
{
	struct thread *thread = current();
	const struct message *seen = message(part->location, time);
	if (thread->now.time[part->index] < time)
		thread->now.time[part->index] = (uint16_t)time;
	views_join(&thread->acquired, &seen->view);
	if (is_acquire(order))
		views_join(&thread->now, &seen->view);
	if (order == __ATOMIC_SEQ_CST) /* which may not read what it could have read before */
		thread->has_acted = true;
	thread->must_be_newer = false; /* it has left the loop */
	thread->loaded = (uint16_t)(part->index + 1);
	thread->loaded_time = (uint16_t)time;
}

/* Add a message of the current thread's, and to its view that of `before` unless it is NULL. */
static void put(const struct part *part, uint64_t value, int order, const struct message *before)
{
	struct thread *thread = current();
	struct location *location = part->location;
	thread->has_acted = true;
	uint64_t others = newest(location)->value & ~(part->mask << part->shift);
	struct message *added = append(location, others | (value & part->mask) << part->shift);
	uint16_t time = (uint16_t)(location->n - 1);
	memcpy(location->address, &added->value, location->size);
	thread->now.time[part->index] = time;
	added->view = memory_is_release(order) ? thread->now : thread->released;
	added->view.time[part->index] = time;
	if (before)
		views_join(&added->view, &before->view);
	futures_store(location, added->value);
	if (memory_is_release(order))
		thread->now.clock[checker->thread]++;
	if (order == __ATOMIC_SEQ_CST)
		checker->sequential.time[part->index] = time;
}

uint64_t memory_load(const void *address, uint32_t size, int order, const void *pc)
{
	shadow_access(address, size, ATOMIC_READ, pc);
	struct part part = part_of(address, size);
	uint32_t from = oldest(&part, order);
	uint64_t future = 0;
	if (order == __ATOMIC_RELAXED && read_future(&part, from, &future)) {
		future = future >> part.shift & part.mask;
		trace_add("load (future)", pc, address, future, order);
		return future;
	}
	uint32_t time = pick(&part, from, NULL);
	uint64_t value = part_value(&part, message(part.location, time));
	see(&part, time, order);
	trace_add(time == part.location->n - 1 ? "load" : "load (old)", pc, address, value, order);
	return value;
}

void memory_store(void *address, uint32_t size, uint64_t value, int order, const void *pc)
{
	shadow_access(address, size, ATOMIC_WRITE, pc);
	struct part part = part_of(address, size);
	put(&part, value, order, NULL);
	trace_add("store", pc, address, value, order);
}

uint64_t memory_update(void *address, uint32_t size, const struct memory_update *update,
		       const void *pc)
{
	struct part part = part_of(address, size);
	const uint64_t *expected = update->expected;
	uint32_t time = part.location->n - 1;
	if (expected)
		time = pick(&part, oldest(&part, update->failure_order), expected);
	struct message *read = message(part.location, time);
	uint64_t old = part_value(&part, read);
	bool is_changed = !expected || *expected == old;
	int order = is_changed ? update->order : update->failure_order;
	shadow_access(address, size, is_changed ? ATOMIC_WRITE : ATOMIC_READ, pc);
	see(&part, time, order);
	if (is_changed)
		put(&part, update->change(old, update->operand), order, read);
	trace_add(is_changed ? "update" : "compare (fails)", pc, address,
		  is_changed ? part_value(&part, newest(part.location)) : old, order);
	return old;
}

void memory_fence(int order, const void *pc)
{
	struct thread *thread = current();
	if (is_acquire(order))
		views_join(&thread->now, &thread->acquired);
	if (order == __ATOMIC_SEQ_CST) {
		views_join(&thread->now, &checker->sequential);
		checker->sequential = thread->now;
		thread->has_acted = true;
	}
	if (memory_is_release(order)) {
		thread->released = thread->now;
		thread->now.clock[checker->thread]++;
	}
	trace_add("fence", pc, NULL, 0, order);
}

uint64_t memory_newest(const void *address, uint32_t size)
{
	struct part part = part_of(address, size);
	see(&part, part.location->n - 1, __ATOMIC_RELAXED);
	return part_value(&part, newest(part.location));
}

bool memory_has_newer(const struct thread *thread)
{
	return thread->loaded && checker->locations[thread->loaded - 1].n - 1 > thread->loaded_time;
}

/* Let memory have the newest values again, after the current thread has read older ones. */
static void restore(void)
{
	for (uint32_t i = 0; i < checker->n_patched; i++) {
		struct location *location = &checker->locations[checker->patched[i]];
		memcpy(location->address, &newest(location)->value, location->size);
	}
	checker->n_patched = 0;
}

/* The bytes of a plain access are in memory only after the checker has returned to the program. */
void memory_settle(void)
{
	restore();
	for (uint32_t i = 0; i < checker->n_written; i++) {
		struct location *location = &checker->locations[checker->written[i]];
		struct part part = {location, checker->written[i], 0, UINT64_MAX};
		put(&part, value_in_memory(location), __ATOMIC_RELAXED, NULL);
		trace_add("plain store", NULL, location->address, newest(location)->value, -1);
	}
	checker->n_written = 0;
}

static void write_later(const struct part *part)
{
	if (checker->n_written == MAX_OPEN)
		trace_fail("limit", "a plain access is too long");
	checker->written[checker->n_written++] = (uint16_t)part->index;
}

/* True if the current thread has written the word since the last operation: it reads that value. */
static bool is_written(const struct part *part)
{
	for (uint32_t i = 0; i < checker->n_written; i++)
		if (checker->written[i] == part->index)
			return true;
	return false;
}

/* Memory has another value than the newest until the next entry. */
static void patch(const struct part *part, const uint64_t *value)
{
	if (checker->n_patched == MAX_OPEN)
		trace_fail("limit", "a plain access is too long");
	checker->patched[checker->n_patched++] = (uint16_t)part->index;
	memcpy(part->location->address, value, part->location->size);
}

/* Let the program read an older value of the word. */
static void read_old(const struct part *part, const void *pc)
{
	struct location *location = part->location;
	uint32_t from = oldest(part, __ATOMIC_RELAXED);
	uint64_t future = 0;
	if (read_future(part, from, &future)) {
		trace_add("plain load (future)", pc, location->address, future, -1);
		patch(part, &future);
		return;
	}
	uint32_t time = pick(part, from, NULL);
	see(part, time, __ATOMIC_RELAXED);
	trace_add("plain load", pc, location->address, message(location, time)->value, -1);
	if (time != location->n - 1)
		patch(part, &message(location, time)->value);
}

static void plain_words(uintptr_t from, uintptr_t end, bool is_write, const void *pc)
{
	uint32_t unit = shadow_word_size((const void *)from);
	for (uintptr_t at = from - from % unit; at < end; at += unit) {
		struct part part = part_of((const void *)at, unit);
		if (is_write)
			write_later(&part);
		else if (!is_written(&part))
			read_old(&part, pc);
	}
}

/* A plain store to a word that is otherwise atomic, such as its first value. */
static void plain_stores(uintptr_t from, uintptr_t end)
{
	for (uintptr_t at = from - 7; at < end; at++) {
		struct byte *byte =
			shadow_has((const void *)at) ? shadow_of((const void *)at) : NULL;
		struct location *location =
			byte && byte->location ? &checker->locations[byte->location - 1] : NULL;
		if (!location || at + location->size <= from)
			continue;
		struct part part = part_of((const void *)at, location->size);
		write_later(&part);
	}
}

void memory_plain(const void *address, size_t size, bool is_write, const void *pc)
{
	uintptr_t from = (uintptr_t)address;
	/* For a copy of a structure, gcc announces the store, then the load, and then makes both.
	 */
	if (is_write)
		memory_settle();
	else
		restore();
	if (!shadow_has(address))
		return;
	if (shadow_word_size(address)) {
		plain_words(from, from + size, is_write, pc);
		return;
	}
	shadow_access(address, size, is_write ? PLAIN_WRITE : PLAIN_READ, pc);
	if (is_write)
		plain_stores(from, from + size);
}
