/*
 * unwind_memory.c - ask the kernel whether pages exist. The calls need neither a descriptor nor
 * memory, every sandbox allows them, and they bypass the C library, which would change errno.
 * pthread_getattr_np() allocates, and reads a file for the first thread.
 */
#include "record/stacks/unwind_memory.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/elf_lookup.h"
#include "base/hot.h"
#include "record/host/reserve.h"

enum {
	PAGE = 4096, /* the smallest: larger ones are multiples of it */
	/* Asked for at once; a deeper thread is walked as on any other stack. */
	MAX_OWN = 16 << 20,
	MAX_SPAN = 1 << 16,
	FIRST_FRAME = 64, /* bytes of the frame in which a program starts; glibc's has 16 at most */
	BELOW = 16, /* bytes below the stack pointer: the return address, and a word that the callee
		       saved */
};

#define NOWHERE              \
	(UINT64_MAX - PAGE + \
	 1) /* in the kernel's half of all addresses: a program has none there */

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* <linux/mman.h> since 5.14 */
#endif

/* Written at start only. */
static uint64_t first_stack_end; /* of the first thread; 0: unknown */
static uint64_t host_page = PAGE;
static bool can_ask;
static bool is_under_valgrind;

static uint64_t page_of(uint64_t address)
{
	return address & ~(uint64_t)(PAGE - 1);
}

/*
 * The kernel reads the mask first, and only then rejects the unknown request. Measured: 0.1 us, and
 * 1.2 us without memory there. A pipe, mincore() and process_vm_readv() take three to five times as
 * long, and mincore() accepts pages that cannot be read.
 */
static bool is_there(uint64_t address)
{
	enum { NO_SUCH_CHANGE = -1, MASK_SIZE = 8 };
	unsigned char residence = 0;
	if (is_under_valgrind)
		return arch_system_call(SYS_mincore, address & -host_page, host_page,
					(uintptr_t)&residence, 0) == 0;
	return arch_system_call(SYS_rt_sigprocmask, (uint64_t)NO_SUCH_CHANGE, address, 0,
				MASK_SIZE) == -EINVAL;
}

/* Return the first page of [low, high) that does not exist, or `high`. */
static uint64_t find_gap(uint64_t low, uint64_t high)
{
	uint64_t first = low & -host_page;
	uint64_t page = page_of(low);
	/* In one call, if the kernel supports it (5.14). */
	if (arch_system_call(SYS_madvise, first, ((high - 1) & -host_page) + host_page - first,
			     MADV_POPULATE_READ, 0) == 0)
		return high;
	while (page < high && is_there(page))
		page += PAGE;
	return page < high ? page : high;
}

COLD void unwind_memory_start(void)
{
	const uint64_t *symbol = elf_next_symbol("__libc_stack_end", NULL);
	host_page = reserve_page_size();
	if (symbol)
		first_stack_end = *symbol & ~(uint64_t)7;
	/* Valgrind reports to its user each call that is wrong on purpose. */
	const char *preloaded = getenv("LD_PRELOAD");
	is_under_valgrind = preloaded && strstr(preloaded, "vgpreload_");
	can_ask = is_there((uintptr_t)&symbol) && !is_there(NOWHERE);
}

/* The C library keeps its data of a thread at the end of its stack, except for the first thread. */
static uint64_t own_stack_end(void)
{
	if (arch_system_call(SYS_getpid, 0, 0, 0, 0) == arch_system_call(SYS_gettid, 0, 0, 0, 0))
		return first_stack_end;
	return arch_thread_pointer() & ~(uint64_t)7;
}

/* True if all memory from `low` to the end of the own stack exists: it is then that stack's. */
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

void unwind_memory_begin(struct unwind_memory *memory, uint64_t sp)
{
	uint64_t low = (sp - BELOW) & ~(uint64_t)7;
	memory->is_own =
		(low >= memory->own_low && low < memory->own_high) || find_own(memory, low);
	memory->low = low;
	memory->high = memory->is_own ? memory->own_high : page_of(sp - 1) + PAGE;
}

bool unwind_memory_is_first_frame(uint64_t sp)
{
	return first_stack_end && first_stack_end - sp <= FIRST_FRAME;
}

COLD bool unwind_memory_exists(uint64_t address)
{
	return can_ask && is_there(address);
}

COLD bool unwind_memory_ask(struct unwind_memory *memory, uint64_t address)
{
	/* After the end of the own stack there is no frame, whatever memory there may be. */
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
