/*
 * stack_stubs.c - what stack.c calls without an effect on its generations.
 */
#include <stddef.h>
#include <stdint.h>

#include "record/files/meta.h"
#include "record/host/arena.h"
#include "record/python/python.h"
#include "record/python/python_stack.h"
#include "record/stacks/loads.h"
#include "record/stacks/stack_check.h"
#include "record/stacks/unwind_modules.h"

const struct python *python_found;
uint32_t stack_check_interval;

void arena_populate(void *object, size_t size)
{
	(void)object;
	(void)size;
}

void meta_note(enum meta_fact fact, const char *text)
{
	(void)fact;
	(void)text;
}

void stack_check(const struct unwind_point *caller, uint32_t stack)
{
	(void)caller;
	(void)stack;
}

uint32_t python_stack_take(const struct python *python, struct python_cache **cache,
			   uint32_t native, struct python_join *last)
{
	(void)python;
	(void)cache;
	(void)last;
	return native;
}

void loads_start(void)
{
}

void unwind_memory_start(void)
{
}

void unwind_modules_start(void)
{
}

void python_discover(void)
{
}
