/*
 * driver.c - fills the table of driver functions through the door that this program was built
 * for. It knows nothing of culprit: an application would do the same.
 */
#include "driver.h"

#if defined(CORPUS_DLSYM) || defined(CORPUS_PROC_ADDRESS)
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct driver driver;

static void give_up(const char *what, const char *why)
{
	fprintf(stderr, "corpus: %s: %s\n", what, why);
	exit(2);
}

static void *open_library(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW);

	if (!library)
		give_up("libcuda.so.1", dlerror());
	return library;
}

static void *find_symbol(void *library, const char *name)
{
	void *address = dlsym(library, name);

	if (!address)
		give_up(name, "not exported by libcuda.so.1");
	return address;
}
#endif

#if defined(CORPUS_DLSYM)

void driver_open(void)
{
	void *library = open_library();

/* ISO C has no cast from an object to a function pointer: POSIX means the bytes. */
#define ROW(name, base, version, stream) \
	memcpy(&driver.name, &(void *){find_symbol(library, #name)}, sizeof(driver.name));
	DRIVER_ROWS(ROW)
#undef ROW
}

#elif defined(CORPUS_PROC_ADDRESS)

static __typeof__(cuGetProcAddress_v2) *get_proc_address;

static void *ask(const char *name, int version, cuuint64_t flags)
{
	void *address = NULL;

	if (get_proc_address(name, &address, version, flags, NULL) || !address)
		give_up(name, "unknown to cuGetProcAddress_v2");
	return address;
}

void driver_open(void)
{
	void *entry = find_symbol(open_library(), "cuGetProcAddress_v2");

	memcpy(&get_proc_address, &entry, sizeof(get_proc_address));
#define ROW(name, base, version, stream)                                              \
	memcpy(&driver.name,                                                          \
	       &(void *){ask(#base, version, CU_GET_PROC_ADDRESS_##stream##_STREAM)}, \
	       sizeof(driver.name));
	DRIVER_ROWS(ROW)
#undef ROW
}

#else

void driver_open(void)
{
}

#endif
