/*
 * objects_code.h - one half of the test of objects.c, and the thread and context of both.
 */
#ifndef CULPRIT_TESTS_OBJECTS_CODE_H
#define CULPRIT_TESTS_OBJECTS_CODE_H

#include <stdint.h>

#include "record/streams/contexts.h"
#include "record/thread.h"

#define HANDLE(type, number) ((type)(uintptr_t)(number))

extern struct thread objects_thread;
extern struct context objects_context;
extern bool has_objects_context; /* objects_context is the current one of the thread */

static inline unsigned number(const void *handle)
{
	return (unsigned)(uintptr_t)handle;
}

/* Test the calls that load, unload and search code. */
void test_objects_code(void);

#endif
