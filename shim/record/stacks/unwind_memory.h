/*
 * unwind_memory.h - decide which words a walk may read. A rule may be wrong about a frame's caller:
 * a coroutine's outermost frame may return to anywhere, assembly may have moved the stack, a rule
 * may be of an unloaded library. So only words that are known to exist are read.
 *
 * A thread's own stack exists as long as the thread. It is checked once, as far down as the thread
 * has been. Any other stack (a coroutine's, a signal handler's) may vanish between two walks, and
 * the memory after it is not its own: there each walk asks the kernel for each page.
 */
#ifndef CULPRIT_RECORD_UNWIND_MEMORY_H
#define CULPRIT_RECORD_UNWIND_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Starts as all zero. All bounds are multiples of 8; high is after the last word. */
struct unwind_memory {
	uint64_t low, high;         /* what this walk may read */
	uint64_t own_low, own_high; /* the known part of the thread's own stack; 0: not known yet */
	uint64_t barrier;           /* memory below it is not part of the own stack */
	bool is_own;                /* this walk has only read the own stack so far */
};

/* Find out how to ask the kernel; if that fails, only own stacks are walked. Start-up only. */
void unwind_memory_start(void);

/*
 * Start a walk of the calling thread's frames at `sp`, the stack pointer after a call that has not
 * returned yet: the two words below exist. Keeps errno.
 */
void unwind_memory_begin(struct unwind_memory *memory, uint64_t sp);

/*
 * True if the first thread has no room for a further frame between the stack pointer and the
 * program's arguments, with which the kernel starts its stack. Any thread.
 */
bool unwind_memory_is_first_frame(uint64_t sp);

/* True if eight bytes can be read at the address, whatever memory that is. Keeps errno. */
bool unwind_memory_exists(uint64_t address);

/* True if a word exists at an address outside low and high. Keeps errno. */
bool unwind_memory_ask(struct unwind_memory *memory, uint64_t address);

/* True if all memory between the addresses may be read. False also if that is much to ask for. */
bool unwind_memory_spans(struct unwind_memory *memory, uint64_t low, uint64_t high);

/* True if the word may be read. */
static inline bool unwind_memory_has(struct unwind_memory *memory, uint64_t address)
{
	bool is_known = address >= memory->low && address < memory->high && address % 8 == 0;
	return is_known || unwind_memory_ask(memory, address);
}

#endif
