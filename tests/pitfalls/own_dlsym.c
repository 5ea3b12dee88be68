/*
 * own_dlsym.c - export a dlsym before every library's, as a statically linked profiler does, and
 * pass calls on to the C library's dlsym, which can be found only by its version.
 */
#include <stddef.h>
#include <stdint.h>

#include "where.h"

__attribute__((visibility("default"))) void *dlsym(void *handle, const char *name)
{
	static void *(*real)(void *handle, const char *name);

	if (!real)
		real = (void *(*)(void *, const char *))(uintptr_t)dlvsym(RTLD_NEXT, "dlsym",
									  "GLIBC_2.34");
	return real(handle, name);
}

int main(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	void *libc = dlopen("libc.so.6", RTLD_NOW);

	print_where("own dlsym", dlsym(driver, "cuLaunchKernel"));
	print_where("libc's", dlsym(libc, "free"));
	print_where("next", dlsym(RTLD_NEXT, "free"));
	return 0;
}
