/*
 * arena.h - memory for the recorder's own live objects. From mmap, never from the host's allocator:
 * that may be replaced, instrumented, or the very caller of the driver. Nothing is given back;
 * owners keep their own lists of objects to use again.
 */
#ifndef CULPRIT_RECORD_ARENA_H
#define CULPRIT_RECORD_ARENA_H

#include <stddef.h>

/* Zeroed bytes, aligned to 64, or NULL when the system has none. Any thread. */
void *arena_alloc(size_t size);

/* The same, but in the child of a fork() all zero again, where the kernel can (Linux 4.14). */
void *arena_alloc_wiped(size_t size);

/* The same of memory of our own, from a page on; with what lies on its last page. */
void arena_wipe(void *object, size_t size);

/*
 * The same for what the usual launch does not read: out of the way, so that its length moves
 * nothing that launches read from one page to two.
 */
void *arena_alloc_aside(size_t size);

/*
 * Has the kernel give the pages of fresh memory at once instead of one by one as they are touched.
 * Any thread.
 */
void arena_populate(void *object, size_t size);

#endif
