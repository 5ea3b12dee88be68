/*
 * shadow.c - what is known of each byte of static memory, and races between accesses to it.
 */
#include "shadow.h"

#include "checker.h"
#include "trace.h"

bool shadow_has(const void *address)
{
	const unsigned char *at = address;
	return at >= checker->base && at < checker->base + checker->size;
}

uint32_t shadow_word_size(const void *address)
{
	const unsigned char *at = address;
	for (uint32_t i = 0; i < checker->n_regions; i++)
		if (at >= checker->regions[i].start && at < checker->regions[i].end)
			return checker->regions[i].unit;
	return 0;
}

struct byte *shadow_of(const void *address)
{
	struct byte *byte = &checker->bytes[(const unsigned char *)address - checker->base];
	if (byte->execution != (uint32_t)checker->n_executions)
		*byte = (struct byte){.execution = (uint32_t)checker->n_executions};
	return byte;
}

static bool may_race(enum access one, enum access other)
{
	bool is_write = one == PLAIN_WRITE || one == ATOMIC_WRITE || other == PLAIN_WRITE ||
			other == ATOMIC_WRITE;
	bool is_plain = one == PLAIN_READ || one == PLAIN_WRITE || other == PLAIN_READ ||
			other == PLAIN_WRITE;
	return is_write && is_plain;
}

static const char *const names[N_ACCESSES] = {"plain load", "plain store", "atomic load",
					      "atomic store"};

static void check_byte(const unsigned char *at, enum access access, const void *pc)
{
	const struct view *view = &current()->now;
	struct byte *byte = shadow_of(at);
	for (uint32_t other = 0; other < N_ACCESSES; other++) {
		for (uint32_t i = 0; i < MAX_THREADS && may_race(access, other); i++) {
			if (i == checker->thread || byte->clocks[other][i] <= view->clock[i])
				continue;
			trace_add(names[access], pc, at, 0, -1);
			trace_fail("race", "%s at %p, and an earlier %s by thread %u",
				   names[access], (const void *)at, names[other], i);
		}
	}
	byte->clocks[access][checker->thread] = (uint16_t)view->clock[checker->thread];
}

void shadow_access(const void *address, size_t size, enum access access, const void *pc)
{
	const unsigned char *at = address;
	if (shadow_word_size(address))
		return;
	for (size_t i = 0; i < size && shadow_has(at + i); i++)
		check_byte(at + i, access, pc);
}
