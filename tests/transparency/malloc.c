/*
 * malloc.c - an allocator to preload, as other tools' are: it fills new memory with a pattern, and
 * freed memory with another. Only for a libc whose own functions can be called by name.
 */
#include <malloc.h>
#include <stddef.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { FRESH = 0xa5, GONE = 0x5a };

void *__libc_malloc(size_t size);
void __libc_free(void *memory);

EXPORT void *malloc(size_t size)
{
	void *memory = __libc_malloc(size);

	if (memory)
		memset(memory, FRESH, size);
	return memory;
}

EXPORT void free(void *memory)
{
	if (memory)
		memset(memory, GONE, malloc_usable_size(memory));
	__libc_free(memory);
}
