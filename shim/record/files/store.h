/*
 * store.h - memory mapped once at its full capacity, and backed piece by piece: by a file in memory
 * (tmpfs) whose pages are reserved before they are touched, so that storing into it can neither
 * move the mapping nor raise SIGBUS, and so that it outlives the process. Where pages cannot be
 * reserved the rest is anonymous memory.
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
	size_t reserve;      /* bytes backed beyond what is used, for when no file can be opened */
	size_t backed;       /* bytes that may be touched; grows under the owner's lock */
	const char *path; /* of the file; NULL: the memory is anonymous, or no longer grows in it */
};

/*
 * Maps `capacity` bytes (rounded up to pages), the first piece backed and zero. `path` must outlive
 * the store; NULL asks for anonymous memory. 0, or -errno of what the file system said: the store
 * is then closed, and the caller may try again with NULL. Any thread.
 */
int store_open(struct store *store, const char *path, size_t capacity, size_t piece);

/*
 * Makes the bytes up to `end` touchable: in the file, or from now on in anonymous memory. False:
 * over capacity, or there is no memory; what was backed stays so. The caller holds the lock that
 * guards the store.
 */
bool store_back(struct store *store, size_t end);

/*
 * Is a file of this size over RLIMIT_FSIZE? Writing past it would not only fail but send the host a
 * deadly SIGXFSZ. Any thread.
 */
bool store_is_over_limit(size_t size);

/* Unmaps; a file stays. NULL members are fine. */
void store_close(struct store *store);

#endif
