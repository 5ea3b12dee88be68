/*
 * versions.c - call dlsym and dlvsym under each symbol version that a program may have been linked
 * with.
 */
#include <stdint.h>

#include "where.h"

/* The C library's first version on this architecture. */
#ifdef __x86_64__
#define OLDEST "GLIBC_2.2.5"
#else
#define OLDEST "GLIBC_2.17"
#endif

void *dlsym_old(void *handle, const char *name);
void *dlsym_new(void *handle, const char *name);
void *dlvsym_old(void *handle, const char *name, const char *version);
void *dlvsym_new(void *handle, const char *name, const char *version);
__asm__(".symver dlsym_old, dlsym@" OLDEST);
__asm__(".symver dlsym_new, dlsym@GLIBC_2.34");
__asm__(".symver dlvsym_old, dlvsym@" OLDEST);
__asm__(".symver dlvsym_new, dlvsym@GLIBC_2.34");

int main(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	void *libc = dlopen("libc.so.6", RTLD_NOW);

	print_where("oldest dlsym", dlsym_old(driver, "cuLaunchKernel"));
	print_where("newest dlsym", dlsym_new(driver, "cuLaunchKernel"));
	print_where("oldest dlvsym", dlvsym_old(driver, "cuLaunchKernel", "FAKE_1"));
	print_where("newest dlvsym", dlvsym_new(driver, "cuLaunchKernel", "FAKE_1"));
	print_where("dlvsym forwarded", dlvsym_new(libc, "free", OLDEST));
	print_where("wrong version", dlvsym_new(libc, "free", "GLIBC_1.0"));
	return 0;
}
