/*
 * store.c - growable mapped files. Knows nothing of what is in them.
 */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cancellation.h"

static size_t round_up(size_t value, size_t unit)
{
	return (value + unit - 1) / unit * unit;
}

bool store_is_over_limit(size_t size)
{
	struct rlimit limit;
	return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	       size > limit.rlim_cur;
}

/* Allocates blocks for [from, to) of the file behind the mapping. 0 or -errno. */
static int allocate_blocks(const struct store *store, int flags, size_t from, size_t to)
{
	if (store_is_over_limit(to))
		return -EFBIG;
	int fd = open(store->path, flags | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	int error;
	do {
		error = posix_fallocate(fd, (off_t)from, (off_t)(to - from));
	} while (error == EINTR); /* Signals of the host's, a profiler's timer say. */
	(void)close(fd);
	if (error && flags & O_CREAT)
		(void)unlink(store->path); /* Empty, it would look like a broken one. */
	return -error;
}

static void *map_file(const struct store *store)
{
	int fd = open(store->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return MAP_FAILED;
	/* Pages past the end of the file may be mapped, not touched: store_back() sees to it. */
	void *base = mmap(NULL, store->capacity, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	int error = errno;
	(void)close(fd);
	errno = error;
	return base;
}

static void *map_anonymous(const struct store *store)
{
	return mmap(NULL, store->capacity, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

int store_open(struct store *store, const char *path, size_t capacity, size_t piece)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	*store = (struct store){.capacity = round_up(capacity, page), .path = path};
	store->piece = round_up(piece < store->capacity ? piece : store->capacity, page);
	store->backed = path ? store->piece : store->capacity;
	int error = path ? allocate_blocks(store, O_CREAT | O_EXCL, 0, store->piece) : 0;
	if (error)
		return error;
	void *base = path ? map_file(store) : map_anonymous(store);
	if (base == MAP_FAILED)
		return -errno;
	/* A forked child must not write into its parent's bundle. */
	(void)madvise(base, store->capacity, MADV_DONTFORK);
	store->base = base;
	return 0;
}

bool store_back(struct store *store, size_t end)
{
	if (end <= store->backed)
		return true;
	if (end > store->capacity)
		return false;
	size_t target = round_up(end, store->piece);
	if (target > store->capacity)
		target = store->capacity;
	int cancellation = cancellation_hold();
	int error = allocate_blocks(store, 0, store->backed, target);
	cancellation_restore(cancellation);
	if (error)
		return false;
	__atomic_store_n(&store->backed, target, __ATOMIC_RELEASE);
	return true;
}

void store_close(struct store *store)
{
	if (store->base)
		(void)munmap(store->base, store->capacity);
	*store = (struct store){0};
}
