/*
 * cold_caches.c - two buffers that are walked once between launches: one is read, for the data
 * caches and their page tables, and one is executed, for the instruction caches. The last-level
 * cache keeps its content, because a host's is far larger than what passes between two launches.
 */
#include "cold_caches.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

enum {
	LINE = 64,
	CODE_BYTES = 256 << 10, /* eight times their first-level instruction cache (32 KiB) */
};

#ifdef __x86_64__
static const unsigned char return_code[] = {0xc3};
#else
static const unsigned char return_code[] = {0xc0, 0x03, 0x5f, 0xd6};
#endif

/* Written by cold_caches_prepare() only. */
static unsigned char *data, *code;
static size_t data_bytes;

static unsigned char *map_bytes(size_t size)
{
	void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return base == MAP_FAILED ? NULL : base;
}

int cold_caches_prepare(size_t n_bytes)
{
	data = map_bytes(n_bytes);
	code = map_bytes(CODE_BYTES);
	if (!data || !code)
		return -ENOMEM;
	data_bytes = n_bytes;
	memset(data, 1, data_bytes); /* else all pages were the same zero one */
	for (size_t at = 0; at < CODE_BYTES; at += sizeof(return_code))
		memcpy(code + at, return_code, sizeof(return_code));
	__builtin___clear_cache((char *)code, (char *)code + CODE_BYTES);
	return mprotect(code, CODE_BYTES, PROT_READ | PROT_EXEC) ? -errno : 0;
}

void cold_caches_make(void)
{
	for (size_t at = 0; at < data_bytes; at += LINE)
		(void)*(volatile unsigned char *)(data + at);
	for (size_t at = 0; at < CODE_BYTES; at += LINE) {
		/* Pedantic C knows no way from a data pointer to a function's but its bytes. */
		void (*function)(void);
		unsigned char *address = code + at;
		memcpy(&function, &address, sizeof(function));
		function();
	}
}

uint64_t cold_caches_ticks(void)
{
#ifdef __x86_64__
	unsigned ignored;
	_mm_lfence();
	uint64_t ticks = __rdtscp(&ignored);
	_mm_lfence();
#else
	uint64_t ticks = 0;
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks)::"memory");
#endif
	return ticks;
}
