/*
 * raw_call.c - the words of a call as each architecture passes them.
 */
#include "entry/raw_call.h"

#include <stddef.h>
#include <sys/mman.h>

#include "support/check.h"

typedef CUresult (*any_function)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, double,
				 double, double, double, double, double, double, double, uint64_t,
				 uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
				 uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
				 uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

/* Padding between the members of args_<name> is what the stack held: make that zero. */
static __attribute__((noinline)) void clear_stack(void)
{
	volatile unsigned char below[8192];
	for (size_t i = 0; i < sizeof(below); i++)
		below[i] = 0;
}

CUresult raw_call(const void *function, const struct raw_words *words)
{
	const uint64_t *w = words->word;
	const double *n = words->number;
	clear_stack();
	return ((any_function)(uintptr_t)function)(
		w[0], w[1], w[2], w[3], w[4], w[5], n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7],
		w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15], w[16], w[17],
		w[18], w[19], w[20], w[21], w[22], w[23]);
}

static void fill(void *memory, size_t size, uint8_t first, uint8_t step)
{
	unsigned char *bytes = memory;
	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(first + step * i + step * (i / 8));
}

#if defined(__aarch64__)
/*
 * A structure of more than 16 bytes is passed by its address. So each word is the address of such
 * bytes. If two words differ in `first`, they differ in all bytes that an address can use.
 */
static void point_words(struct raw_words *words, uint8_t first, uint8_t step)
{
	enum { SIZE = 1 << 16 };
	uint64_t at = first == 0 ? 0x010101010101 : first == 0xff ? 0x5efefefefefe : 0x2a3b4c5d6e13;
	void *start = (void *)(uintptr_t)(at & ~(uint64_t)(SIZE - 1));
	void *memory = mmap(start, 2 * SIZE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	CHECK(memory == start);
	fill(memory, 2 * SIZE, first, step);
	for (uint64_t i = 0; i < N_WORDS; i++)
		words->word[i] = at + (step ? 75 * i : 0);
}
#else
static void point_words(struct raw_words *words, uint8_t first, uint8_t step)
{
	(void)words, (void)first, (void)step;
}
#endif

struct raw_words raw_call_words(uint8_t first, uint8_t step)
{
	struct raw_words words;
	fill(&words, sizeof(words), first, step);
	point_words(&words, first, step);
	return words;
}
