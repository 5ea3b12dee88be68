/*
 * store.h - memory that is mapped once at its full capacity and backed piece by piece. Its backing
 * is a file in memory (tmpfs), which outlives the process. Pages are reserved before they are
 * touched, so writing neither moves the mapping nor raises SIGBUS. If pages cannot be reserved, the
 * rest is anonymous memory.
 *
 * No file descriptor is kept: a host that closes or counts all descriptors sees none of ours.
 * Growing reopens the file by its path.
 */
#ifndef CULPRIT_RECORD_STORE_H
#define CULPRIT_RECORD_STORE_H

#include <stdbool.h>
#include <stddef.h>

struct store {
	unsigned char *base; /* NULL if closed */
	size_t capacity;     /* bytes mapped */
	size_t piece;        /* bytes added at a time */
	size_t reserve;      /* bytes backed beyond those used, for when no file can be opened */
	size_t backed;       /* bytes that may be touched; grows under the owner's lock */
	const char *path; /* of the file; NULL if the memory is anonymous or grows elsewhere now */
};

/*
 * Map `capacity` bytes, rounded up to pages, with the first piece backed and zero. `path` must
 * outlive the store; NULL asks for anonymous memory. Return 0, or -errno of the file system: the
 * store is then closed, and the caller may try again with NULL. Any thread.
 */
int store_open(struct store *store, const char *path, size_t capacity, size_t piece);

/*
 * Make the bytes up to `end` touchable, in the file or from now on in anonymous memory. Return
 * false if `end` exceeds the capacity or memory is short; backed bytes stay backed. The caller
 * holds the lock that guards the store.
 */
bool store_back(struct store *store, size_t end);

/*
 * True if a file of this size exceeds RLIMIT_FSIZE. Writing past the limit would not only fail: the
 * host would get a deadly SIGXFSZ. Any thread.
 */
bool store_is_over_limit(size_t size);

/* Unmap the memory; a file stays. NULL members are fine. */
void store_close(struct store *store);

#endif
