/*
 * bypass.c - search the data of modules for addresses of the driver's functions.
 */
#include "failure/bypass.h"

#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "arch/arch.h"
#include "record/driver/driver.h"
#include "record/host/own_memory.h"
#include "record/host/reserve.h"
#include "record/journal/modules.h"

enum {
	MAX_FOUND = 32,
	LEAST_PAGE = 4096,
	CHUNK_PAGES = 16, /* at most */
	CHUNK = CHUNK_PAGES * LEAST_PAGE,
	STRIDE = 256 * CHUNK, /* finds the heap's start in few calls */
	HEAP_MAX = 64 << 20,
};

struct search {
	struct driver_span driver;
	uint32_t n;
	uintptr_t found[MAX_FOUND]; /* the place of such an address in each module */
	uint64_t words[CHUNK / sizeof(uint64_t)];
};

static struct search search;

static bool is_relied_on(uint64_t address)
{
	int call = driver_call_at((const void *)(uintptr_t)address);
	return call >= 0 && role_is_relied_on((enum call_role)driver_calls[call].role);
}

static bool queues_work(int call)
{
	return role_queues_work((enum call_role)driver_calls[call].role);
}

/* True if a page of the chunk is in memory: other pages were never written to. */
static bool is_resident(uintptr_t start)
{
	unsigned char residence[CHUNK_PAGES];
	if (mincore((void *)start, CHUNK, residence) < 0) // NOLINT(performance-no-int-to-ptr)
		return true;
	for (size_t i = 0; i < CHUNK / reserve_page_size(); i++) {
		if (residence[i] & 1)
			return true;
	}
	return false;
}

/* Read pages one by one, in a sandbox that refuses process_vm_readv. */
static size_t read_by_pipe(uintptr_t start, size_t size)
{
	struct own_memory memory;
	size_t n = 0;
	if (own_memory_open(&memory) < 0)
		return 0;
	while (n < size) {
		size_t rest = LEAST_PAGE - (start + n) % LEAST_PAGE;
		size_t piece = size - n < rest ? size - n : rest;
		if (!own_memory_read(&memory, start + n, (char *)search.words + n, piece))
			break;
		n += piece;
	}
	own_memory_close(&memory);
	return n;
}

/* Return how many bytes could be read, from the chunk's start. */
static size_t read_chunk(uintptr_t start, size_t size)
{
	struct iovec from = {(void *)start, size}; // NOLINT(performance-no-int-to-ptr)
	struct iovec to = {search.words, size};
	ssize_t n = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
	if (n < 0 && errno != EFAULT)
		return read_by_pipe(start, size);
	return n > 0 ? (size_t)n : 0;
}

/* Return where the first such address is in the chunk; 0: there is none. */
static uintptr_t find_in_chunk(uintptr_t start, size_t size)
{
	uint64_t span = search.driver.end - search.driver.start;
	size_t n = read_chunk(start, size) / sizeof(uint64_t);
	for (size_t i = 0; i < n; i++) {
		if (search.words[i] - search.driver.start < span && is_relied_on(search.words[i]))
			return start + i * sizeof(uint64_t);
	}
	return 0;
}

static uintptr_t find_in_segment(uintptr_t start, uintptr_t end)
{
	uintptr_t at = (start + sizeof(uint64_t) - 1) & ~(uintptr_t)(sizeof(uint64_t) - 1);
	uintptr_t found = 0;
	while (at < end && !found) {
		uintptr_t first = at & ~(reserve_page_size() - 1);
		uintptr_t next = end - first > CHUNK ? first + CHUNK : end;
		if (is_resident(first))
			found = find_in_chunk(at, next - at);
		at = next;
	}
	return found;
}

/* Count in `seen` the calls that queue work and whose addresses are in the chunk. */
static uint32_t count_in_chunk(uintptr_t start, size_t size, bool seen[N_DRIVER_CALLS])
{
	uint64_t span = search.driver.end - search.driver.start;
	size_t n = read_chunk(start, size) / sizeof(uint64_t);
	uint32_t n_new = 0;
	for (size_t i = 0; i < n; i++) {
		int call = search.words[i] - search.driver.start < span
				   // NOLINTNEXTLINE(performance-no-int-to-ptr)
				   ? driver_call_at((const void *)(uintptr_t)search.words[i])
				   : -1;
		if (call < 0 || seen[call] || !queues_work(call))
			continue;
		seen[call] = true;
		n_new++;
	}
	return n_new;
}

static bool is_mapped(uintptr_t start, size_t size)
{
	static unsigned char residence[STRIDE / LEAST_PAGE];
	// NOLINTNEXTLINE(performance-no-int-to-ptr)
	return mincore((void *)start, size, residence) == 0;
}

/* Return the end of the program's segments, which the heap follows without ASLR. */
static uintptr_t program_end(void)
{
	// NOLINTNEXTLINE(performance-no-int-to-ptr)
	const ElfW(Phdr) *headers = (const void *)getauxval(AT_PHDR);
	size_t n = headers ? getauxval(AT_PHNUM) : 0;
	uintptr_t base = 0;
	uintptr_t end = 0;
	for (size_t i = 0; i < n; i++)
		if (headers[i].p_type == PT_PHDR)
			base = (uintptr_t)headers - headers[i].p_vaddr;
	for (size_t i = 0; i < n; i++) {
		uintptr_t segment_end = base + headers[i].p_vaddr + headers[i].p_memsz;
		if (headers[i].p_type == PT_LOAD && segment_end > end)
			end = segment_end;
	}
	return end;
}

/*
 * Return where the heap that ends there starts. If the program ends after the heap, the difference
 * wraps around, and so the program is no limit.
 */
static uintptr_t find_start(uintptr_t end)
{
	const size_t steps[] = {STRIDE, CHUNK, reserve_page_size()};
	const uintptr_t least = program_end();
	uintptr_t start = end;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		while (start - least >= steps[i] && is_mapped(start - steps[i], steps[i]))
			start -= steps[i];
	}
	return start;
}

/*
 * True if the heap has the address of a function that queues work. If it has most of them, that is
 * a table of the whole interface. The driver may keep one there itself, so it shows nothing.
 */
static bool is_on_heap(void)
{
	static bool seen[N_DRIVER_CALLS];
	uintptr_t end = (uintptr_t)syscall(SYS_brk, 0) & ~(reserve_page_size() - 1);
	uintptr_t start = find_start(end);
	uint32_t n = 0;
	uint32_t n_all = 0;
	memset(seen, 0, sizeof(seen));
	for (int call = 0; call < N_DRIVER_CALLS; call++)
		n_all += queues_work(call) ? 1 : 0;
	end = end - start > HEAP_MAX ? start + HEAP_MAX : end;
	for (uintptr_t at = start; at < end; at += CHUNK) {
		if (is_resident(at))
			n += count_in_chunk(at, end - at < CHUNK ? end - at : CHUNK, seen);
	}
	return n && n <= n_all / 2;
}

/* True for the driver's own libraries, which call each other freely. */
static bool is_of_driver(const struct dl_phdr_info *info)
{
	const char *slash = strrchr(info->dlpi_name, '/');
	const char *name = slash ? slash + 1 : info->dlpi_name;
	return strncmp(name, "libcuda.so", 10) == 0 || strncmp(name, "libcudadebugger", 15) == 0 ||
	       strncmp(name, "libnvidia-", 10) == 0;
}

static bool has_address(const struct dl_phdr_info *info, uintptr_t address)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		if (segment->p_type == PT_LOAD &&
		    address - info->dlpi_addr - segment->p_vaddr < segment->p_memsz)
			return true;
	}
	return false;
}

static int look(struct dl_phdr_info *info, size_t size, void *unused)
{
	uintptr_t found = 0;
	(void)size;
	(void)unused;
	if (is_of_driver(info) || has_address(info, search.driver.start) ||
	    has_address(info, (uintptr_t)&search))
		return 0;
	for (int i = 0; i < info->dlpi_phnum && !found; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + segment->p_vaddr;
		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W))
			found = find_in_segment(start, start + segment->p_memsz);
	}
	if (found)
		search.found[search.n++] = found;
	return search.n == MAX_FOUND;
}

bool bypass_find(void)
{
	search.driver = driver_image();
	search.n = 0;
	if (!search.driver.end)
		return false;
	(void)dl_iterate_phdr(look, NULL);
	for (uint32_t i = 0; i < search.n; i++)
		modules_note_bypass(search.found[i]);
	return search.n > 0 || is_on_heap();
}

/* A module's relocations, from its dynamic section. */
struct relocations {
	const char *strings;
	const ElfW(Rela) * calls; /* DT_JMPREL */
	size_t n_calls;
	const ElfW(Rela) * others; /* DT_RELA */
	size_t n_others;
	size_t n_relative; /* the first of these, which name no symbol */
};

static const ElfW(Dyn) * find_dynamic(const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		if (segment->p_type == PT_DYNAMIC)
			// NOLINTNEXTLINE(performance-no-int-to-ptr)
			return (const ElfW(Dyn) *)(info->dlpi_addr + segment->p_vaddr);
	}
	return NULL;
}

static struct relocations read_relocations(const ElfW(Dyn) * entry)
{
	struct relocations read = {0};
	for (; entry->d_tag != DT_NULL; entry++) {
		const void *table = (const void *)entry->d_un.d_ptr; // NOLINT
		if (entry->d_tag == DT_STRTAB)
			read.strings = table;
		else if (entry->d_tag == DT_JMPREL)
			read.calls = table;
		else if (entry->d_tag == DT_PLTRELSZ)
			read.n_calls = entry->d_un.d_val / sizeof(*read.calls);
		else if (entry->d_tag == DT_RELA)
			read.others = table;
		else if (entry->d_tag == DT_RELASZ)
			read.n_others = entry->d_un.d_val / sizeof(*read.others);
		else if (entry->d_tag == DT_RELACOUNT)
			read.n_relative = entry->d_un.d_val;
	}
	return read;
}

static bool needs_driver(const ElfW(Dyn) * entry, const char *strings)
{
	for (; strings && entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_NEEDED &&
		    strcmp(strings + entry->d_un.d_val, "libcuda.so.1") == 0)
			return true;
	}
	return false;
}

/* True if such a word is bound to the driver. The loader binds it at load or at the first call. */
static bool is_bound(uintptr_t base, const ElfW(Rela) * relocations, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t type = ELF64_R_TYPE(relocations[i].r_info);
		if (type != ARCH_JUMP_SLOT && type != ARCH_GLOB_DAT)
			continue;
		// NOLINTNEXTLINE(performance-no-int-to-ptr)
		const uint64_t *slot = (const uint64_t *)(base + relocations[i].r_offset);
		uint64_t address = __atomic_load_n(slot, __ATOMIC_RELAXED);
		if (driver_call_at((const void *)(uintptr_t)address) >= 0)
			return true;
	}
	return false;
}

static int look_at_links(struct dl_phdr_info *info, size_t size, void *unused)
{
	const ElfW(Dyn) *dynamic = find_dynamic(info);
	(void)size;
	(void)unused;
	if (!dynamic || is_of_driver(info) || has_address(info, (uintptr_t)&search))
		return 0;
	struct relocations read = read_relocations(dynamic);
	if (!needs_driver(dynamic, read.strings))
		return 0;
	size_t first = read.n_relative < read.n_others ? read.n_relative : read.n_others;
	return (read.calls && is_bound(info->dlpi_addr, read.calls, read.n_calls)) ||
	       (read.others &&
		is_bound(info->dlpi_addr, read.others + first, read.n_others - first));
}

bool bypass_is_linked(void)
{
	return driver_image().end && dl_iterate_phdr(look_at_links, NULL) != 0;
}
