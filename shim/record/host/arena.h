/*
 * arena.h - memory for the recorder's own live objects. It comes from mmap, never from the host's
 * allocator, which may be replaced, instrumented, or the very caller of the driver. Memory is never
 * freed; owners keep lists of objects for reuse.
 */
#ifndef CULPRIT_RECORD_ARENA_H
#define CULPRIT_RECORD_ARENA_H

#include <stddef.h>

/* Return zeroed bytes, aligned to 64, or NULL if the system has none. Any thread. */
void *arena_alloc(size_t size);

/* The same memory, but zeroed in the child of a fork() where the kernel can do so (Linux 4.14). */
void *arena_alloc_wiped(size_t size);

/*
 * Have the kernel zero an object of our own in forked children. The object starts on a page; all of
 * its last page is zeroed.
 */
void arena_wipe(void *object, size_t size);

/*
 * As arena_alloc(), for data that the usual launch does not read. It is placed aside, so that its
 * size never moves launch data from one page onto two.
 */
void *arena_alloc_aside(size_t size);

/*
 * Have the kernel provide the pages of fresh memory at once, not one by one on first touch. Any
 * thread.
 */
void arena_populate(void *object, size_t size);

#endif
