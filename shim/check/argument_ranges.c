/*
 * argument_ranges.c - take each word of the arguments that is the address of live memory.
 */
#include "check/argument_ranges.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "check/live_ranges.h"
#include "record/host/cancellation.h"
#include "record/objects/functions.h"

enum {
	MAX_ARGUMENT_BYTES = 4096,
	PART_SIZE = 512,
	KNOWN_PARTS = 16 * 1024, /* pointers of earlier launches; later ones are not noted */
	PAUSE_NS = 100000,
	MAX_PAUSES = 1000,
};

/* Pointers into the middle of allocations, ordered. Guarded by the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct part {
	uint64_t address;
	uint64_t number; /* of the allocation */
} known[KNOWN_PARTS];
static size_t n_known;

static uint32_t n_users; /* atomic: threads between begin and end */

static bool note_repeat(uint64_t address, struct argument_range *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].address == address)
			return list[i].is_repeated = true;
	return false;
}

static bool find_range(uint64_t address, uint32_t parameter, size_t offset,
		       struct argument_range *out)
{
	struct range_row row;
	if (address <= UINT32_MAX || !live_ranges_find(address, &row))
		return false;
	*out = (struct argument_range){.address = address,
				       .bytes = row.start + row.size - address,
				       .start = row.start,
				       .size = row.size,
				       .number = row.number,
				       .parameter = parameter,
				       .offset = (uint32_t)offset,
				       .context = row.context,
				       .flags = row.flags,
				       .kind = row.kind,
				       .device = row.device};
	return true;
}

/* Return the index of the first known part above the address. */
static size_t known_above(uint64_t address)
{
	size_t low = 0;
	size_t high = n_known;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (known[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void note_part(const struct argument_range *range)
{
	size_t at = known_above(range->address);
	bool is_known = at && known[at - 1].address == range->address;
	if ((range->address - range->start) % PART_SIZE || range->address == range->start)
		return;
	if (is_known)
		known[at - 1].number = range->number;
	if (is_known || n_known == KNOWN_PARTS)
		return;
	memmove(&known[at + 1], &known[at], (n_known - at) * sizeof(known[0]));
	known[at] = (struct part){range->address, range->number};
	n_known++;
}

/* Parts of allocations that were freed do not count. */
static void cut_to_part(struct argument_range *range)
{
	size_t at = known_above(range->address);
	while (at < n_known && known[at].number != range->number &&
	       known[at].address - range->address < range->bytes)
		at++;
	if (at < n_known && known[at].address - range->address < range->bytes)
		range->bytes = known[at].address - range->address;
}

/* Memory of these kinds belongs to the context that made it. */
static bool is_of_context(uint8_t kind)
{
	return kind == RANGE_DEVICE || kind == RANGE_PITCHED || kind == RANGE_IPC ||
	       kind == RANGE_IMPORTED;
}

static bool is_of_device(const struct argument_range *range, const struct context *context)
{
	if (range->flags & RANGE_DEVICE_KNOWN)
		return range->device == context->device;
	return range->context == contexts_memory_id(context);
}

/*
 * True if a kernel in the context may surely read that memory: it is the device's own, made in this
 * context or usable in all. Host memory and a graph's own memory do not count. Memory that cuMemMap
 * mapped does not, either: the rights of each device to it are not recorded, and it may be
 * another device's, or an address for multicast.
 */
static bool can_read(const struct argument_range *range, const struct context *context)
{
	if (is_of_context(range->kind))
		return range->context == contexts_memory_id(context);
	return range->kind == RANGE_MANAGED ||
	       (range->kind == RANGE_ORDERED && is_of_device(range, context));
}

size_t argument_ranges_find(const struct function *function, void *const *parameters,
			    void *const *extra, const struct context *context,
			    struct argument_range *out, size_t max)
{
	unsigned char bytes[MAX_ARGUMENT_BYTES] = {0};
	size_t copied = 0;
	size_t n = 0;
	(void)functions_copy_arguments(function, parameters, extra, bytes, sizeof(bytes), &copied);
	for (uint32_t i = 0; i < function->n_parameters; i++) {
		size_t begin = function->parameters[i].offset;
		size_t end = begin + function->parameters[i].size;
		for (size_t at = begin; at + 8 <= end && end <= copied; at += 8) {
			uint64_t address = 0;
			memcpy(&address, bytes + at, sizeof(address));
			if (!note_repeat(address, out, n) && n < max &&
			    find_range(address, i, at - begin, &out[n]) &&
			    (!context || can_read(&out[n], context)))
				n++;
		}
	}
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < n; i++)
		note_part(&out[i]);
	for (size_t i = 0; i < n; i++)
		cut_to_part(&out[i]);
	pthread_mutex_unlock(&lock);
	return n;
}

bool argument_ranges_is_live(const struct argument_range *range)
{
	struct range_row row;
	return live_ranges_find(range->address, &row) && row.number == range->number;
}

/* Pairs with the fence of argument_ranges_settle(): one of the two sees what the other stored. */
void argument_ranges_begin_use(void)
{
	(void)__atomic_add_fetch(&n_users, 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void argument_ranges_end_use(void)
{
	(void)__atomic_sub_fetch(&n_users, 1, __ATOMIC_RELEASE);
}

void argument_ranges_settle(void)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&n_users, __ATOMIC_ACQUIRE))
		return;
	int cancellation = cancellation_hold();
	for (int i = 0; i < MAX_PAUSES && __atomic_load_n(&n_users, __ATOMIC_ACQUIRE); i++)
		(void)nanosleep(&pause, NULL);
	cancellation_restore(cancellation);
}
