/*
 * versions.c - call dlsym and dlvsym under each symbol version that a program may have been linked
 * with.
 */
#include <stdint.h>

#include "where.h"

void *dlsym_old(void *handle, const char *name);
void *dlsym_new(void *handle, const char *name);
void *dlvsym_old(void *handle, const char *name, const char *version);
void *dlvsym_new(void *handle, const char *name, const char *version);
__asm__(".symver dlsym_old, dlsym@GLIBC_2.2.5");
__asm__(".symver dlsym_new, dlsym@GLIBC_2.34");
__asm__(".symver dlvsym_old, dlvsym@GLIBC_2.2.5");
__asm__(".symver dlvsym_new, dlvsym@GLIBC_2.34");

int main(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	void *libc = dlopen("libc.so.6", RTLD_NOW);

	print_where("dlsym 2.2.5", dlsym_old(driver, "cuLaunchKernel"));
	print_where("dlsym 2.34", dlsym_new(driver, "cuLaunchKernel"));
	print_where("dlvsym 2.2.5", dlvsym_old(driver, "cuLaunchKernel", "FAKE_1"));
	print_where("dlvsym 2.34", dlvsym_new(driver, "cuLaunchKernel", "FAKE_1"));
	print_where("dlvsym forwarded", dlvsym_new(libc, "free", "GLIBC_2.2.5"));
	print_where("wrong version", dlvsym_new(libc, "free", "GLIBC_1.0"));
	return 0;
}
