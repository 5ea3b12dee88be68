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

struct thread;

enum stack_source { STACK_OFF, STACK_OWN, STACK_BACKTRACE };

/*
 * Chooses the unwinder: our own where the loader has what it needs (glibc 2.35); otherwise, and for
 * frames beyond it, glibc's. Start-up only.
 */
void stack_start(bool is_wanted);

/* Which it became. Any thread. */
enum stack_source stack_source(void);
const char *stack_source_name(void);

/*
 * The stack of the caller of the entry point whose frame address is `frame`: frames below it are
 * ours and left out. 0: stacks are off, or nothing could be had. Never in a signal handler. Keeps
 * errno as it may. Slot owner only.
 */
uint32_t stack_capture(struct thread *thread, const void *frame);

/* A module was unloaded: known addresses may mean something else from now on. Any thread. */
void stack_module_unloaded(void);

#endif
