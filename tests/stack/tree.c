/*
 * tree.c - random call trees of functions with all sorts of frames: small and large, of a size
 * known only at run time, realigned, with every callee-saved register in use, with an array that a
 * stack protector guards, and one that is left by longjmp.
 */
#include "tree.h"

#include <alloca.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

static __thread long budget;

void tree_set_budget(long n_calls)
{
	budget = n_calls;
}

static inline __attribute__((always_inline)) int body(int index, int depth)
{
	int sum = 0;
	unsigned kind = random_next() % 5;
	if (kind == 0 || depth <= 0)
		sum += scope();
	if (depth > 0 && budget-- > 0) {
		sum += tree_call((index + 1) << 16 | (depth - 1));
		if (random_next() & 1)
			sum += tree_call((index * 5 + 3) << 16 | (depth - 1));
		if (random_next() % 3 == 0)
			sum += tree_call((int)(random_next() % TREE_FUNCTIONS) << 16 |
					 (depth > 4 ? depth - 4 : 0));
	}
	if (kind == 1)
		sum += scope();
	return sum;
}

#define FIXED(index, size)                            \
	static NOINLINE int call_##index(int depth)   \
	{                                             \
		volatile char array[size];            \
		array[0] = (char)depth;               \
		return body(index, depth) + array[0]; \
	}
#define VARIABLE(index, unit)                                                 \
	static NOINLINE int call_##index(int depth)                           \
	{                                                                     \
		volatile char *array = alloca(16 + random_next() % 7 * unit); \
		array[0] = (char)depth;                                       \
		return body(index, depth) + array[0];                         \
	}
/* Aligned for vectors, and of a size known only at run time: gcc then keeps the CFA in memory. */
#define REALIGNED(index)                                                   \
	static NOINLINE int call_##index(int depth)                        \
	{                                                                  \
		volatile char array[64] __attribute__((aligned(64)));      \
		volatile char *more = alloca(16 + random_next() % 7 * 16); \
		array[0] = more[0] = (char)depth;                          \
		return body(index, depth) + array[0];                      \
	}
#define REGISTERS(index)                                                               \
	static NOINLINE int call_##index(int depth)                                    \
	{                                                                              \
		unsigned a = random_next(), b = random_next(), c = random_next();      \
		unsigned d = random_next(), e = random_next(), f = random_next();      \
		int sum = body(index, depth);                                          \
		__asm__ volatile("" ::"r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f)); \
		return sum;                                                            \
	}

FIXED(0, 8)
FIXED(1, 8)
FIXED(2, 56)
REALIGNED(3)
FIXED(4, 200)
VARIABLE(5, 16)
VARIABLE(6, 48)
REGISTERS(7)
REGISTERS(8)
REGISTERS(9)
FIXED(10, 8)
REALIGNED(11)
REGISTERS(12)
FIXED(13, 1000)

/* A function to which its callees may jump. */
static NOINLINE int call_14(int depth)
{
	struct region region = {.outer = *innermost_region()};
	int sum = 0;
	if (setjmp(region.jump) == 0) {
		*innermost_region() = &region;
		sum = body(14, depth);
	}
	*innermost_region() = region.outer;
	return sum + scope();
}

static const tree_function functions[TREE_FUNCTIONS] = {
	call_0, call_1, call_2,  call_3,  call_4,  call_5,  call_6,  call_7,
	call_8, call_9, call_10, call_11, call_12, call_13, call_14, tree_try,
};

/*
 * `packed` has the function's index in its upper half, so that a frame of tree_call is between any
 * two.
 */
NOINLINE int tree_call(int packed)
{
	int index = packed >> 16 & (TREE_FUNCTIONS - 1);
	int result = functions[index](packed & 0xffff);
	return result ^ 1;
}
