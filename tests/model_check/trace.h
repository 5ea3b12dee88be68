/*
 * trace.h - what the threads have done in this execution, and its end at a fault.
 */
#ifndef CULPRIT_MODEL_TRACE_H
#define CULPRIT_MODEL_TRACE_H

#include <stdint.h>

/*
 * Note an operation: `order` is the compiler's number for its memory order, or -1. `pc` is the
 * address after its call, or NULL.
 */
void trace_add(const char *name, const void *pc, const void *address, uint64_t value, int order);

/* Print the fault and the schedule, and exit: with 0 if this kind of fault is the expected one. */
_Noreturn void trace_fail(const char *fault, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
