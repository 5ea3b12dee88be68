/*
 * counter.c - preloaded in front of all other libraries, to count the calls that a launch must not
 * make.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT unsigned counter_value(void);

static _Atomic unsigned n_calls;

unsigned counter_value(void)
{
	return n_calls;
}

EXPORT char *getenv(const char *name)
{
	char *(*next)(const char *) =
		(char *(*)(const char *))(uintptr_t)dlsym(RTLD_NEXT, "getenv");

	n_calls++;
	return next(name);
}

EXPORT char *secure_getenv(const char *name)
{
	char *(*next)(const char *) =
		(char *(*)(const char *))(uintptr_t)dlsym(RTLD_NEXT, "secure_getenv");

	n_calls++;
	return next(name);
}

EXPORT int dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data)
{
	int (*next)(int (*)(struct dl_phdr_info *, size_t, void *), void *) =
		(int (*)(int (*)(struct dl_phdr_info *, size_t, void *), void *))(uintptr_t)dlsym(
			RTLD_NEXT, "dl_iterate_phdr");

	n_calls++;
	return next(visit, data);
}
