/*
 * store.c - growable mapped memory. It knows nothing of the contents.
 */
#include "record/files/store.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "record/host/cancellation.h"
#include "record/host/reserve.h"

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

/*
 * Leave half of /dev/shm to the host. Programs that pass data between processes there (data loaders
 * do, and containers have 64 MiB of it) touch pages without reserving them, and would die of ours.
 */
static bool leaves_half(int fd, size_t wanted)
{
	struct statfs status;
	if (fstatfs(fd, &status) < 0 || status.f_type != TMPFS_MAGIC || !status.f_blocks)
		return true;
	uint64_t half = (uint64_t)status.f_blocks / 2;
	return (uint64_t)status.f_bfree >= half + wanted / (uint64_t)status.f_bsize;
}

/* Return 0 or -errno. posix_fallocate would report success even if the kernel cannot reserve. */
static int reserve(int fd, size_t from, size_t to)
{
	if (!leaves_half(fd, to - from))
		return -ENOSPC;
	int result = 0;
	do {
		result = fallocate(fd, 0, (off_t)from, (off_t)(to - from));
	} while (result < 0 &&
		 errno == EINTR); /* The host's signals, such as a profiler's timer. */
	return result < 0 ? -errno : 0;
}

/* Reserve [from, to) of the mapped file. Return 0 or -errno. */
static int allocate_pages(const struct store *store, int flags, size_t from, size_t to)
{
	if (store_is_over_limit(to))
		return -EFBIG;
	int fd = open(store->path, flags | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	int error = reserve(fd, from, to);
	(void)close(fd);
	if (error && flags & O_CREAT)
		(void)unlink(store->path); /* An empty file would look like a broken one. */
	return error;
}

static void *map_file(const struct store *store)
{
	int fd = open(store->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	/* Pages past the file's end may be mapped but not touched; store_back() ensures that. */
	void *base = reserve_file(fd, store->capacity);
	int error = errno;
	(void)close(fd);
	errno = error;
	return base;
}

int store_open(struct store *store, const char *path, size_t capacity, size_t piece)
{
	size_t page = reserve_page_size();
	*store = (struct store){.capacity = round_up(capacity, page), .path = path};
	store->piece = round_up(piece < store->capacity ? piece : store->capacity, page);
	store->reserve = store->piece / 4;
	store->backed = path ? store->piece : store->capacity;
	int error = path ? allocate_pages(store, O_CREAT | O_EXCL, 0, store->piece) : 0;
	if (error)
		return error;
	void *base = path ? map_file(store) : reserve_memory(store->capacity);
	if (!base) {
		error = -errno;
		if (path)
			(void)unlink(path);
		return error;
	}
	/* A forked child must not write into its parent's bundle. */
	(void)madvise(base, store->capacity, MADV_DONTFORK);
	store->base = base;
	return 0;
}

/* No byte past `backed` was ever touched, so that part of the mapping can be replaced. */
static bool go_on_anonymously(struct store *store)
{
	size_t size = store->capacity - store->backed;
	unsigned char *rest = store->base + store->backed;
	if (!reserve_memory_at(rest, size))
		return false;
	(void)madvise(rest, size, MADV_DONTFORK);
	store->path = NULL;
	__atomic_store_n(&store->backed, store->capacity, __ATOMIC_RELEASE);
	return true;
}

static int grow(struct store *store, size_t end)
{
	size_t target = round_up(end, store->piece);
	if (target > store->capacity)
		target = store->capacity;
	int error = allocate_pages(store, 0, store->backed, target);
	if (!error)
		__atomic_store_n(&store->backed, target, __ATOMIC_RELEASE);
	return error;
}

bool store_back(struct store *store, size_t end)
{
	size_t wanted = end + store->reserve < store->capacity ? end + store->reserve : end;
	if (wanted <= store->backed)
		return true;
	if (end > store->capacity)
		return false;
	if (!store->path)
		return end <= store->backed;
	int cancellation = cancellation_hold();
	bool is_backed = grow(store, wanted) == 0;
	if (!is_backed) {
		/* Now is the time to use the reserve, for example for a failure. */
		store->reserve = 0;
		is_backed = end <= store->backed || go_on_anonymously(store);
	}
	cancellation_restore(cancellation);
	return is_backed;
}

void store_close(struct store *store)
{
	if (store->base)
		(void)munmap(store->base, store->capacity);
	*store = (struct store){0};
}
