/*
 * stack.h - the stack of the calling thread, native and Python, as a small number.
 *
 * A stack id is the id of a node of the call tree in the journal (struct stack_row): equal stacks
 * have equal ids, and each node is written once. Unloading a module starts a new generation, so
 * that an address that is used again never shows the old module's name.
 */
#ifndef CULPRIT_RECORD_STACK_H
#define CULPRIT_RECORD_STACK_H

#include <stdbool.h>
#include <stdint.h>

struct stack_cache;

enum stack_source { STACK_OFF, STACK_OWN };

/* Start-up only. */
void stack_start(bool is_wanted);

/* Are they taken? Also told as META_STACK_SOURCE. Any thread. */
enum stack_source stack_source(void);

/*
 * The stack of the caller of the entry point whose frame address is `frame`: frames below it are
 * ours and left out. 0: stacks are off, or nothing could be had. Never in a signal handler. Keeps
 * errno as it may. Slot owner only.
 */
uint32_t stack_capture(struct stack_cache *cache, const void *frame);

/*
 * The cache is to be another thread's: that one has a stack of its own, maybe a smaller one at the
 * same place. Slot owner only.
 */
void stack_thread_ended(struct stack_cache *cache);

/* A module was unloaded: known addresses may mean something else from now on. Any thread. */
void stack_module_unloaded(void);

#endif
