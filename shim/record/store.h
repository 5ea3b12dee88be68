/*
 * store.h - a file mapped once at its full capacity and backed by disk blocks piece by piece, so
 * that writing to it can neither move the mapping nor raise SIGBUS on a full disk. Where the file
 * cannot be made the same memory is anonymous.
 *
 * No file descriptor is kept: a host that closes all descriptors, or counts them, sees none of
 * ours. Growing reopens the file by its path.
 */
#ifndef CULPRIT_RECORD_STORE_H
#define CULPRIT_RECORD_STORE_H

#include <stdbool.h>
#include <stddef.h>

struct store {
	unsigned char *base; /* NULL: closed */
	size_t capacity;     /* bytes mapped */
	size_t piece;        /* bytes added at a time */
	size_t backed;       /* bytes that may be touched; grows under the owner's lock */
	const char *path;    /* of the file; NULL: anonymous memory */
};

/*
 * Maps `capacity` bytes (rounded up to pages), the first piece backed and zero. `path` must outlive
 * the store; NULL asks for anonymous memory. 0, or -errno of what the file system said: the store
 * is then closed, and the caller may try again with NULL. Any thread.
 */
int store_open(struct store *store, const char *path, size_t capacity, size_t piece);

/*
 * Makes the bytes up to `end` touchable. False: over capacity, or the disk is full; what was backed
 * stays so. The caller holds the lock that guards the store.
 */
bool store_back(struct store *store, size_t end);

/*
 * Is a file of this size over RLIMIT_FSIZE? Writing past it would not only fail but send the host a
 * deadly SIGXFSZ. Any thread.
 */
bool store_is_over_limit(size_t size);

/* Unmaps; a file on disk stays. NULL members are fine. */
void store_close(struct store *store);

#endif
