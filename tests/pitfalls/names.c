/*
 * names.c - look up names that begin with "cu" in a library that is not the driver, while the
 * driver is loaded.
 */
#include <stddef.h>

#include "where.h"

int main(void)
{
	static const char *const names[] = {"cudnnCreate", "cublasCreate_v2", "cufftExecC2C",
					    "cudaMalloc",  "cuMyOwnFunction", "cuMemAlloc"};
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	void *library = dlopen("libother-names.so", RTLD_NOW);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		print_where(names[i], dlsym(library, names[i]));
	print_where("cuMemAlloc of the driver", dlsym(driver, "cuMemAlloc"));
	return 0;
}
