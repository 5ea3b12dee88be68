/*
 * arch_aarch64.h - the functions of arch.h for aarch64.
 */
#ifndef CULPRIT_ARCH_AARCH64_H
#define CULPRIT_ARCH_AARCH64_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

#define ARCH_PAGE_MAX 65536

/* A process that wants more asks for it by hints to mmap(). */
enum { ARCH_ADDRESS_BITS = 48 };
enum { ARCH_JUMP_SLOT = R_AARCH64_JUMP_SLOT, ARCH_GLOB_DAT = R_AARCH64_GLOB_DAT };

/* The generic timer's virtual counter, which Linux lets programs read. */
static inline uint64_t arch_ticks(void)
{
	uint64_t ticks = 0;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}

/* By definition (Arm ARM, "The Generic Timer"): a system counter, not the processor's clock. */
static inline bool arch_ticks_are_steady(void)
{
	return true;
}

static inline void arch_pause(void)
{
	__asm__ volatile("yield");
}

static inline uint64_t arch_thread_pointer(void)
{
	return (uintptr_t)__builtin_thread_pointer();
}

static inline long arch_system_call(long number, uint64_t one, uint64_t two, uint64_t three,
				    uint64_t four)
{
	register uint64_t x0 __asm__("x0") = one;
	register uint64_t x1 __asm__("x1") = two;
	register uint64_t x2 __asm__("x2") = three;
	register uint64_t x3 __asm__("x3") = four;
	register long x8 __asm__("x8") = number;
	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3), "r"(x8) : "memory");
	return (long)x0;
}

#endif
