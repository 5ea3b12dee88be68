/*
 * counted.c - launch many times, and ask the preloaded counter for calls that are too expensive for
 * each launch: getenv, dl_iterate_phdr.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#include "base/cuda_api.h"

enum { N_LAUNCHES = 1000 };

/*
 * Not inlined, and called from one place: a known stack gives culprit no reason to make these
 * calls.
 */
static __attribute__((noinline)) void launch_many(void)
{
	static int any_function;

	for (int i = 0; i < N_LAUNCHES; i++) {
		cuLaunchKernel((CUfunction)&any_function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
		cuMemcpyDtoHAsync_v2(NULL, 0x1000, 0, NULL);
		cuStreamSynchronize(NULL);
	}
}

int main(void)
{
	unsigned (*value)(void) =
		(unsigned (*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "counter_value");
	unsigned before = 0;

	if (!value) {
		printf("no counter\n");
		return 1;
	}
	cuInit(0);
	for (volatile int round = 0; round < 2; round++) {
		before = value();
		launch_many();
	}
	printf("%u\n", value() - before);
	return 0;
}
