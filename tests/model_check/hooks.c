/*
 * hooks.c - what gcc calls with -fsanitize=thread, in the place of the sanitizer's library.
 */
#include <string.h>

#include "checker.h"
#include "futures.h"
#include "memory.h"
#include "shadow.h"
#include "threads.h"
#include "trace.h"

#define PC __builtin_return_address(0)

static uint64_t set(uint64_t old, uint64_t operand)
{
	(void)old;
	return operand;
}
static uint64_t add(uint64_t old, uint64_t operand)
{
	return old + operand;
}
static uint64_t subtract(uint64_t old, uint64_t operand)
{
	return old - operand;
}
static uint64_t both(uint64_t old, uint64_t operand)
{
	return old & operand;
}
static uint64_t either(uint64_t old, uint64_t operand)
{
	return old | operand;
}
static uint64_t differ(uint64_t old, uint64_t operand)
{
	return old ^ operand;
}

/* A release may not overtake an earlier load, nor another access to the same bytes. */
static void settle(const void *address, size_t size, int order)
{
	if (memory_is_release(order) || futures_is_waiting_for(address, size))
		threads_settle();
}

/*
 * Each entry for an atomic operation. Return false for memory that is not tracked, such as a stack:
 * the operation is one of a single thread.
 */
static bool enter(const void *address, uint32_t size, int order)
{
	memory_settle();
	settle(address, size, order);
	if (!address)
		trace_fail("null", "an atomic operation at NULL");
	if (shadow_has(address))
		threads_point();
	return shadow_has(address);
}

static uint64_t load(const void *address, uint32_t size, int order, const void *pc)
{
	uint64_t value = 0;
	if (enter(address, size, __ATOMIC_RELAXED))
		return memory_load(address, size, order, pc);
	memcpy(&value, address, size);
	return value;
}

static void store(void *address, uint32_t size, uint64_t value, int order, const void *pc)
{
	if (enter(address, size, order))
		memory_store(address, size, value, order, pc);
	else
		memcpy(address, &value, size);
}

static uint64_t update(void *address, uint32_t size, memory_change *change, uint64_t operand,
		       int order, const void *pc)
{
	const struct memory_update update = {.change = change, .operand = operand, .order = order};
	if (!enter(address, size, order))
		trace_fail("limit", "an atomic update of memory that is not static");
	return memory_update(address, size, &update, pc);
}

static bool exchange(void *address, uint32_t size, void *expected, uint64_t wanted, int order,
		     int failure_order, const void *pc)
{
	uint64_t value = 0;
	memcpy(&value, expected, size);
	const struct memory_update update = {set, wanted, order, &value, failure_order};
	if (!enter(address, size, order))
		trace_fail("limit", "an atomic update of memory that is not static");
	uint64_t old = memory_update(address, size, &update, pc);
	if (old == value)
		return true;
	memcpy(expected, &old, size);
	return false;
}

#define UPDATE(bits, name, change)                                                                 \
	uint##bits##_t __tsan_atomic##bits##_##name(uint##bits##_t *address, uint##bits##_t value, \
						    int order)                                     \
	{                                                                                          \
		return (uint##bits##_t)update(address, bits / 8, change, value, order, PC);        \
	}

#define EXCHANGE(bits, strength)                                                               \
	int __tsan_atomic##bits##_compare_exchange_##strength(                                 \
		uint##bits##_t *address, void *expected, uint##bits##_t value, int order,      \
		int failure_order)                                                             \
	{                                                                                      \
		return exchange(address, bits / 8, expected, value, order, failure_order, PC); \
	}

#define ATOMICS(bits)                                                                              \
	uint##bits##_t __tsan_atomic##bits##_load(const uint##bits##_t *address, int order)        \
	{                                                                                          \
		return (uint##bits##_t)load(address, bits / 8, order, PC);                         \
	}                                                                                          \
	void __tsan_atomic##bits##_store(uint##bits##_t *address, uint##bits##_t value, int order) \
	{                                                                                          \
		store(address, bits / 8, value, order, PC);                                        \
	}                                                                                          \
	UPDATE(bits, exchange, set)                                                                \
	UPDATE(bits, fetch_add, add)                                                               \
	UPDATE(bits, fetch_sub, subtract)                                                          \
	UPDATE(bits, fetch_and, both)                                                              \
	UPDATE(bits, fetch_or, either)                                                             \
	UPDATE(bits, fetch_xor, differ)                                                            \
	EXCHANGE(bits, strong)                                                                     \
	EXCHANGE(bits, weak)

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

void __tsan_atomic_thread_fence(int order)
{
	memory_settle();
	threads_point();
	threads_settle();
	memory_fence(order, PC);
}

/* Signal handlers are not modelled. */
void __tsan_atomic_signal_fence(int order)
{
	(void)order;
}

static void plain(const void *address, size_t size, bool is_write, const void *pc)
{
	settle(address, size, __ATOMIC_RELAXED);
	memory_plain(address, size, is_write, pc);
}

#define PLAIN(size)                                            \
	void __tsan_read##size(const void *address)            \
	{                                                      \
		plain(address, size, false, PC);               \
	}                                                      \
	void __tsan_write##size(const void *address)           \
	{                                                      \
		plain(address, size, true, PC);                \
	}                                                      \
	void __tsan_unaligned_read##size(const void *address)  \
	{                                                      \
		plain(address, size, false, PC);               \
	}                                                      \
	void __tsan_unaligned_write##size(const void *address) \
	{                                                      \
		plain(address, size, true, PC);                \
	}

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_read_range(const void *address, size_t size)
{
	plain(address, size, false, PC);
}

void __tsan_write_range(const void *address, size_t size)
{
	plain(address, size, true, PC);
}

void __tsan_init(void)
{
}

void __tsan_func_entry(const void *caller)
{
	(void)caller;
}

void __tsan_func_exit(void)
{
}

/* The bytes go through a copy, since both ranges may be in declared memory. */
void *model_memmove(void *to, const void *from, size_t size)
{
	unsigned char *bytes = checker->copied;
	if (size > sizeof(checker->copied))
		trace_fail("limit", "a copy is too long");
	plain(from, size, false, PC);
	memcpy(bytes, from, size);
	plain(to, size, true, PC);
	return memcpy(to, bytes, size);
}

void *model_memcpy(void *restrict to, const void *restrict from, size_t size)
{
	return model_memmove(to, from, size);
}

void *model_memset(void *to, int value, size_t size)
{
	plain(to, size, true, PC);
	return memset(to, value, size);
}

int model_memcmp(const void *one, const void *other, size_t size)
{
	plain(one, size, false, PC);
	plain(other, size, false, PC);
	return memcmp(one, other, size);
}
