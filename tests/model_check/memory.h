/*
 * memory.h - memory operations of the current thread on static memory.
 */
#ifndef CULPRIT_MODEL_MEMORY_H
#define CULPRIT_MODEL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread;

/*
 * Finish the plain access before. The program makes it after the checker has returned, so it is
 * known only at the next entry into the checker. Call this first at each entry but memory_plain().
 */
void memory_settle(void);

/* Announce a plain access; finishes the one before as needed. */
void memory_plain(const void *address, size_t size, bool is_write, const void *pc);

/* The orders are the compiler's numbers. */
static inline bool memory_is_release(int order)
{
	return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* Atomic operations. */
uint64_t memory_load(const void *address, uint32_t size, int order, const void *pc);
void memory_store(void *address, uint32_t size, uint64_t value, int order, const void *pc);
void memory_fence(int order, const void *pc);

/* Store change(old, operand). */
typedef uint64_t memory_change(uint64_t old, uint64_t operand);
struct memory_update {
	memory_change *change;
	uint64_t operand;
	int order;
	const uint64_t *expected; /* only if the old value is this one; NULL: in any case */
	int failure_order;
};

/* Return the old value. An update that fails may read an older one than the newest. */
uint64_t memory_update(void *address, uint32_t size, const struct memory_update *update,
		       const void *pc);

/* Return the newest value, as the kernel reads it. */
uint64_t memory_newest(const void *address, uint32_t size);

/* True if there is a newer message than the one that the thread's newest load returned. */
bool memory_has_newer(const struct thread *thread);

#endif
