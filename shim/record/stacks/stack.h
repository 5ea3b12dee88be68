/*
 * stack.h - capture the calling thread's stack, native and Python, as a small number.
 *
 * A stack id is the id of a node of the call tree in the journal (struct stack_row). Equal stacks
 * have equal ids, and each node is written once. Unloading a module starts a new generation, so
 * that an address that is used again never shows the old module's name.
 */
#ifndef CULPRIT_RECORD_STACK_H
#define CULPRIT_RECORD_STACK_H

#include <stdbool.h>
#include <stdint.h>

struct stack_cache;

enum stack_source { STACK_OFF, STACK_OWN };

/* Start taking stacks if wanted. Start-up only. */
void stack_start(bool is_wanted);

/* Return whether stacks are taken. Also recorded as META_STACK_SOURCE. Any thread. */
enum stack_source stack_source(void);

/*
 * Return the stack of the caller of the entry point whose FRAME_HERE() is `frame`; frames below it
 * are ours and left out. 0: stacks are off, or none could be taken. Keeps errno where it can. Only
 * between thread_enter() and thread_leave(), so no signal handler re-enters it. Slot owner only.
 */
uint32_t stack_capture(struct stack_cache *cache, const void *frame);

/*
 * The cache passes to another thread, whose stack is another one, perhaps a smaller one at the same
 * address. Slot owner only.
 */
void stack_thread_ended(struct stack_cache *cache);

/* A module was unloaded: known addresses may change their meaning. Any thread. */
void stack_module_unloaded(void);

#endif
