/*
 * recorder_doors.c - dlsym and dlvsym: what they give for a driver call through a library's handle
 * becomes our function. Everything else must reach the next function with the caller's own return
 * address, for RTLD_NEXT goes by it: those are the calls in tail position, which the optimiser
 * (this file is always compiled with it) makes jumps.
 */
#include "recorder.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>

#include "base/elf_lookup.h"
#include "recorder_line.h"

#define EXPORT __attribute__((visibility("default")))

static const void *find_next_function(const char *name)
{
	return elf_next_startup_symbol(name, _DYNAMIC);
}

/* True for names of driver calls, but not for names like cudaMalloc or cublasCreate. */
static bool is_exchanged(void *handle, const char *name, const void *caller)
{
	return name && name[0] == 'c' && name[1] == 'u' && name[2] >= 'A' && name[2] <= 'Z' &&
	       handle != RTLD_DEFAULT && handle != RTLD_NEXT && !is_inside(caller);
}

static void *exchange(void *address)
{
	const char *name;
	const void *wrapper = recorder_wrapper(address, &name);

	return wrapper ? (void *)(uintptr_t)wrapper : address;
}

EXPORT void *dlsym(void *restrict handle, const char *restrict name)
{
	void *(*next)(void *, const char *) =
		(void *(*)(void *, const char *))(uintptr_t)find_next_function("dlsym");

	if (is_exchanged(handle, name, __builtin_return_address(0)))
		return exchange(next(handle, name));
	return next(handle, name);
}

EXPORT void *dlvsym(void *restrict handle, const char *restrict name, const char *restrict version)
{
	void *(*next)(void *, const char *, const char *) =
		(void *(*)(void *, const char *, const char *))(uintptr_t)find_next_function(
			"dlvsym");

	if (is_exchanged(handle, name, __builtin_return_address(0)))
		return exchange(next(handle, name, version));
	return next(handle, name, version);
}
