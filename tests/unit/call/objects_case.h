/*
 * objects_case.h - the two halves of the test of objects.c, which share the thread and its context.
 */
#ifndef CULPRIT_TESTS_OBJECTS_CASE_H
#define CULPRIT_TESTS_OBJECTS_CASE_H

#include <stdint.h>

#include "record/streams/contexts.h"
#include "record/thread.h"

#define HANDLE(type, number) ((type)(uintptr_t)(number))

extern struct thread thread;
extern struct context current;
extern bool has_context; /* current is the context of the thread */

static inline unsigned number(const void *handle)
{
	return (unsigned)(uintptr_t)handle;
}

/* objects_code.c: the calls that load, unload and search code. */
void test_objects_code(void);

#endif
