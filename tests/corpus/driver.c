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

/*
 * Stands in for a call that an older driver lacks; only the scenario that makes the call needs it.
 */
#define ROW(name, base, version, stream)                                  \
	static void missing_##name(void)                                  \
	{                                                                 \
		fprintf(stderr, "corpus: undefined symbol: %s\n", #name); \
		exit(127);                                                \
	}
DRIVER_ROWS(ROW)
#undef ROW

/* ISO C has no cast from an object to a function pointer: POSIX means the bytes. */
static void set(void *call, void *address, void (*missing)(void))
{
	if (address)
		memcpy(call, &address, sizeof(address));
	else
		memcpy(call, &missing, sizeof(missing));
}
#endif

#if defined(CORPUS_DLSYM)

void driver_open(void)
{
	void *library = open_library();

#define ROW(name, base, version, stream) set(&driver.name, dlsym(library, #name), missing_##name);
	DRIVER_ROWS(ROW)
#undef ROW
}

#elif defined(CORPUS_PROC_ADDRESS)

static __typeof__(cuGetProcAddress_v2) *get_proc_address;

static void *ask(const char *name, int version, cuuint64_t flags)
{
	void *address = NULL;

	return get_proc_address(name, &address, version, flags, NULL) ? NULL : address;
}

void driver_open(void)
{
	void *entry = dlsym(open_library(), "cuGetProcAddress_v2");

	if (!entry)
		give_up("cuGetProcAddress_v2", "not exported by libcuda.so.1");
	memcpy(&get_proc_address, &entry, sizeof(get_proc_address));
#define ROW(name, base, version, stream)                                              \
	set(&driver.name, ask(#base, version, CU_GET_PROC_ADDRESS_##stream##_STREAM), \
	    missing_##name);
	DRIVER_ROWS(ROW)
#undef ROW
}

#else

void driver_open(void)
{
}

#endif
