/*
 * bypass_memory.c - see bypass_memory.h.
 */
#include "failure/bypass_memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "record/host/own_memory.h"
#include "record/host/reserve.h"
#include "support/check.h"

struct bypass_memory bypass_memory = {.written_page = ALL_PAGES};

int own_memory_open(struct own_memory *memory)
{
	CHECK(bypass_memory.is_refused && bypass_memory.n_opened == 0);
	bypass_memory.n_opened++;
	memory->ends[0] = 77;
	return 0;
}

void own_memory_close(struct own_memory *memory)
{
	CHECK_EQUAL(memory->ends[0], 77);
	bypass_memory.n_opened--;
}

bool own_memory_read(struct own_memory *memory, uintptr_t address, void *out, size_t size)
{
	CHECK_EQUAL(memory->ends[0], 77);
	CHECK(size <= OWN_MEMORY_MAX && address / 4096 == (address + size - 1) / 4096);
	bypass_memory.n_pages_read++;
	memcpy(out, (const void *)address, size);
	return true;
}

/* All that is read is mapped. qemu-user lacks the call. */
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *to, unsigned long n_to,
				const struct iovec *from, unsigned long n_from,
				unsigned long flags);
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *to, unsigned long n_to,
				const struct iovec *from, unsigned long n_from, unsigned long flags)
{
	CHECK(pid == getpid() && n_to == 1 && n_from == 1 && !flags);
	CHECK(to->iov_len == from->iov_len && to->iov_len <= CHUNK);
	bypass_memory.n_calls++;
	if (bypass_memory.is_refused || bypass_memory.is_unmapped) {
		errno = bypass_memory.is_unmapped ? EFAULT : EPERM;
		return -1;
	}
	memcpy(to->iov_base, from->iov_base, from->iov_len);
	return (ssize_t)from->iov_len;
}

int __real_mincore(void *start, size_t size, unsigned char *out);
int __wrap_mincore(void *start, size_t size, unsigned char *out);
int __wrap_mincore(void *start, size_t size, unsigned char *out)
{
	CHECK((uintptr_t)start % reserve_page_size() == 0);
	if (bypass_memory.written_page == ALL_PAGES)
		return __real_mincore(start, size, out);
	memset(out, 0, size / reserve_page_size());
	if (bypass_memory.written_page >= 0)
		out[bypass_memory.written_page] = 1;
	return 0;
}
