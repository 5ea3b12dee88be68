/*
 * arch_x86_64.h - the functions of arch.h for x86-64.
 */
#ifndef CULPRIT_ARCH_X86_64_H
#define CULPRIT_ARCH_X86_64_H

#include <cpuid.h>
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

#define ARCH_PAGE_MAX 4096

enum { ARCH_ADDRESS_BITS = 47 };
enum { ARCH_JUMP_SLOT = R_X86_64_JUMP_SLOT, ARCH_GLOB_DAT = R_X86_64_GLOB_DAT };

static inline uint64_t arch_ticks(void)
{
	return __builtin_ia32_rdtsc();
}

/* From cpuid (Intel's and AMD's manuals, "Invariant TSC"). */
static inline bool arch_ticks_are_steady(void)
{
	const unsigned leaf = 0x80000007u;
	const unsigned invariant = 1u << 8;
	unsigned a = 0;
	unsigned b = 0;
	unsigned c = 0;
	unsigned d = 0;
	return __get_cpuid(leaf, &a, &b, &c, &d) && d & invariant;
}

static inline void arch_pause(void)
{
	__builtin_ia32_pause();
}

static inline uint64_t arch_thread_pointer(void)
{
	uint64_t pointer = 0;
	__asm__("mov %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

static inline long arch_system_call(long number, uint64_t one, uint64_t two, uint64_t three,
				    uint64_t four)
{
	register uint64_t fourth __asm__("r10") = four;
	long result = 0;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(one), "S"(two), "d"(three), "r"(fourth)
			 : "rcx", "r11", "memory");
	return result;
}

#endif
