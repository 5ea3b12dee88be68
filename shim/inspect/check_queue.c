/*
 * check_queue.c - a ring of entries for each context.
 */
#include "inspect/check_queue.h"

#include <pthread.h>

#include "record/host/reserve.h"
#include "record/journal/bundle.h"

enum { MAX_QUEUES = 64, QUEUE_LENGTH = 512 };

enum entry_state {
	ENTRY_FREE,
	ENTRY_TAKEN,    /* by a thread that launches */
	ENTRY_LAUNCHED, /* its answers are awaited */
	ENTRY_UNUSED,
};

struct queue {
	struct check_context *context;
	struct check_entry *entries;
	uint64_t n_taken;   /* under the lock */
	uint64_t n_written; /* atomic, stored under write_lock */
};

/* Guards the list of queues and n_taken. Never held while the driver is called. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t write_lock = PTHREAD_MUTEX_INITIALIZER; /* only tried, never waited for */
static struct queue queues[MAX_QUEUES];
static uint32_t n_queues; /* atomic, stored under the lock */

static uint32_t odd_flags;  /* written at the start only */
static uint64_t n_odd_rows; /* under write_lock */
static bool is_done;        /* atomic: the table is full, or this is the end */
static pthread_once_t once = PTHREAD_ONCE_INIT;

void check_queue_start(bool infinities)
{
	odd_flags = CHECK_NAN_IS_ODD | (infinities ? CHECK_INFINITY_IS_ODD : 0);
}

bool check_queue_is_done(void)
{
	return __atomic_load_n(&is_done, __ATOMIC_RELAXED);
}

/* Without its table nothing is checked: the verdict would not know that a check may have failed. */
static void open_table(void)
{
	bundle_ensure();
	if (bundle_open_late(JOURNAL_CHECKS))
		__atomic_store_n(&is_done, true, __ATOMIC_RELAXED);
}

static struct check_entry *make_entries(struct check_context *context)
{
	struct check_entry *entries = reserve_memory(QUEUE_LENGTH * sizeof(*entries));
	if (!entries)
		return NULL;
	for (size_t i = 0; i < QUEUE_LENGTH; i++) {
		struct check_slot slots[2];
		if (!check_take_slots(context, 2, slots))
			return NULL; /* a context without memory is not asked for long */
		entries[i].context = context;
		entries[i].before = slots[0];
		entries[i].after = slots[1];
	}
	return entries;
}

static struct queue *find_queue(const struct check_context *context)
{
	for (uint32_t i = 0; i < n_queues; i++)
		if (queues[i].context == context)
			return &queues[i];
	return NULL;
}

/* A queue without entries stands for a context in which there was no memory. */
static struct queue *add_queue(struct check_context *context, struct check_entry *entries)
{
	struct queue *queue = find_queue(context);
	if (queue || n_queues == MAX_QUEUES)
		return queue;
	queue = &queues[n_queues];
	*queue = (struct queue){.context = context, .entries = entries};
	__atomic_store_n(&n_queues, n_queues + 1, __ATOMIC_RELEASE);
	return queue;
}

static struct queue *queue_of(struct check_context *context)
{
	(void)pthread_once(&once, open_table);
	pthread_mutex_lock(&lock);
	struct queue *queue = find_queue(context);
	pthread_mutex_unlock(&lock);
	if (queue)
		return queue;
	/* Two threads may make entries at once; those of the second are left unused. */
	struct check_entry *entries = make_entries(context);
	pthread_mutex_lock(&lock);
	queue = add_queue(context, entries);
	pthread_mutex_unlock(&lock);
	return queue;
}

void check_queue_prepare(struct check_context *context)
{
	(void)queue_of(context);
}

static struct check_entry *take_next(struct queue *queue)
{
	struct check_entry *entry = NULL;
	pthread_mutex_lock(&lock);
	/* Pairs with the release store after the entry was written. */
	uint64_t n_written = __atomic_load_n(&queue->n_written, __ATOMIC_ACQUIRE);
	if (queue->n_taken - n_written < QUEUE_LENGTH) {
		entry = &queue->entries[queue->n_taken++ % QUEUE_LENGTH];
		__atomic_store_n(&entry->state, ENTRY_TAKEN, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&lock);
	return entry;
}

struct check_entry *check_queue_take(struct check_context *context)
{
	struct queue *queue = queue_of(context);
	if (check_queue_is_done())
		return NULL;
	struct check_entry *entry = queue && queue->entries ? take_next(queue) : NULL;
	if (!entry)
		table_count_lost(bundle_table(JOURNAL_CHECKS));
	return entry;
}

void check_queue_put(struct check_entry *entry, bool is_launched)
{
	/* Pairs with the acquire load of the thread that writes. */
	__atomic_store_n(&entry->state, is_launched ? ENTRY_LAUNCHED : ENTRY_UNUSED,
			 __ATOMIC_RELEASE);
}

static void fill_row(const struct check_entry *entry, uint32_t index, bool has_after,
		     struct check_row *out)
{
	const struct argument_range *range = &entry->ranges[index];
	uint64_t bytes = entry->asked[index].bytes;
	*out = entry->launch;
	out->address = range->address;
	out->bytes = bytes;
	out->number = range->number;
	out->start = range->start;
	out->size = range->size;
	out->parameter = range->parameter;
	out->offset = range->offset;
	out->n_rows = entry->n_ranges;
	out->index = index;
	out->flags = (bytes < range->bytes ? CHECK_ROW_CUT : 0) |
		     (has_after ? CHECK_ROW_HAS_AFTER : 0) |
		     (entry->wishes & CHECK_WISH_INSPECT ? CHECK_ROW_INSPECTED : 0) |
		     (odd_flags & CHECK_INFINITY_IS_ODD ? CHECK_ROW_INFINITIES : 0) |
		     (entry->wishes == CHECK_WISH_NAN ? CHECK_ROW_ODD_ONLY : 0);
	out->before = entry->before.answer->newest[index];
	if (has_after)
		out->after = entry->after.answer->newest[index];
}

static void write_rows(const struct check_entry *entry, bool has_after)
{
	struct check_row rows[CHECK_MAX_RANGES];
	bool has_odd = false;
	for (uint32_t i = 0; i < entry->n_ranges; i++) {
		fill_row(entry, i, has_after, &rows[i]);
		has_odd = has_odd || check_is_odd(&rows[i].before, odd_flags) ||
			  (has_after && check_is_odd(&rows[i].after, odd_flags));
	}
	bool is_odd_only = entry->wishes == CHECK_WISH_NAN;
	if (is_odd_only && !has_odd)
		return;
	if (is_odd_only)
		n_odd_rows += entry->n_ranges;
	if (!table_append(bundle_table(JOURNAL_CHECKS), rows, entry->n_ranges) ||
	    (is_odd_only && n_odd_rows >= CHECK_ODD_ROWS_MAX))
		__atomic_store_n(&is_done, true, __ATOMIC_RELAXED);
}

static bool has_finished(const struct check_slot *slot, uint32_t n_launched)
{
	return !n_launched || check_has_run(slot, n_launched);
}

/* Write the entry if its checks have finished. False: they have not yet. */
static bool write_entry(struct check_entry *entry, bool is_end)
{
	uint32_t state = __atomic_load_n(&entry->state, __ATOMIC_ACQUIRE);
	bool is_settled = state == ENTRY_LAUNCHED || state == ENTRY_UNUSED;
	bool has_before = is_settled && has_finished(&entry->before, entry->n_before);
	bool has_after = has_before && has_finished(&entry->after, entry->n_after);
	if (!has_after && !is_end)
		return false;
	if (state == ENTRY_LAUNCHED && has_before)
		write_rows(entry, has_after);
	__atomic_store_n(&entry->state, ENTRY_FREE, __ATOMIC_RELAXED);
	return true;
}

static void write_queue(struct queue *queue, bool is_end)
{
	pthread_mutex_lock(&lock);
	uint64_t n_taken = queue->n_taken;
	pthread_mutex_unlock(&lock);
	while (queue->n_written != n_taken &&
	       write_entry(&queue->entries[queue->n_written % QUEUE_LENGTH], is_end))
		__atomic_store_n(&queue->n_written, queue->n_written + 1, __ATOMIC_RELEASE);
}

void check_queue_write(bool is_end)
{
	if (is_end)
		__atomic_store_n(&is_done, true, __ATOMIC_RELAXED);
	if (is_end ? !check_lock_at_end(&write_lock) : pthread_mutex_trylock(&write_lock) != 0)
		return;
	uint32_t n = __atomic_load_n(&n_queues, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < n; i++)
		if (queues[i].entries)
			write_queue(&queues[i], is_end);
	pthread_mutex_unlock(&write_lock);
}
