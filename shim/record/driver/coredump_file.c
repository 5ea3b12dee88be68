/*
 * coredump_file.c - read the dump that the driver writes, once it is complete.
 */
#include "record/driver/coredumps.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "coredump/elf_sections.h"
#include "record/host/cancellation.h"
#include "record/host/clock.h"

/* Dumps without memory have 0.3 MB to 20 MB (driver-facts: a small program, PyTorch's). */
enum { MAX_COREDUMP_SIZE = 256 << 20 };

static void pause_a_millisecond(void)
{
	const struct timespec time = {.tv_nsec = 1000000};
	(void)nanosleep(&time, NULL);
}

static bool is_complete(int fd, uint64_t size)
{
	Elf64_Ehdr header;
	if (pread(fd, &header, sizeof(header), 0) != (ssize_t)sizeof(header))
		return false;
	Elf64_Shdr first;
	bool has_first =
		pread(fd, &first, sizeof(first), (off_t)header.e_shoff) == (ssize_t)sizeof(first);
	return elf_sections_are_whole(&header, has_first ? &first : NULL, size);
}

/* Return the size of the complete file, 0 while it is incomplete, or -errno. */
static int64_t complete_size(int fd)
{
	struct stat about;
	if (fstat(fd, &about) < 0)
		return -errno;
	if (!S_ISREG(about.st_mode))
		return -EINVAL;
	if (about.st_size > MAX_COREDUMP_SIZE)
		return -EFBIG;
	return is_complete(fd, (uint64_t)about.st_size) ? about.st_size : 0;
}

static int64_t wait_for_size(int fd, uint64_t deadline_ns)
{
	int64_t size = complete_size(fd);
	while (size == 0 && clock_kernel_ns() < deadline_ns) {
		pause_a_millisecond();
		size = complete_size(fd);
	}
	return size ? size : -ETIMEDOUT;
}

static int read_all(int fd, char *bytes, size_t size)
{
	for (size_t at = 0; at < size;) {
		ssize_t n = pread(fd, bytes + at, size - at, (off_t)at);
		if (n > 0)
			at += (size_t)n;
		else if (n == 0 || errno != EINTR)
			return n == 0 ? -EIO : -errno;
	}
	return 0;
}

/* Copy it: in a mapping of the file, a byte cut off later would raise a signal in the host. */
static int copy_file(int fd, size_t size, void **out_bytes)
{
	void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bytes == MAP_FAILED)
		return -ENOMEM;
	int error = read_all(fd, bytes, size);
	if (error)
		(void)munmap(bytes, size);
	else
		*out_bytes = bytes;
	return error;
}

static int open_file(uint64_t deadline_ns)
{
	const char *path = coredumps_path();
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	while (fd < 0 && errno == ENOENT && clock_kernel_ns() < deadline_ns) {
		pause_a_millisecond();
		fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	}
	return fd < 0 ? -errno : fd;
}

int coredumps_read(uint64_t appears_ns, uint64_t complete_ns, void **out_bytes, size_t *out_size)
{
	int fd = open_file(appears_ns);
	if (fd < 0)
		return fd;
	int64_t size = wait_for_size(fd, complete_ns);
	int error = size < 0 ? (int)size : copy_file(fd, (size_t)size, out_bytes);
	if (!error)
		*out_size = (size_t)size;
	(void)close(fd);
	return error;
}

void coredumps_await(uint64_t complete_ns)
{
	int cancellation = cancellation_hold();
	int fd = open_file(0);
	if (fd >= 0) {
		(void)wait_for_size(fd, complete_ns);
		(void)close(fd);
	}
	cancellation_restore(cancellation);
}
