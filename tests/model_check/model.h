/*
 * model.h - what a scenario of the model checker uses. A scenario is a small program: it starts a
 * few threads that call the real sources, and checks what they find. The checker runs it again and
 * again until it has tried every schedule within a bound, and every value that a load may return.
 *
 * Memory is modelled as C11 describes it, not as the processor keeps it: see tests/README.md.
 */
#ifndef CULPRIT_MODEL_H
#define CULPRIT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Defined by the scenario. setup() runs before each execution, with all static variables as they
 * were at the program's start, and calls model_thread(). end() runs after all threads have
 * finished. `variant` is the program's argument, or "".
 */
void scenario_setup(const char *variant);
void scenario_end(void);

/* Add a thread, three at most. In setup() only. */
void model_thread(void (*run)(void));

/* Add a thread that serves the others: the execution ends when they have finished. */
void model_server(void (*run)(void));

/*
 * Declare that plain accesses to this memory may race: readers detect it. The checker treats them
 * as relaxed accesses to words of `unit` bytes, 4 or 8, to which `start` is aligned. In setup()
 * only.
 */
void model_words(const void *start, size_t size, uint32_t unit);

/* Return a number below `n`. The checker tries them all. */
uint32_t model_choose(uint32_t n);

/*
 * Say that the calling thread is in a loop around its newest atomic load. It continues when the
 * load can return a newer value.
 */
void model_spin(void);

/* Stop, and print the schedule, if the condition is false. */
#define MODEL_CHECK(condition) model_check((condition), #condition)
void model_check(bool is_true, const char *condition);

#endif
