/*
 * unwind_memory.c - asks the kernel whether pages are there, by calls that need neither a
 * descriptor nor memory and that no sandbox can do without; past the C library, which would change
 * errno. Not pthread_getattr_np(), which allocates, and of the first thread reads a file.
 */
#include "record/stacks/unwind_memory.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/elf_lookup.h"
#include "base/hot.h"

enum {
	PAGE = 4096,
	/* Of the own stack, asked for at once; a thread that is deeper is walked as on any stack.
	 */
	MAX_OWN = 16 << 20,
	MAX_SPAN = 1 << 16,
	BELOW = 16, /* bytes below the stack pointer: the return address, and what it called saved
		     */
};

#define NOWHERE \
	(UINT64_MAX - 4095) /* the kernel's half of all addresses: a program has none there */

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* <linux/mman.h> since 5.14 */
#endif

/* Both are written at start only. */
static uint64_t first_stack_end; /* of the first thread; 0: not known */
static bool can_ask;
static bool is_under_valgrind;

static long ask_kernel(long number, uint64_t one, uint64_t two, uint64_t three, uint64_t four)
{
	register uint64_t fourth __asm__("r10") = four;
	long result;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(one), "S"(two), "d"(three), "r"(fourth)
			 : "rcx", "r11", "memory");
	return result;
}

static uint64_t page_of(uint64_t address)
{
	return address & ~(uint64_t)(PAGE - 1);
}

/*
 * The kernel reads the mask first, and only then sees that it does not know what to do with it.
 * Measured: 0.1 us, and 1.2 us where there is nothing; a pipe, mincore() and process_vm_readv()
 * take three to five times as long, and the second says yes to pages that nobody may read.
 */
static bool is_there(uint64_t address)
{
	enum { NO_SUCH_CHANGE = -1, MASK_SIZE = 8 };
	unsigned char residence;
	if (is_under_valgrind)
		return ask_kernel(SYS_mincore, page_of(address), PAGE, (uintptr_t)&residence, 0) ==
		       0;
	return ask_kernel(SYS_rt_sigprocmask, (uint64_t)NO_SUCH_CHANGE, address, 0, MASK_SIZE) ==
	       -EINVAL;
}

/* The first page of [low, high) that is not there, or `high`. */
static uint64_t find_gap(uint64_t low, uint64_t high)
{
	uint64_t page = page_of(low);
	/* In one go, where the kernel (5.14) can. */
	if (ask_kernel(SYS_madvise, page, page_of(high - 1) + PAGE - page, MADV_POPULATE_READ, 0) ==
	    0)
		return high;
	while (page < high && is_there(page))
		page += PAGE;
	return page < high ? page : high;
}

COLD void unwind_memory_start(void)
{
	const uint64_t *symbol = elf_next_symbol("__libc_stack_end", NULL);
	if (symbol)
		first_stack_end = *symbol & ~(uint64_t)7;
	/* It tells its user of each call that is wrong on purpose. */
	const char *preloaded = getenv("LD_PRELOAD");
	is_under_valgrind = preloaded && strstr(preloaded, "vgpreload_");
	can_ask = is_there((uintptr_t)&symbol) && !is_there(NOWHERE);
}

/* The C library keeps what it knows of a thread at the end of its stack, but for the first one. */
static uint64_t own_stack_end(void)
{
	uint64_t thread_pointer;
	if (ask_kernel(SYS_getpid, 0, 0, 0, 0) == ask_kernel(SYS_gettid, 0, 0, 0, 0))
		return first_stack_end;
	__asm__("mov %%fs:0, %0" : "=r"(thread_pointer));
	return thread_pointer & ~(uint64_t)7;
}

/* Is all from `low` to the end of the own stack there? Then it is of that stack. */
static COLD bool find_own(struct unwind_memory *memory, uint64_t low)
{
	if (!memory->own_high)
		memory->own_low = memory->own_high = own_stack_end();
	uint64_t known = memory->own_low;
	if (!can_ask || low >= known || low < memory->barrier || known - low > MAX_OWN)
		return false;
	uint64_t gap = find_gap(low, known);
	if (gap < known)
		memory->barrier = gap;
	else
		memory->own_low = low;
	return gap == known;
}

void unwind_memory_begin(struct unwind_memory *memory, uint64_t rsp)
{
	uint64_t low = (rsp - BELOW) & ~(uint64_t)7;
	memory->is_own =
		(low >= memory->own_low && low < memory->own_high) || find_own(memory, low);
	memory->low = low;
	memory->high = memory->is_own ? memory->own_high : page_of(rsp - 1) + PAGE;
}

COLD bool unwind_memory_ask(struct unwind_memory *memory, uint64_t address)
{
	/* Behind the end of the own stack there is no frame, whatever else may be there. */
	if (address % 8 != 0 || (memory->is_own && address >= memory->own_high) || !can_ask ||
	    !is_there(address))
		return false;
	memory->is_own = false;
	if (page_of(address) != memory->high)
		memory->low = memory->high = page_of(address);
	memory->high += PAGE;
	return true;
}

bool unwind_memory_spans(struct unwind_memory *memory, uint64_t low, uint64_t high)
{
	if (memory->is_own)
		return low >= memory->low && high <= memory->high;
	if (low < memory->low || high < low || high - low > MAX_SPAN)
		return false;
	while (memory->high < high) {
		if (!unwind_memory_ask(memory, memory->high))
			return false;
	}
	return true;
}
