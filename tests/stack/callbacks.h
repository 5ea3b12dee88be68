/*
 * callbacks.h - code around a callback for the tests of ends.c: code generated at run time, and
 * code that an exception unwinds.
 */
#ifndef CULPRIT_TESTS_STACK_CALLBACKS_H
#define CULPRIT_TESTS_STACK_CALLBACKS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*callback)(void);

/* A generated function, in memory of its own, that calls its argument. */
struct generated {
	void *page;
	size_t size;
	void (*call)(callback what);
};

struct generated generated_make(void);

/* Register the function with the compiler's unwinder, for good. */
void generated_register(const struct generated *code);

/* True if the address is in the function. */
bool generated_holds(const struct generated *code, unsigned long long address);

/* Call back while an exception unwinds through a destructor, and again where it is caught. */
void throw_through(callback what);

/* Call back from a function without call frame information, in assembly. */
void call_from_bare(callback what);

#ifdef __cplusplus
}
#endif

#endif
