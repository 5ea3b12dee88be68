/*
 * journal_copy.c - copy mappings to files, for a bounded time.
 */
#include "record/files/journal_copy.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/journal_format.h"
#include "record/files/directory.h"
#include "record/host/clock.h"

/* A page: the unit that a file system can leave out. */
enum { BLOCK = 4096 };
static const uint64_t longest_ns = 3000000000u;

void journal_copy_begin(struct journal_copy *copy)
{
	copy->end_ns = clock_kernel_ns() + longest_ns;
	copy->files = text_in(copy->names, sizeof(copy->names));
}

/* Return the size of the mapping that has ever held rows, rounded up to words. */
static size_t used_size(const struct store *store)
{
	const struct file_header *header = (const struct file_header *)store->base;
	size_t backed = __atomic_load_n(&store->backed, __ATOMIC_ACQUIRE);
	const uint64_t *n = header->kind == JOURNAL_RING ? &header->capacity : &header->n_rows;
	/* Relaxed: the header is copied before the rows, by acquire loads. */
	size_t size = sizeof(*header) + __atomic_load_n(n, __ATOMIC_RELAXED) * header->row_size;
	size = (size + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
	return size < backed ? size : backed;
}

/* Load in order, since a commit word comes first and is stored last while other threads write. */
static void load_words(uint64_t *to, const unsigned char *from, size_t size)
{
	const uint64_t *words = (const uint64_t *)(const void *)from;
	for (size_t i = 0; i < size / sizeof(*to); i++)
		to[i] = __atomic_load_n(&words[i], __ATOMIC_ACQUIRE);
}

static size_t block_size(size_t left)
{
	return left < BLOCK ? left : BLOCK;
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
	return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

static int write_run(int fd, const unsigned char *bytes, size_t size, off_t at)
{
	while (size > 0) {
		ssize_t n = pwrite(fd, bytes, size, at);
		if (n <= 0 && !(n < 0 && errno == EINTR))
			return n == 0 ? -EIO : -errno;
		if (n > 0) {
			bytes += n;
			at += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

/* A block that is zero was never anything else, so it is left out. */
static int write_piece(int fd, const unsigned char *bytes, size_t size, off_t at)
{
	for (size_t from = 0; from < size;) {
		size_t end = from;
		while (end < size && !is_zero(bytes + end, block_size(size - end)))
			end += block_size(size - end);
		int error = write_run(fd, bytes + from, end - from, at + (off_t)from);
		if (error)
			return error;
		from = end < size ? end + block_size(size - end) : size;
	}
	return 0;
}

static int write_data(struct journal_copy *copy, int fd, const unsigned char *bytes, size_t size)
{
	for (size_t at = 0; at < size; at += sizeof(copy->piece)) {
		size_t n = size - at < sizeof(copy->piece) ? size - at : sizeof(copy->piece);
		if (clock_kernel_ns() > copy->end_ns)
			return -ETIMEDOUT;
		load_words(copy->piece, bytes + at, n);
		int error = write_piece(fd, (const unsigned char *)copy->piece, n, (off_t)at);
		if (error)
			return error;
	}
	return 0;
}

/* Past RLIMIT_FSIZE a write would not only fail: the host would get a deadly signal. */
static size_t allowed_size(size_t size)
{
	struct rlimit limit;
	bool is_over = store_is_over_limit(size) && getrlimit(RLIMIT_FSIZE, &limit) == 0;
	return is_over ? (size_t)limit.rlim_cur / BLOCK * BLOCK : size;
}

static int write_file(struct journal_copy *copy, int fd, const struct store *store)
{
	size_t size = used_size(store);
	size_t allowed = allowed_size(size);
	int error = write_data(copy, fd, store->base, allowed);
	/* The file may end in a hole. A copy that failed keeps the bytes of an earlier one. */
	if (!error && ftruncate(fd, (off_t)allowed) < 0)
		error = -errno;
	return error || allowed == size ? error : -EFBIG;
}

int journal_copy_add(struct journal_copy *copy, int directory_fd, const char *name,
		     const struct store *store)
{
	text_addf(&copy->files, "%s\"%s\"", copy->files.at > copy->names ? ", " : "", name);
	if (clock_kernel_ns() > copy->end_ns)
		return -ETIMEDOUT;
	if (allowed_size(used_size(store)) == 0)
		return -EFBIG; /* An empty file would look like a broken one. */
	int fd = directory_open_file(directory_fd, name);
	if (fd < 0)
		return fd;
	int error = write_file(copy, fd, store);
	if (close(fd) < 0 && !error)
		error = -errno;
	return error;
}
