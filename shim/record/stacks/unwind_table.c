/*
 * unwind_table.c - one open-addressing table for the process. A slot is written once per
 * generation, so slots are never emptied: a slot with another generation's key is free.
 */
#include "record/stacks/unwind_rules.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "arch/arch.h"
#include "base/hash.h"

enum {
	SLOTS = 1 << 14,
	PROBES = 8, /* a rule that finds no free slot in so many is not shared */
	GENERATION_SHIFT = ARCH_ADDRESS_BITS,
	/* As many as fit above an address; later ones share no rules. */
	GENERATIONS = 1 << (64 - ARCH_ADDRESS_BITS),
};

/*
 * Writers hold write_lock and store key = 0, rule, key, the last two with release. Readers load key
 * and rule, both with acquire, and key again. A reader of a later writer's rule sees that writer's
 * key = 0, or its successor. The old key never returns, since keys contain their generation.
 */
struct slot {
	uint64_t key;  /* atomic: address and generation; 0: free */
	uint64_t rule; /* atomic: struct unwind_rule without its address */
};
static struct slot slots[SLOTS];
static pthread_mutex_t write_lock = PTHREAD_MUTEX_INITIALIZER;

/* All of a rule except its address is in one word. */
enum { PACKED_AT = offsetof(struct unwind_rule, cfa_offset) };
static_assert(sizeof(struct unwind_rule) == PACKED_AT + sizeof(uint64_t), "one word has the rest");

static uint64_t pack(const struct unwind_rule *rule)
{
	uint64_t packed = 0;
	memcpy(&packed, (const char *)rule + PACKED_AT, sizeof(packed));
	return packed;
}

static struct unwind_rule unpack(uint64_t ip, uint64_t packed)
{
	struct unwind_rule rule = {.ip = ip};
	memcpy((char *)&rule + PACKED_AT, &packed, sizeof(packed));
	return rule;
}

static struct slot *probe(uint64_t ip, unsigned n)
{
	return &slots[((hash_word(ip) >> 40) + n) % SLOTS];
}

/* Return false if the rule is not there. */
static bool find(uint64_t ip, uint64_t key, struct unwind_rule *out_rule)
{
	for (unsigned n = 0; n < PROBES; n++) {
		struct slot *slot = probe(ip, n);
		if (__atomic_load_n(&slot->key, __ATOMIC_ACQUIRE) != key)
			continue;
		uint64_t packed = __atomic_load_n(&slot->rule, __ATOMIC_ACQUIRE);
		if (__atomic_load_n(&slot->key, __ATOMIC_RELAXED) != key)
			return false;
		*out_rule = unpack(ip, packed);
		return true;
	}
	return false;
}

/* Store the rule. A slot of this generation stays taken. Under write_lock. */
static void store(const struct unwind_rule *rule, uint64_t key)
{
	for (unsigned n = 0; n < PROBES; n++) {
		struct slot *slot = probe(rule->ip, n);
		uint64_t old = __atomic_load_n(&slot->key, __ATOMIC_RELAXED);
		if (old == key)
			return;
		if (old >> GENERATION_SHIFT >= key >> GENERATION_SHIFT)
			continue;
		__atomic_store_n(&slot->key, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&slot->rule, pack(rule), __ATOMIC_RELEASE);
		__atomic_store_n(&slot->key, key, __ATOMIC_RELEASE);
		return;
	}
}

struct unwind_rule unwind_table_rule(uint64_t ip, uint64_t generation)
{
	uint64_t key = ip | generation << GENERATION_SHIFT;
	if (generation >= GENERATIONS || ip >> GENERATION_SHIFT)
		return unwind_rules_compile(ip);
	struct unwind_rule rule;
	if (find(ip, key, &rule))
		return rule;
	rule = unwind_rules_compile(ip);
	/* Do not wait for a lock that is taken: the next thread to compile it will store it. */
	if (rule.type != UNWIND_NONE && pthread_mutex_trylock(&write_lock) == 0) {
		store(&rule, key);
		pthread_mutex_unlock(&write_lock);
	}
	return rule;
}
