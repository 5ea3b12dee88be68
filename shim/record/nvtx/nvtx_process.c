/*
 * nvtx_process.c - ranges of the process: one thread may start them and another end them.
 */
#include "record/nvtx/nvtx_ranges.h"

#include <string.h>

enum { RANGE_WORDS = sizeof(struct nvtx_range) / sizeof(uint64_t) };
static_assert(RANGE_WORDS * sizeof(uint64_t) == sizeof(struct nvtx_range), "whole words");

/* An id is the range's number, from 1, and in its low byte the slot. */
enum { ID_FREE = 0, ID_CLAIMED = 1, SLOT_BITS = 8 };
#define SLOT_NONE 0xff
static_assert(NVTX_MAX_PROCESS < SLOT_NONE, "a slot is no mark");

struct slot {
	uint64_t id;                 /* atomic: ID_FREE, ID_CLAIMED or the range's */
	uint64_t words[RANGE_WORDS]; /* each atomic: a struct nvtx_range */
};

/* All atomic. */
static struct slot slots[NVTX_MAX_PROCESS];
static uint64_t n_started;
static uint32_t n_unkept, generation;

static uint64_t next_number(void)
{
	return __atomic_add_fetch(&n_started, 1, __ATOMIC_RELAXED);
}

static void changed(void)
{
	/* Pairs with the acquire load in nvtx_process_generation(). */
	__atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
}

static bool exchange(uint64_t *id, uint64_t from, uint64_t to)
{
	return __atomic_compare_exchange_n(id, &from, to, false, __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED);
}

static int claim_slot(void)
{
	for (int i = 0; i < NVTX_MAX_PROCESS; i++) {
		if (exchange(&slots[i].id, ID_FREE, ID_CLAIMED))
			return i;
	}
	return SLOT_NONE;
}

static void fill(struct slot *slot, const struct nvtx_range *range, uint64_t id)
{
	uint64_t words[RANGE_WORDS];
	memcpy(words, range, sizeof(words));
	/* No word may become visible before the claim does. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	for (int i = 0; i < RANGE_WORDS; i++)
		__atomic_store_n(&slot->words[i], words[i], __ATOMIC_RELAXED);
	/* Pairs with the acquire load in copy_range(). */
	__atomic_store_n(&slot->id, id, __ATOMIC_RELEASE);
}

uint64_t nvtx_start(const struct nvtx_name *domain, const struct nvtx_text *text)
{
	const struct nvtx_range range = {.domain = domain, .text = *text};
	int slot = claim_slot();
	nvtx_note_use();
	uint64_t id = next_number() << SLOT_BITS | (uint64_t)slot;
	if (slot == SLOT_NONE)
		__atomic_fetch_add(&n_unkept, 1, __ATOMIC_RELAXED);
	else
		fill(&slots[slot], &range, id);
	changed();
	return id;
}

/* End a range without a slot: only the number of these is known. */
static bool end_unkept(void)
{
	uint32_t n = __atomic_load_n(&n_unkept, __ATOMIC_RELAXED);
	while (n > 0 && !__atomic_compare_exchange_n(&n_unkept, &n, n - 1, true, __ATOMIC_RELAXED,
						     __ATOMIC_RELAXED))
		;
	return n > 0;
}

void nvtx_end(uint64_t id)
{
	uint64_t slot = id & SLOT_NONE;
	bool is_ours = id >> SLOT_BITS != 0 &&
		       id >> SLOT_BITS <= __atomic_load_n(&n_started, __ATOMIC_RELAXED);
	if (!is_ours)
		return;
	if (slot == SLOT_NONE ? end_unkept()
			      : slot < NVTX_MAX_PROCESS && exchange(&slots[slot].id, id, ID_FREE))
		changed();
}

uint32_t nvtx_process_generation(void)
{
	return __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}

/* Return the id of the range in the slot, ID_FREE if there is none or it changed meanwhile. */
static uint64_t copy_range(const struct slot *slot, struct nvtx_range *out)
{
	uint64_t id = __atomic_load_n(&slot->id, __ATOMIC_ACQUIRE);
	if (id == ID_FREE || id == ID_CLAIMED)
		return ID_FREE;
	/* Acquire, so that no load moves below the second check of the id. */
	uint64_t words[RANGE_WORDS];
	for (int i = 0; i < RANGE_WORDS; i++)
		words[i] = __atomic_load_n(&slot->words[i], __ATOMIC_ACQUIRE);
	memcpy(out, words, sizeof(*out));
	return __atomic_load_n(&slot->id, __ATOMIC_RELAXED) == id ? id : ID_FREE;
}

void nvtx_end_domain(const struct nvtx_name *domain)
{
	for (int i = 0; i < NVTX_MAX_PROCESS; i++) {
		struct nvtx_range range;
		uint64_t id = copy_range(&slots[i], &range);
		if (id != ID_FREE && range.domain == domain)
			(void)exchange(&slots[i].id, id, ID_FREE);
	}
	changed();
}

uint8_t nvtx_process_ranges(struct nvtx_range *out, uint32_t *out_n_unkept)
{
	uint8_t n = 0;
	uint64_t ids[NVTX_MAX_PROCESS];
	for (int i = 0; i < NVTX_MAX_PROCESS; i++) {
		struct nvtx_range range;
		uint64_t id = copy_range(&slots[i], &range);
		if (id == ID_FREE)
			continue;
		uint8_t at = n++;
		for (; at > 0 && ids[at - 1] > id; at--) {
			ids[at] = ids[at - 1];
			out[at] = out[at - 1];
		}
		ids[at] = id;
		out[at] = range;
	}
	*out_n_unkept = __atomic_load_n(&n_unkept, __ATOMIC_RELAXED);
	return n;
}
