/*
 * structures.cu - kernels that take structures by value, of sizes that libraries have: what they
 * store goes through a pointer in the midst of it.
 */
#include "kernel.h"

#define STRUCTURE(size)                                                                        \
	struct structure_##size##_words {                                                      \
		unsigned long long words[(size) / 8];                                          \
	};                                                                                     \
	extern "C" __global__ void structure_##size(unsigned tag,                              \
						    struct structure_##size##_words structure) \
	{                                                                                      \
		if (is_chosen_thread())                                                        \
			*(unsigned *)(unsigned long long)structure.words[2] = tag;             \
	}                                                                                      \
	KERNEL(structure_##size)

STRUCTURE(216)
STRUCTURE(1000)
STRUCTURE(4000)
