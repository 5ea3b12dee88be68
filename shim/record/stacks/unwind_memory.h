/*
 * unwind_memory.h - which words a walk may read. What a frame's rule says of its caller need not be
 * true: a coroutine's outermost frame may return to anywhere, assembly may have moved the stack, a
 * rule may be of a library that is gone. So nothing is read that is not known to be there.
 *
 * A thread's own stack is there for as long as the thread: found out once, as far as the thread has
 * been down in it. Any other (a coroutine's, a signal handler's) may go between two walks, and what
 * lies behind it is not its: there each walk asks the kernel for each page.
 */
#ifndef CULPRIT_RECORD_UNWIND_MEMORY_H
#define CULPRIT_RECORD_UNWIND_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Begins as all zero. All bounds are multiples of 8; high is behind the last word. */
struct unwind_memory {
	uint64_t low, high;         /* of what this walk may read */
	uint64_t own_low, own_high; /* of the thread's own stack; 0: not known yet */
	uint64_t barrier;           /* what lies below is none of the own stack */
	bool is_own;                /* all that this walk read so far is of the own stack */
};

/* Finds out how to ask the kernel; where that fails, only own stacks are walked. Start-up only. */
void unwind_memory_start(void);

/*
 * Begins a walk of the calling thread's frames at `rsp`, the stack pointer behind a call that has
 * not returned yet: the two words below are there. Keeps errno.
 */
void unwind_memory_begin(struct unwind_memory *memory, uint64_t rsp);

/* Is there a word at an address outside of low and high? Keeps errno. */
bool unwind_memory_ask(struct unwind_memory *memory, uint64_t address);

/* May all between the two addresses be read? False also where there is much to ask for. */
bool unwind_memory_spans(struct unwind_memory *memory, uint64_t low, uint64_t high);

/* May the word be read? */
static inline bool unwind_memory_has(struct unwind_memory *memory, uint64_t address)
{
	bool is_known = address >= memory->low && address < memory->high && address % 8 == 0;
	return is_known || unwind_memory_ask(memory, address);
}

#endif
